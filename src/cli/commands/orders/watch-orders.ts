/** Running `cb orders watch`. */
import { realClock } from '../../../client/clock.ts';
import { dayIn, serviceZone } from '../../../dates/pacific.ts';
import type { Operation } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import { type WatchOptions, watchRows } from '../../../workflows/watch/watch-rows.ts';
import { showPages } from '../../display/show.ts';
import { requireShowable } from '../../display/showable.ts';
import type { Pages } from '../../display/shown-pages.ts';
import { argumentsFrom } from '../../endpoint/arguments.ts';
import type { AllFlags } from '../../endpoint/endpoint-command.ts';
import { type OutputOptions, readShowFlags } from '../../flags/show-flags.ts';
import { wholeNumber } from '../../flags/whole-number.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { usage } from '../../runtime/failure.ts';
import { nowFor } from '../../session/service-clock.ts';
import { withApi } from '../../session/session.ts';

const hour = 3_600_000;

export type WatchFlags = AllFlags & { readonly every?: string; readonly today?: boolean };

/** Shows new orders until it is stopped; `list` is the operation without its days. */
export async function watchOrders(
  cmd: CommandContext,
  list: Operation,
  flags: WatchFlags,
): Promise<void> {
  const { messages, context } = cmd;
  const { resource } = orders.list.returns;
  const output = readShowFlags(cmd, flags);
  requireEndless(output);
  requireShowable(output, resource);
  const seconds = wholeNumber('--every', flags.every ?? '30', 1, 86_400);
  const { args, notes } = await argumentsFrom(cmd, list, flags);
  for (const note of notes) messages.say(`note: ${note}`);
  await withApi(cmd, {}, async (client) => {
    const options: WatchOptions = {
      ...{ client, args, list: orders.list, count: orders.count },
      interval: seconds * 1000,
      includeExisting: flags.today ?? false,
      clock: context.clock ?? realClock,
      signal: context.signal,
      days: () => daysNow(cmd),
      onStarted: (rows) =>
        messages.tell(`${rows} orders so far today; waiting for new ones, Ctrl-C ends`),
      onError: ({ message }) => messages.say(`no new orders can be seen: ${message}; still trying`),
      onRecovered: () => messages.say('the service answers again'),
    };
    await showPages(cmd, output, { resource }, pagesOf(options));
  });
}

/** A document that is whole only at its end would never come. */
function requireEndless({ format }: OutputOptions): void {
  if (format === 'table' || format === 'csv' || format === 'tsv' || format === 'ndjson') return;
  throw usage(`a list without an end can't be ${format}`, { hint: '-o ndjson is for programs' });
}

async function daysNow(cmd: CommandContext): Promise<{ first: string; last: string }> {
  const now = await nowFor(cmd);
  const hourAgo = new Date(now.getTime() - hour);
  return { first: dayIn(serviceZone, hourAgo), last: dayIn(serviceZone, now) };
}

async function* pagesOf(options: WatchOptions): Pages {
  let number = 0;
  for await (const rows of watchRows(options)) {
    number += 1;
    yield { number, more: true, rows, totals: [] };
  }
}
