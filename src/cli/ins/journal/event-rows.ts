/** The rows that commands show of the journal. */
import { LosslessNumber } from 'lossless-json';
import { pacificTime } from '../../../dates/pacific.ts';
import { parseEvent } from '../../../ins/event-text.ts';
import { stateOf } from '../../../ins/journal/delivery-state.ts';
import {
  type DeliveryEntry,
  deliveriesOf,
  type EventEntry,
  eventContent,
} from '../../../ins/journal/journal-queries.ts';
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
  time,
} from '../../../operations/resource.ts';
import type { Row, Value } from '../../../output/rows/rows.ts';
import type { Database } from '../../../storage/sqlite.ts';
import { eventResource } from '../event-resource.ts';

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

/** Milliseconds since 1970 as Pacific time. */
export function timeText(milliseconds: number): string {
  return pacificTime(Math.floor(milliseconds / 1000));
}

/** Numbers keep their digits; what is not a number stays text. */
export function amountValue(amount: string | null): Value {
  return amount !== null && /^-?\d+(?:\.\d+)?$/.test(amount) ? new LosslessNumber(amount) : amount;
}

export function journalRow(database: Database, entry: EventEntry): Row {
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
    deliveries: deliveries.map(deliveryRow),
    event: (parseEvent(eventContent(database, entry.id)?.text ?? '') ?? null) as Value,
  };
}

function deliveryRow({ kind, state, attempts, result, lastAt, dueAt }: DeliveryEntry): Row {
  return {
    ...{ kind, state, attempts, result },
    lastAttempt: lastAt === null ? null : timeText(lastAt),
    nextAttempt: state === 'pending' ? timeText(dueAt) : null,
  };
}
