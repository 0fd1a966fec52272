/** One believable event of each type, for tests of receivers. */

import { LosslessNumber } from 'lossless-json';
import { pacificTime } from '../../dates/pacific.ts';
import { type EventVersion, eventIn } from '../../operations/notification-versions.ts';
import { eventShape } from '../event-shape.ts';
import type { ExactObject } from '../event-text.ts';
import { type EventType, eventTypes } from '../event-types.ts';
import { fieldsOfOrder, type OrderRow } from './order-event.ts';
import { sampleFields } from './sample-fields.ts';

export interface SampleOptions {
  /** Default: 8. */
  readonly version?: EventVersion | undefined;
  /** Default: that of the order, or SAMPLE01. */
  readonly receipt?: string | undefined;
  /** The time of the event, unless the order has a transaction of this type. */
  readonly now: Date;
  /** The transactions of a receipt as orders2 returns them, at least one: the event is about one of them. */
  readonly from?: readonly OrderRow[] | undefined;
}

/** The type that a test imitates. */
const imitated: Readonly<Partial<Record<EventType, EventType>>> = {
  TEST: 'SALE',
  TEST_SALE: 'SALE',
  TEST_BILL: 'BILL',
  TEST_RFND: 'RFND',
  'CANCEL-TEST-REBILL': 'CANCEL-REBILL',
  'UNCANCEL-TEST-REBILL': 'UNCANCEL-REBILL',
};

/** Returns an event for `encryptNotification`. With `from`, it has what the order has, and nothing else. */
export function eventOf(type: EventType, options: SampleOptions): ExactObject {
  const { version = 8, receipt, now, from } = options;
  const kind = imitated[type] ?? type;
  const fields: ExactObject = {
    transactionTime: pacificTime(Math.floor(now.getTime() / 1000)),
    ...(from ? fieldsOfOrder(type, kind, from) : sampleFields(kind, now)),
    ...(type === 'TEST' && { receipt: '********' }),
    ...(receipt !== undefined && { receipt }),
    // Only the seller is told about tests.
    ...(eventTypes[type].isTest && { role: 'VENDOR', affiliate: undefined }),
    transactionType: type,
    // The service writes versions with a decimal, which tells receivers that expect digits only.
    version: new LosslessNumber(`${version}.0`),
    attemptCount: 1,
  };
  const names = Object.keys(eventShape).filter((name) => fields[name] !== undefined);
  return eventIn(version, Object.fromEntries(names.map((name) => [name, fields[name]])));
}
