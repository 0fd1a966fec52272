/** Runs a command for each row: several at a time, the others wait in order. */
import type { Clock } from '../../client/clock.ts';

/** How a command has ended. */
export type Outcome =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'not-started'; readonly reason: string };

export interface RunningCommand {
  /** Never rejects. */
  readonly ended: Promise<Outcome>;
  /** Sends a signal to the command and to the programs that it has started. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface QueueOptions<Row> {
  /** Maximum number of commands at a time. */
  readonly most: number;
  readonly clock: Clock;
  start(row: Row): Promise<RunningCommand>;
  onEnded(row: Row, outcome: Outcome): void;
}

export interface CommandQueue<Row> {
  add(rows: readonly Row[]): void;
  /** The number of commands that are running. */
  readonly running: number;
  /** Resolves when all commands have ended. */
  drain(): Promise<void>;
  /** Starts nothing more, lets commands finish for a moment, and then ends them. Returns the rows that waited. */
  stop(): Promise<readonly Row[]>;
}

/** Milliseconds for commands to finish by themselves, and then to react to SIGTERM. */
const patience = { finish: 5000, react: 2000 };

export function openCommandQueue<Row>(options: QueueOptions<Row>): CommandQueue<Row> {
  const { most, clock, start, onEnded } = options;
  const waiting: Row[] = [];
  const running = new Set<Promise<void>>();
  const commands = new Set<RunningCommand>();
  const runOne = async (row: Row) => {
    const command = await start(row).catch((error): RunningCommand => notStarted(error));
    commands.add(command);
    const outcome = await command.ended;
    commands.delete(command);
    onEnded(row, outcome);
  };
  const fill = () => {
    while (running.size < most && waiting.length > 0) {
      const [row] = waiting.splice(0, 1) as [Row];
      const run = runOne(row).finally(() => {
        running.delete(run);
        fill();
      });
      running.add(run);
    }
  };
  const drain = async () => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    get running() {
      return running.size;
    },
    add(rows) {
      waiting.push(...rows);
      fill();
    },
    drain,
    async stop() {
      const left = waiting.splice(0);
      if (await endsWithin(clock, patience.finish, drain)) return left;
      for (const command of commands) command.kill('SIGTERM');
      if (await endsWithin(clock, patience.react, drain)) return left;
      for (const command of commands) command.kill('SIGKILL');
      await drain();
      return left;
    },
  };
}

function notStarted(error: unknown): RunningCommand {
  const reason = error instanceof Error ? error.message : String(error);
  return { ended: Promise.resolve({ kind: 'not-started', reason }), kill: () => undefined };
}

async function endsWithin(
  clock: Clock,
  milliseconds: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const stop = new AbortController();
  const waited = clock.sleep(milliseconds, stop.signal).then(
    () => false,
    () => true,
  );
  const isDone = await Promise.race([work().then(() => true), waited]);
  stop.abort();
  return isDone;
}
