/** `cb orders watch`: shows new orders as they arrive. */
import { realClock } from '../../../client/clock.ts';
import { dayIn, serviceZone } from '../../../dates/pacific.ts';
import { zonedDays } from '../../../dates/zoned-days.ts';
import { orders } from '../../../operations/orders.ts';
import type { Row, Value } from '../../../output/rows/rows.ts';
import type { Pages } from '../../../output/stream.ts';
import { showPages } from '../../display/show.ts';
import { printable } from '../../display/texts.ts';
import { shapeOfView } from '../../display/view.ts';
import { argumentsFrom } from '../../endpoint/arguments.ts';
import type { AllFlags } from '../../endpoint/endpoint-command.ts';
import { type OutputOptions, requireShowable } from '../../flags/show-flags.ts';
import { durationFrom } from '../../flags/values.ts';
import { requestOptions } from '../../help/help-text.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { command } from '../../runtime/define.ts';
import { withApi } from '../../session/session.ts';
import { timeZoneOf } from '../../terminal/zone.ts';
import { type ExecFlags, execQueue, finish, queued } from '../../watch/exec.ts';
import { orderView } from './order-view.ts';

type WatchFlags = AllFlags & ExecFlags & { readonly every?: string; readonly today?: boolean };

const { check: _, ...list } = orders.list;
const { startDate: _first, endDate: _last, ...params } = list.params;
const withoutDays = { ...list, params };

export const watch = command({
  words: 'orders watch',
  summary: 'Show new orders as they arrive',
  parameters: [withoutDays],
  options: {
    every: ['--every <time>', 'Time between checks (default: 30s)'],
    today: ['--today', 'Start with the orders of today'],
    exec: ['--exec <command>', 'Run a command for each new order (JSON on its stdin)'],
    execMax: ['--exec-max <n>', 'Maximum number of commands at a time (default: 4)'],
  },
  shows: { rows: true, endless: true, live: true, shape: () => shapeOfView(orderView) },
  help: {
    asks: true,
    notes: [
      'Runs until you press Ctrl-C. After a connection failure it continues and shows the orders it missed. With --every 30 it sends about 2,900 requests a day, of the 25,000 that ClickBank allows. What the command of --exec prints goes to stderr; if it fails, cb warns and continues.',
    ],
    examples: [
      'cb orders watch --today --limit 3',
      'cb orders watch --type SALE -o ndjson --limit 1 --today',
      "cb orders watch --today --limit 1 --exec 'cat >> orders.ndjson'",
    ],
    roles: orders.list.roles,
    obeys: requestOptions,
    topics: ['output', 'credentials', 'exit-codes'],
  },
  run: watchOrders,
});

const intervals = { bare: 's', least: 1000, most: 86_400_000, examples: '30s or 2m' } as const;

/** Shows new orders until the command is stopped. */
async function watchOrders(
  cmd: CommandContext,
  flags: WatchFlags,
  output: OutputOptions,
): Promise<void> {
  const { messages, context } = cmd;
  const { resource } = orders.list.returns;
  await requireShowable(output, resource);
  const queue = execQueue(cmd, flags);
  const interval = durationFrom('--every', flags.every ?? '30s', intervals);
  const { args, notes } = await argumentsFrom(cmd, withoutDays, flags);
  for (const note of notes) messages.say(`note: ${note}`);
  const zone = timeZoneOf(cmd).name;
  const { watchRows } = await import('../../../workflows/watch/watch-rows.ts');
  await withApi(cmd, {}, async (client) => {
    const { start } = await daysNow(cmd, zone);
    const today = { at: 'transactionTime', start, end: Infinity };
    const looks = watchRows({
      ...{ client, args, list: orders.list },
      interval,
      includeExisting: flags.today ?? false,
      existing: zone === serviceZone ? undefined : today,
      clock: context.clock ?? realClock,
      signal: context.signal,
      days: () => daysNow(cmd, zone),
      onStarted: (rows) =>
        messages.tell(`${rows} orders so far today. Waiting for new orders. Press Ctrl-C to stop.`),
      onError: ({ message }) =>
        messages.say(`warning: Can't check for new orders; retrying. ${message}`),
      onRecovered: () => messages.say('ClickBank is responding again.'),
    });
    const pages = pagesOf(looks);
    const shown = queue ? queued(pages, queue, output.limit) : pages;
    try {
      await showPages(cmd, output, orderView, shown, { isLive: true });
    } finally {
      if (queue) await finish(cmd, queue);
    }
  });
}

const hour = 3_600_000;

/** Returns the Pacific days of today in the zone and of the last hour, and the moment at which today began. */
async function daysNow(cmd: CommandContext, zone: string) {
  const { nowFor } = await import('../../session/service-clock.ts');
  const now = await nowFor(cmd);
  const today = dayIn(zone, now);
  const { first, start } = zonedDays({ first: today, last: today }, zone);
  const hourAgo = dayIn(serviceZone, new Date(now.getTime() - hour));
  const [earliest = first] = [first, hourAgo].sort();
  return { first: earliest, last: dayIn(serviceZone, now), start };
}

async function* pagesOf(looks: AsyncIterable<readonly unknown[]>): Pages<Row> {
  let number = 0;
  for await (const found of looks) {
    number += 1;
    const rows = printable(orders.list, found as Value) as readonly Row[];
    yield { number, more: true, rows, totals: [] };
  }
}
