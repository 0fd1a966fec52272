/** `--exec`: runs a command for each new order, several at a time, and reports how each ended. */
import { type Clock, realClock } from '../../client/clock.ts';
import { reasonOf } from '../../client/workflow-error.ts';
import { type Row, toJson } from '../../output/rows/rows.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { usage } from '../../shell/failure.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import type { Outcome, RunningCommand } from './shell-command.ts';

export interface ExecFlags {
  readonly exec?: string;
  readonly execMax?: string;
}

const mostAtOnce = { usual: 4, highest: 64 };

/** Milliseconds for commands to finish by themselves, and then to react to SIGTERM. */
const patience = { finish: 5000, react: 2000 };

export interface CommandQueue {
  /** Starts commands for the rows in their order, as many as may run at a time. */
  add(rows: readonly Row[]): void;
  /** Waits for all commands, or ends them if the person has stopped the watch. */
  finish(): Promise<void>;
}

/** Returns undefined without --exec. Throws a usage failure for options that can't be used. */
export function openCommandQueue(
  cmd: CommandContext,
  { exec: line, execMax }: ExecFlags,
): CommandQueue | undefined {
  if (line === undefined) {
    if (execMax !== undefined) throw usage('--exec-max requires --exec.');
    return undefined;
  }
  if (line.trim() === '') throw usage('--exec must not be empty.');
  const { messages } = cmd;
  const { startShell, signal, clock = realClock } = cmd.context;
  if (!startShell) throw usage('--exec is not available here.');
  const { usual, highest } = mostAtOnce;
  const most = execMax === undefined ? usual : wholeNumber('--exec-max', execMax, 1, highest);
  const waiting: Row[] = [];
  const running = new Set<Promise<void>>();
  const commands = new Set<RunningCommand>();
  const runOne = async (row: Row) => {
    const starting = startShell(line, `${toJson(row)}\n`);
    const command = await starting.catch((error): RunningCommand => {
      const ended = Promise.resolve({ kind: 'not-started', reason: reasonOf(error) } as const);
      return { ended, kill: () => undefined };
    });
    commands.add(command);
    const outcome = await command.ended;
    commands.delete(command);
    const failure = failureOf(outcome);
    if (failure === undefined) return;
    messages.say(`warning: The command for ${nameOf(row)} ${failure}.`);
    cmd.endWith(exitCodes.incomplete);
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
  const endAll = async () => {
    if (await endsWithin(clock, patience.finish, drain)) return;
    for (const command of commands) command.kill('SIGTERM');
    if (await endsWithin(clock, patience.react, drain)) return;
    for (const command of commands) command.kill('SIGKILL');
    await drain();
  };
  return {
    add(rows) {
      waiting.push(...rows);
      fill();
    },
    async finish() {
      const stopped = new Promise<void>((done) => {
        if (signal.aborted) done();
        signal.addEventListener('abort', () => done(), { once: true });
      });
      await Promise.race([drain(), stopped]);
      if (!signal.aborted) return;
      if (running.size > 0) {
        const what =
          running.size === 1 ? 'the running command' : `${running.size} running commands`;
        messages.say(`Waiting up to 5 seconds for ${what}. Press Ctrl-C again to end at once.`);
      }
      const left = waiting.splice(0);
      await endAll();
      if (left.length === 0) return;
      messages.say(`warning: The command was not run for ${left.map(nameOf).join(', ')}.`);
    },
  };
}

function failureOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'not-started') return `could not be started (${outcome.reason})`;
  if (outcome.kind === 'killed') return `was ended by ${outcome.signal}`;
  if (outcome.code === 0) return undefined;
  // The exit code of a shell for an unknown program.
  const why = outcome.code === 127 ? ', which usually means that the program was not found' : '';
  return `failed with exit code ${outcome.code}${why}`;
}

function nameOf({ receipt }: Row): string {
  return String(receipt ?? 'an order');
}

/** Returns whether the work ends within this time. */
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
