/** `cb orders watch`: reads the last days of the list repeatedly, and shows new orders. */
import { realClock } from '../../client/clock.ts';
import { ApiError } from '../../client/errors.ts';
import { keyOf } from '../../client/paging/pages.ts';
import { isWithin } from '../../client/zoned-period.ts';
import { dayIn, serviceZone } from '../../dates/pacific.ts';
import { zonedDays } from '../../dates/zoned-days.ts';
import type { Operation } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { Pages } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { showPages } from '../../shell/display/show.ts';
import { printable } from '../../shell/display/texts.ts';
import type { Typed } from '../../shell/options/flags.ts';
import { type OutputOptions, requireShowable } from '../../shell/options/show-flags.ts';
import { durationFrom } from '../../shell/options/values.ts';
import { nowFor } from '../../shell/session/service-clock.ts';
import { withApi } from '../../shell/session/session.ts';
import { timeZoneOf } from '../../shell/terminal/zone.ts';
import { argumentsFrom } from '../mirror/arguments.ts';
import { orderView } from '../mirror/order-view.ts';
import { type ExecFlags, openCommandQueue } from './exec.ts';

type WatchFlags = Typed & ExecFlags & { readonly every?: string; readonly today?: boolean };

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
  const { args, notes } = await argumentsFrom(cmd, filters, flags);
  for (const note of notes) messages.say(`note: ${note}`);
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
      const today = { at: 'transactionTime', start, end: Infinity };
      const existing = zone === serviceZone ? fresh : fresh.filter((row) => isWithin(row, today));
      messages.tell(
        `${existing.length} orders so far today. Waiting for new orders. Press Ctrl-C to stop.`,
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
