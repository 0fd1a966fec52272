/** `cb ins resend` and `cb ins reconcile`: deliver events again, and reconstruct those that never arrived. */

import { isWithin, zonedPeriods } from '../../../client/zoned-period.ts';
import { countOf } from '../../../decimals/decimals.ts';
import { orders } from '../../../operations/orders.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { numbered, onePage } from '../../../output/stream.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { showPages } from '../../../shell/display/show.ts';
import { exitCodes, Failure, usage } from '../../../shell/failure.ts';
import { type Typed, wholeNumber } from '../../../shell/options/flags.ts';
import { type OutputOptions, requireShowable } from '../../../shell/options/show-flags.ts';
import { nowFor, withApi } from '../../../shell/session/session.ts';
import { timeZoneOf } from '../../../shell/terminal/zone.ts';
import { argumentsFrom } from '../../mirror/arguments.ts';
import { compare, type Difference, isCompared, reconstructedEvent } from '../compare.ts';
import type { DeliveryResult } from '../deliverer.ts';
import type { OrderRow } from '../sample-event.ts';
import { knownSecrets } from '../secret-commands.ts';
import {
  type DestinationFlags,
  destinationsOfJournal,
  type NamedDestination,
} from './destinations.ts';
import {
  amountValue,
  differenceResource,
  type EventFilterFlags,
  eventFilterFrom,
  reconciledOrders,
  resentResource,
} from './event-rows.ts';
import type { Journal } from './journal.ts';
import {
  deliveriesOf,
  eventContent,
  eventEntry,
  eventIds,
  eventsBetween,
} from './journal-queries.ts';
import { withJournal } from './own-journal.ts';

/** Milliseconds for which a running listener leaves an event to this command. */
const lease = 60_000;

export async function resend(
  cmd: CommandContext,
  flags: DestinationFlags & Pick<EventFilterFlags, 'undelivered' | 'failed' | 'since'>,
  output: OutputOptions,
  typed: readonly string[],
): Promise<void> {
  requireShowable(output, resentResource);
  const named = typed.map((id) => wholeNumber('<id>', id, 1));
  const isFiltered = [flags.undelivered, flags.failed, flags.since].some(
    (flag) => flag !== undefined,
  );
  if (named.length === 0 && !isFiltered) {
    throw usage('The events to resend are missing.', {
      hint: 'Name their IDs, or use --undelivered, --failed or --since.',
      next: 'cb ins list',
    });
  }
  if (named.length > 0 && isFiltered) {
    throw usage('Both IDs and filters were given.', {
      hint: 'Use IDs, or --undelivered, --failed and --since.',
    });
  }
  const filter = await eventFilterFrom(cmd, flags);
  await withJournal(cmd, async (journal) => {
    const { database } = journal;
    const unknown = named.find((id) => eventEntry(database, id) === undefined);
    if (unknown !== undefined) {
      throw new Failure(exitCodes.refused, `There is no event ${unknown} in the journal.`, {
        next: 'cb ins list',
      });
    }
    const ids = named.length > 0 ? [...new Set(named)] : eventIds(database, filter);
    const destinations = await destinationsOfJournal(cmd, flags, journal);
    const failed = new Set<number>();
    let sent = 0;
    /** One attempt for each event, in their order; a running listener tries again what fails. */
    async function* results() {
      for (const id of ids) {
        cmd.context.signal.throwIfAborted();
        const rows: Row[] = [];
        const isPart = flags.undelivered || flags.failed;
        for (const to of isPart ? withoutEvent(journal, id, destinations) : destinations) {
          const { isDone, text: result } = await sendNow(cmd, journal, id, to);
          if (!isDone) failed.add(id);
          const { type = '', receipt = '' } = eventEntry(database, id) ?? {};
          rows.push({ id, type, receipt, destination: to.label, result });
        }
        if (rows.length === 0) continue;
        sent += 1;
        yield rows;
      }
    }
    const pages = numbered(results());
    await showPages(cmd, output, { resource: resentResource }, pages, { isLive: true });
    cmd.messages.say(`Sent ${countOf(sent, 'event')}; ${sent - failed.size} arrived.`);
    if (failed.size > 0) cmd.endWith(exitCodes.incomplete);
  });
}

