/** `cb orders watch`: reads the last days of the list repeatedly, shows new orders, and runs the command of --exec for each. */
import { once } from 'node:events';
import { realClock, within } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { keyOf } from '../../client/paging/pages.ts';
import { reasonOf } from '../../client/workflow-error.ts';
import { dayIn, serviceZone } from '../../dates/day.ts';
import { zonedDays } from '../../dates/zoned-days.ts';
import { countOf } from '../../decimals/decimals.ts';
import type { Operation } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { type Row, toJson, type Value } from '../../output/rows/rows.ts';
import type { Pages } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/context.ts';
import { showPages } from '../../shell/display/show.ts';
import { printable } from '../../shell/display/texts.ts';
import { exitCodes, usage } from '../../shell/failure.ts';
import { type Typed, wholeNumber } from '../../shell/options/flags.ts';
import { type OutputOptions, requireShowable } from '../../shell/options/show-flags.ts';
import { durationFrom } from '../../shell/options/values.ts';
import { nowFor, withApi } from '../../shell/session/session.ts';
import { timeZoneOf } from '../../shell/terminal/zone.ts';
import { argumentsFrom } from '../mirror/arguments.ts';
import { orderView } from '../mirror/order-view.ts';
import type { Outcome, RunningCommand } from './shell-command.ts';

interface WatchFlags extends Typed {
  readonly every?: string;
  readonly today?: boolean;
  readonly exec?: string;
  readonly execMax?: string;
}

const intervals = { bare: 's', least: 1000, most: 86_400_000, examples: '30s or 2m' } as const;

/** All pages are read on every tenth check, since a new row may appear after known ones. */
const fullCheckEvery = 10;

/** Shows new orders until the command is stopped. `filters` is the list without its days. */
export async function watchOrders(
  cmd: CommandContext,
  filters: Operation,
  flags: WatchFlags,
  output: OutputOptions,
): Promise<void> {
  const { messages, context } = cmd;
  const { clock = realClock, signal } = context;
  await requireShowable(output, orders.list.returns.resource);
  const queue = openCommandQueue(cmd, flags);
  const interval = durationFrom('--every', flags.every ?? '30s', intervals);
  const { args } = await argumentsFrom(cmd, filters, flags);
  const zone = timeZoneOf(cmd).name;
  const { limit = Number.POSITIVE_INFINITY } = output;

  await withApi(cmd, {}, async (client) => {
    let checks = 0;
    let from: string | undefined;
    let known: ReadonlySet<string> = new Set();
    /** Returns the new orders, oldest first. Reads until a page has none, unless all pages are read. */
    const check = async (): Promise<readonly unknown[]> => {
      const { start, ...days } = await daysNow(cmd, zone);
      const isFirst = from === undefined;
      const isNewDay = days.startDate !== from;
      const isWhole = isNewDay || checks % fullCheckEvery === 0;
      checks += 1;
      const keys = new Set<string>();
      const fresh: unknown[] = [];
      // No prefetching: the next page is needed only if this one has new rows.
      const options = isWhole ? { signal } : { signal, expectedRows: 0 };
      for await (const { rows } of client.pages(orders.list, { ...args, ...days }, options)) {
        const before = fresh.length;
        for (const row of rows) {
          const key = keyOf(row, orders.list.returns.key);
          if (!known.has(key) && !keys.has(key)) fresh.push(row);
          keys.add(key);
        }
        if (!isWhole && fresh.length === before) break;
      }
      // Keys of days that are no longer requested are forgotten.
      known = isNewDay ? keys : new Set([...known, ...keys]);
      from = days.startDate;
      if (!isFirst) return fresh.toReversed();
      const existing = fresh.filter((row) => !isBefore(row as Row, start));
      messages.tell(
        `${countOf(existing.length, 'order')} so far today. Waiting for new orders. Press Ctrl-C to stop.`,
      );
      return flags.today ? existing.toReversed() : [];
    };
    /** The pages end only by an error: the reason of the signal, or a permanent one, such as for a revoked key. */
    const pages = async function* (): Pages<Row> {
      let isFailing = false;
      let shown = 0;
      for (let number = 1, found = await check(); ; number += 1) {
        const rows = printable(orders.list, found as Value) as readonly Row[];
        queue?.add(rows.slice(0, limit - shown));
        shown += rows.length;
        if (rows.length > 0) yield { number, more: true, rows, totals: [] };
        found = [];
        await clock.sleep(interval, signal);
        try {
          found = await check();
          if (isFailing) messages.say('ClickBank is responding again.');
          isFailing = false;
        } catch (error) {
          // Also what lasted longer than the client retries: who watches wants to see what comes afterwards.
          const mayPass = ['network', 'failed', 'rate-limit'];
          if (!(error instanceof ApiError) || !mayPass.includes(error.kind)) throw error;
          if (!isFailing) {
            messages.say(`warning: Can't check for new orders; retrying. ${error.message}`);
          }
          isFailing = true;
        }
      }
    };
    try {
      await showPages(cmd, output, orderView, pages(), { isLive: true });
    } finally {
      await queue?.finish();
    }
  });
}

function isBefore({ transactionTime }: Row, start: number): boolean {
  return Date.parse(String(transactionTime)) / 1000 < start;
}

const hour = 3_600_000;

/**
 * Returns the Pacific days of today in the zone and of the last hour, since some rows arrive late, and the moment at
 * which today began.
 */
async function daysNow(cmd: CommandContext, zone: string) {
  const now = await nowFor(cmd);
  const today = dayIn(zone, now);
  const { first, start } = zonedDays({ first: today, last: today }, zone);
  const hourAgo = dayIn(serviceZone, new Date(now.getTime() - hour));
  const [startDate = first] = [first, hourAgo].sort();
  return { startDate, endDate: dayIn(serviceZone, now), start };
}

/** Milliseconds for commands to finish by themselves, and then to react to SIGTERM. */
const patience = { finish: 5000, react: 2000 };

/**
 * `--exec` runs a command for each new order, several at a time, and reports how each ended. Returns undefined without it.
 * Throws a usage failure for options that can't be used.
 */
function openCommandQueue(cmd: CommandContext, { exec: line, execMax }: WatchFlags) {
  if (line === undefined) {
    if (execMax !== undefined) throw usage('--exec-max requires --exec.');
    return undefined;
  }
  if (line.trim() === '') throw usage('--exec must not be empty.');
  const { messages } = cmd;
  const { startShell, signal, clock = realClock } = cmd.context;
  if (!startShell) throw usage('--exec is not available here.');
  const most = wholeNumber('--exec-max', execMax ?? '4', 1, 64);
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
    return true;
  };
  const endAll = async () => {
    if (await within(clock, patience.finish, drain)) return;
    for (const command of commands) command.kill('SIGTERM');
    if (await within(clock, patience.react, drain)) return;
    for (const command of commands) command.kill('SIGKILL');
    await drain();
  };
  return {
    /** Starts commands for the rows in their order, as many as may run at a time. */
    add(rows: readonly Row[]) {
      waiting.push(...rows);
      fill();
    },
    /** Waits for all commands, or ends them if the person has stopped the watch. */
    async finish() {
      if (!signal.aborted) await Promise.race([drain(), once(signal, 'abort')]);
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
  return outcome.code === 0 ? undefined : `failed with exit code ${outcome.code}`;
}

function nameOf({ receipt }: Row): string {
  return String(receipt ?? 'an order');
}
