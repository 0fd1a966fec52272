/** The rows that commands show of the journal, and what they ask for. */
import { LosslessNumber } from 'lossless-json';
import { pacificTime } from '../../../dates/day.ts';
import { dayForms } from '../../../dates/words.ts';
import { zonedDays } from '../../../dates/zoned-days.ts';
import { orders } from '../../../operations/orders.ts';
import {
  alike,
  boolean,
  decimal,
  headed,
  integer,
  many,
  naming,
  nillable,
  object,
  resource,
  text,
  texts,
  time,
} from '../../../operations/resource.ts';
import type { Row, Value } from '../../../output/rows/rows.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { usage } from '../../../shell/failure.ts';
import { sinceDay } from '../../../shell/options/findings.ts';
import { nearest } from '../../../shell/options/nearest.ts';
import { todayOf } from '../../../shell/session/session.ts';
import { timeZoneOf } from '../../../shell/terminal/zone.ts';
import type { Database } from '../../../storage/sqlite.ts';
import { searchPeriod } from '../../find/find-command.ts';
import { parseEvent } from '../event-text.ts';
import { type EventType, eventTypeNames } from '../event-types.ts';
import {
  deliveriesOf,
  type EventEntry,
  type EventFilter,
  eventContent,
  eventPages,
  stateOf,
} from './journal-queries.ts';

const address = resource(
  'address',
  [],
  alike(text, 'address1', 'address2', 'city', 'county', 'state', 'postalCode', 'country'),
);

const contact = resource('contact', ['fullName', 'email'], {
  ...alike(text, 'firstName', 'lastName', 'fullName', 'email', 'phoneNumber'),
  address: object(address),
});

export const eventResource = resource(
  'event',
  ['transactionTime', 'transactionType', 'receipt', 'totalOrderAmount', 'currency', 'vendor'],
  {
    transactionTime: headed('Time', text),
    receipt: naming('receipt', text),
    transactionType: headed('Type', text),
    ...alike(text, 'vendor', 'affiliate', 'role'),
    totalAccountAmount: headed('You earn', decimal),
    paymentMethod: text,
    totalOrderAmount: headed('Amount', decimal),
    ...alike(decimal, 'totalTaxAmount', 'totalShippingAmount'),
    ...alike(text, 'currency', 'orderLanguage'),
    trackingCodes: texts,
    lineItems: texts,
    customer: object(
      resource('customer', [], { shipping: object(contact), billing: object(contact) }),
    ),
    hopfeedClickId: text,
    version: integer,
    attemptCount: integer,
  },
  { noun: 'event' },
);

const common = {
  id: integer,
  receivedAt: headed('Received', time),
  type: text,
  receipt: naming('receipt', text),
  amount: nillable(decimal),
  ...alike(nillable(text), 'currency', 'vendor'),
};

/** What `cb ins listen` prints of each event. */
export const receivedResource = resource(
  'event',
  ['receivedAt', 'id', 'type', 'receipt', 'amount', 'currency', 'isDuplicate'],
  { ...common, isDuplicate: headed('Duplicate', boolean), event: object(eventResource) },
  { noun: 'event' },
);

const deliveryResource = resource('delivery', ['kind', 'state', 'attempts', 'result'], {
  kind: text,
  state: text,
  attempts: integer,
  result: nillable(text),
  ...alike(nillable(time), 'lastAttempt', 'nextAttempt'),
});

export const journalResource = resource(
  'event',
  ['receivedAt', 'id', 'type', 'receipt', 'amount', 'currency', 'state', 'result'],
  {
    ...common,
    transactionTime: nillable(text),
    state: text,
    result: headed('Last result', nillable(text)),
    copies: integer,
    isReconstructed: headed('Reconstructed', boolean),
    duplicateOf: nillable(integer),
    deliveries: many(deliveryResource),
    event: object(eventResource),
  },
  { noun: 'event' },
);

export const resentResource = resource(
  'event',
  ['id', 'type', 'receipt', 'destination', 'result'],
  {
    id: integer,
    ...alike(text, 'type', 'receipt', 'destination', 'result'),
  },
);