/** The destinations that do not have an event yet. */
function withoutEvent(
  { database }: Journal,
  id: number,
  destinations: readonly NamedDestination[],
): readonly NamedDestination[] {
  const done = deliveriesOf(database, id).filter(({ state }) => state === 'done');
  return destinations.filter((to) => !done.some(({ kind }) => kind === to.kind));
}

/** Delivers an event once and records the result. A failed delivery is due again after a minute. */
async function sendNow(
  { context }: CommandContext,
  journal: Journal,
  id: number,
  { kind, destination }: NamedDestination,
) {
  const now = () => context.now().getTime();
  await journal.reopen(id, kind, now() + lease);
  const content = eventContent(journal.database, id) ?? { text: '', body: null, receivedAt: 0 };
  const result = await destination(content, context.signal);
  const dueAt = result.isDone ? undefined : now() + lease;
  await journal.record(id, kind, { at: now(), result: result.text, isDone: result.isDone, dueAt });
  return result;
}

/** Milliseconds in which ClickBank makes five attempts, four hours apart, and a little more. */
const lateness = 17 * 3_600_000;

export async function reconcile(
  cmd: CommandContext,
  flags: DestinationFlags & Typed & { readonly replayMissing?: boolean },
  output: OutputOptions,
): Promise<void> {
  requireShowable(output, differenceResource);
  if (!flags.replayMissing && (flags.forwardTo || flags.forward || flags.exec))
    throw usage('--forward-to, --forward and --exec require --replay-missing.');
  if (flags.replayMissing && output.limit !== undefined) {
    const hint = '--replay-missing sends all missing events. To send fewer, use a shorter period.';
    throw usage('--replay-missing and --limit were both given.', { hint });
  }
  const isDated = ['period', 'startDate', 'endDate'].some((name) => flags[name] !== undefined);
  const typed = isDated ? flags : { ...flags, period: 'last-7-days' };
  const { args: asked } = await argumentsFrom(cmd, reconciledOrders, typed);
  const { ranges, ...zoned } = zonedPeriods(reconciledOrders, asked, timeZoneOf(cmd).name);
  const args: Args = zoned.args;
  const isIn = (row: object, at: string) => ranges.every((one) => isWithin(row, { ...one, at }));
  await withJournal(cmd, async (journal) => {
    const destinations = flags.replayMissing
      ? await destinationsOfJournal(cmd, flags, journal)
      : [];
    const read = await readRows(cmd, args);
    const rows = read.filter((row) => isIn(row, 'transactionTime'));
    const now = (await nowFor(cmd)).getTime();
    const { database } = journal;
    const isOwn = vendorTest(args.vendor);
    const events = eventsBetween(database, args.startDate ?? '', args.endDate ?? '').filter(
      (event) =>
        event.role !== 'AFFILIATE' && isOwn(event.vendor ?? '') && isIn(event, 'eventTime'),
    );
    if (args.vendor !== undefined && rows.length + events.length === 0) {
      cmd.messages.say(`note: The period has no order and no event of ${args.vendor}.`);
    }
    const isLate = ({ transactionTime }: OrderRow) =>
      now - Date.parse(String(transactionTime)) < lateness;
    const found = compare(rows, database, events, isLate);
    const results = flags.replayMissing
      ? await replay(cmd, journal, found, destinations)
      : new Map<Difference, DeliveryResult>();
    const shown = found.map((one): Row => {
      const { row: _, ...rest } = one;
      const [amount, eventAmount] = [amountValue(one.amount), amountValue(one.eventAmount)];
      return { ...rest, amount, eventAmount, replay: results.get(one)?.text ?? null };
    });
    await showPages(cmd, output, { resource: differenceResource }, onePage(shown));
    tell(cmd, journal, rows, found, results);
    const isOpen = (one: Difference) => one.problem !== 'late' && !results.get(one)?.isDone;
    if (found.some(isOpen)) cmd.endWith(exitCodes.incomplete);
  });
}

