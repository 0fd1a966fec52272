/** `--exec`: runs a command for each new order and tells how it ended. */
import { realClock } from '../../client/clock.ts';
import { type Row, toJson } from '../../output/rows/rows.ts';
import type { Pages } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { usage } from '../../shell/failure.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { type CommandQueue, type Outcome, openCommandQueue } from './command-queue.ts';

export interface ExecFlags {
  readonly exec?: string;
  readonly execMax?: string;
}

const mostAtOnce = { usual: 4, highest: 64 };

/** Returns undefined without --exec. Throws a usage failure for options that can't be used. */
export function execQueue(
  cmd: CommandContext,
  { exec: line, execMax }: ExecFlags,
): CommandQueue<Row> | undefined {
  if (line === undefined) {
    if (execMax !== undefined) throw usage('--exec-max requires --exec.');
    return undefined;
  }
  if (line.trim() === '') throw usage('--exec must not be empty.');
  const { context, messages } = cmd;
  const { startShell } = context;
  if (!startShell) throw usage('--exec is not available here.');
  const most =
    execMax === undefined
      ? mostAtOnce.usual
      : wholeNumber('--exec-max', execMax, 1, mostAtOnce.highest);
  return openCommandQueue<Row>({
    most,
    clock: context.clock ?? realClock,
    start: (row) => startShell(line, `${toJson(row)}\n`),
    onEnded: (row, outcome) => {
      const failure = failureOf(outcome);
      if (failure === undefined) return;
      messages.say(`warning: The command for ${nameOf(row)} ${failure}.`);
      cmd.endWith(exitCodes.incomplete);
    },
  });
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

/** Yields the same pages, and queues each row that is shown. */
export async function* queued(
  pages: Pages<Row>,
  queue: CommandQueue<Row>,
  limit = Number.POSITIVE_INFINITY,
): Pages<Row> {
  let rows = 0;
  for await (const page of pages) {
    queue.add(page.rows.slice(0, limit - rows));
    rows += page.rows.length;
    yield page;
  }
}

/** Waits for the commands, or ends them if the person has stopped the watch. */
export async function finish(
  { context, messages }: CommandContext,
  queue: CommandQueue<Row>,
): Promise<void> {
  const stopped = new Promise<void>((done) => {
    if (context.signal.aborted) done();
    context.signal.addEventListener('abort', () => done(), { once: true });
  });
  await Promise.race([queue.drain(), stopped]);
  if (!context.signal.aborted) return;
  if (queue.running > 0) {
    const what = queue.running === 1 ? 'the running command' : `${queue.running} running commands`;
    messages.say(`Waiting up to 5 seconds for ${what}. Press Ctrl-C again to end at once.`);
  }
  const left = await queue.stop();
  if (left.length === 0) return;
  messages.say(`warning: The command was not run for ${left.map(nameOf).join(', ')}.`);
}