export const differenceResource = resource(
  'difference',
  ['problem', 'type', 'receipt', 'time', 'amount', 'eventAmount', 'eventId', 'replay'],
  {
    ...alike(text, 'problem', 'type'),
    receipt: naming('receipt', text),
    time: text,
    amount: headed('Order amount', nillable(decimal)),
    eventAmount: headed('Event amount', nillable(decimal)),
    eventId: headed('Event', nillable(integer)),
    replay: nillable(text),
  },
  { noun: 'difference' },
);

/** Milliseconds since 1970 as Pacific time. */
export function timeText(milliseconds: number): string {
  return pacificTime(Math.floor(milliseconds / 1000));
}

/** Numbers keep their digits; what is not a number stays text. */
export function amountValue(amount: string | null): Value {
  const isNumber = amount !== null && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(amount);
  return isNumber ? new LosslessNumber(amount) : amount;
}

export function* journalRowPages(database: Database, filter: EventFilter): Generator<Row[]> {
  for (const page of eventPages(database, filter)) {
    yield page.map((entry) => journalRow(database, entry));
  }
}

function journalRow(database: Database, entry: EventEntry): Row {
  const deliveries = deliveriesOf(database, entry.id);
  const { eventTime, isReconstructed, receivedAt, amount, ...rest } = entry;
  return {
    ...rest,
    amount: amountValue(amount),
    receivedAt: timeText(receivedAt),
    transactionTime: eventTime === '' ? null : eventTime,
    isReconstructed: isReconstructed === 1,
    state: stateOf(deliveries),
    result:
      deliveries.find(({ state }) => state !== 'done')?.result ?? deliveries[0]?.result ?? null,
    deliveries: deliveries.map(({ kind, state, attempts, result, lastAt, dueAt }) => ({
      ...{ kind, state, attempts, result },
      lastAttempt: lastAt === null ? null : timeText(lastAt),
      nextAttempt: state === 'pending' ? timeText(dueAt) : null,
    })),
    event: (parseEvent(eventContent(database, entry.id)?.text ?? '') ?? null) as Value,
  };
}

export interface EventFilterFlags {
  readonly type?: readonly string[];
  readonly receipt?: string;
  readonly since?: string;
  readonly undelivered?: boolean;
  readonly failed?: boolean;
}

export async function eventFilterFrom(
  cmd: CommandContext,
  { type, receipt, since, undelivered, failed }: EventFilterFlags,
) {
  return {
    types: type?.map(typeFrom),
    receipt: receipt?.toUpperCase(),
    since: since === undefined ? undefined : await sinceFrom(cmd, since),
    isUndelivered: undelivered,
    isFailed: failed,
  };
}

const typesByWord: Readonly<Record<string, EventType>> = {
  REBILL: 'BILL',
  REFUND: 'RFND',
  CHARGEBACK: 'CGBK',
  CANCEL: 'CANCEL-REBILL',
  REINSTATE: 'UNCANCEL-REBILL',
};

/** Types are accepted in any case, with `_` for `-`, and by some words. */
export function eventTypeOf(typed: string): EventType | undefined {
  const byWord = typesByWord[typed.toUpperCase()];
  if (byWord) return byWord;
  const plain = (text: string) => text.toUpperCase().replaceAll('_', '-');
  return eventTypeNames.find((name) => plain(name) === plain(typed));
}

/** New types of the service can be named as they are. */
function typeFrom(typed: string): string {
  const found = eventTypeOf(typed);
  if (found) return found;
  const near = nearest(typed, eventTypeNames);
  if (!near) return typed;
  throw usage(`Unknown type of notification '${typed}'.`, { hint: `Did you mean ${near}?` });
}

/** A day, from its beginning, or a number of hours such as `2h`. */
async function sinceFrom(cmd: CommandContext, typed: string): Promise<number> {
  const [, hours] = /^-?(\d{1,4})\s*h(?:ours?)?$/i.exec(typed.trim()) ?? [];
  if (hours !== undefined) return cmd.context.now().getTime() - Number(hours) * 3_600_000;
  const hint = `Use ${dayForms}, or hours such as 2h.`;
  const day = sinceDay(typed, await todayOf(cmd, 'machine'), hint);
  return zonedDays({ first: day, last: day }, timeZoneOf(cmd).name).start * 1000;
}

const { vendor } = orders.list.params;

/** What `cb ins reconcile` asks for: the period and the account of the list of orders. */
export const reconciledOrders = {
  ...searchPeriod,
  params: { ...searchPeriod.params, vendor },
};