type Args = Awaited<ReturnType<typeof argumentsFrom>>['args'] & {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly vendor?: string;
};

/** Only own sales, because an affiliate's receiver gets no notifications about products of other vendors. */
async function readRows(cmd: CommandContext, args: Args): Promise<readonly OrderRow[]> {
  return withApi(cmd, {}, async (client) => {
    const rows: OrderRow[] = [];
    const pages = client.pages(orders.list, { ...args, role: 'VENDOR' });
    for await (const page of pages) rows.push(...(page.rows as readonly OrderRow[]));
    return rows.toReversed();
  });
}

/** `%` stands for any text, as in the list of orders. */
function vendorTest(vendor: string | undefined): (name: string) => boolean {
  if (vendor === undefined) return () => true;
  const parts = vendor.split('%').map((part) => part.replaceAll(/[^\w]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`, 'i');
  return (name) => pattern.test(name);
}

/** In the order of the transactions, so that a sale comes before its refund. */
async function replay(
  cmd: CommandContext,
  journal: Journal,
  found: readonly Difference[],
  destinations: readonly NamedDestination[],
): Promise<ReadonlyMap<Difference, DeliveryResult>> {
  const results = new Map<Difference, DeliveryResult>();
  const replayable = found.filter(isReplayable);
  if (replayable.length === 0) return results;
  const [secret] = await knownSecrets(cmd).catch(() => []);
  const ordered = replayable.toSorted(
    (one, other) => Date.parse(one.time) - Date.parse(other.time),
  );
  const kinds = destinations.map(({ kind }) => kind);
  for (const difference of ordered) {
    cmd.context.signal.throwIfAborted();
    let id = difference.eventId;
    if (id === null) {
      const now = cmd.context.now();
      const event = reconstructedEvent(difference.row ?? {}, now, secret?.secret);
      // With its deliveries, so that the next run knows what is left if this one is killed.
      const accepted = await journal.accept(event, { kinds, dueAt: now.getTime() + lease });
      if (accepted.isDuplicate) {
        results.set(difference, { isDone: true, text: 'came meanwhile' });
        continue;
      }
      id = accepted.id;
    }
    const sent: DeliveryResult[] = [];
    for (const to of withoutEvent(journal, id, destinations)) {
      sent.push(await sendNow(cmd, journal, id, to));
    }
    results.set(difference, {
      isDone: sent.length > 0 && sent.every(({ isDone }) => isDone),
      text: sent.map(({ text }) => text).join(', '),
    });
  }
  return results;
}

function isReplayable({ problem, row }: Difference): boolean {
  return (problem === 'missing' || problem === 'undelivered') && row !== undefined;
}

const words = [
  ['missing', 'missing'],
  ['undelivered', 'not delivered'],
  ['amount', 'with another amount'],
  ['double', 'double'],
  ['no order', 'without an order'],
  ['late', 'late'],
] as const;

function tell(
  { messages }: CommandContext,
  { database }: Journal,
  rows: readonly OrderRow[],
  found: readonly Difference[],
  results: ReadonlyMap<Difference, DeliveryResult>,
): void {
  const counts = words.flatMap(([problem, text]) => {
    const { length } = found.filter((one) => one.problem === problem);
    return length > 0 ? [`${length} ${text}`] : [];
  });
  const result = counts.length > 0 ? `${counts.join(', ')}.` : 'No differences.';
  const { length } = rows.filter(({ transactionType }) => isCompared(transactionType));
  messages.say(`Compared ${length} transactions with the journal. ${result}`);
  if (results.size > 0) {
    const arrived = [...results.values()].filter(({ isDone }) => isDone).length;
    messages.say(`Sent ${results.size} reconstructed events; ${arrived} arrived.`);
  } else if (found.some(isReplayable)) {
    messages.say('To reconstruct and forward the events that never arrived, add --replay-missing.');
  }
  const failed = eventIds(database, { isUndelivered: true }).length;
  if (failed > 0) {
    messages.say(`note: ${failed} events did not arrive. See cb ins list --undelivered.`);
  }
}
