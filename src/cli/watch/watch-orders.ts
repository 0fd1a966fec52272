/** Running `cb orders watch`. */
import { realClock } from '../../api/clock.ts';
import { dayIn, serviceZone } from '../../dates/pacific.ts';
import type { Operation } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { AllFlags } from '../endpoint-command.ts';
import { argumentsFrom } from '../endpoint-read.ts';
import { usage } from '../failure.ts';
import { nowFor } from '../service-clock.ts';
import { withApi } from '../session.ts';
import type { Shell } from '../shell.ts';
import { showPages } from '../show.ts';
import { readShowFlags, type Showing } from '../show-flags.ts';
import { requireShowable } from '../showable.ts';
import type { Pages } from '../shown-pages.ts';
import { wholeNumber } from '../whole-number.ts';
import { newRows, type Watching } from './new-rows.ts';

const second = 1000;
const hour = 3_600_000;

export type WatchFlags = AllFlags & { readonly every?: string; readonly today?: boolean };

/** Shows new orders until it is stopped; `list` is the operation for whatever days. */
export async function watchOrders(shell: Shell, list: Operation, flags: WatchFlags): Promise<void> {
  const showing = readShowFlags(shell, flags);
  requireEndless(showing);
  await requireShowable(showing, orders.list.returns.resource);
  const every = wholeNumber('--every', flags.every ?? '30', 1, 86_400) * second;
  const { args, notes } = await argumentsFrom(shell, list, flags);
  for (const note of notes) shell.messages.say(`note: ${note}`);
  await withApi(shell, {}, async (api) => {
    const watching: Watching = {
      api,
      operation: orders.list,
      count: orders.count,
      args,
      every,
      withToday: flags.today ?? false,
      clock: realClock,
      signal: shell.context.signal,
      days: () => daysNow(shell),
      ...tellingOf(shell),
    };
    await showPages(shell, showing, { resource: orders.list.returns.resource }, pagesOf(watching));
  });
}

/** A document that is whole only at its end would never come. */
function requireEndless({ format }: Showing): void {
  if (format === 'table' || format === 'csv' || format === 'tsv' || format === 'ndjson') return;
  throw usage(`a list without an end can't be ${format}`, { hint: '-o ndjson is for programs' });
}

async function daysNow(shell: Shell): Promise<{ first: string; last: string }> {
  const now = await nowFor(shell);
  return {
    first: dayIn(serviceZone, new Date(now.getTime() - hour)),
    last: dayIn(serviceZone, now),
  };
}

function tellingOf({ messages }: Shell): Pick<Watching, 'onBegun' | 'onTrouble' | 'onRecovered'> {
  return {
    onBegun: (rows) =>
      messages.tell(`${rows} orders so far today; waiting for new ones, Ctrl-C ends`),
    onTrouble: ({ message }) => messages.say(`no new orders can be seen: ${message}; still trying`),
    onRecovered: () => messages.say('the service answers again'),
  };
}

async function* pagesOf(watching: Watching): Pages {
  let number = 0;
  for await (const rows of newRows(watching)) {
    number += 1;
    yield { number, more: true, rows, totals: [] };
  }
}
