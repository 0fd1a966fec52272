/** What happened to each notification, as shown to users. */
import { pacificTime } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { type Delivery, findAttempts, findLatest } from '../store/notifications/delivery.ts';
import { findUrls, type InsUrl } from '../store/notifications/ins-url.ts';
import { sentBody } from './attempt.ts';
import { textOf } from './notification-body.ts';

/** Times are Pacific, on the sandbox's clock. */
interface AttemptEntry {
  readonly number: number;
  readonly time: string;
  readonly status: number | null;
  readonly error: string | null;
  /** The faults of the attempt, joined by `+`. */
  readonly fault: string | null;
}

/** One event for one URL. */
export interface DeliveryEntry {
  readonly id: number;
  readonly time: string;
  readonly type: string;
  readonly receipt: string;
  readonly url: string;
  readonly state: 'delivered' | 'pending' | 'lost';
  readonly attemptCount: number;
  /** Of the last attempt. */
  readonly status: number | null;
  readonly error: string | null;
  readonly nextAttempt: string | null;
  /** The JSON before encryption, with the digits as sent, and the request: both of the last or the next attempt. */
  readonly body: string;
  readonly sent: string | null;
  readonly attempts: readonly AttemptEntry[];
}

const PAGE = 100;

function stateOf({ delivered, nextAt }: Delivery): DeliveryEntry['state'] {
  if (delivered === 1) return 'delivered';
  return nextAt === null ? 'lost' : 'pending';
}

export function entryOf(db: Database, delivery: Delivery, url: InsUrl): DeliveryEntry {
  const attempts = findAttempts(db, delivery.id);
  const last = attempts.at(-1);
  const { id, time, type, receipt, nextAt } = delivery;
  return {
    id,
    time: pacificTime(time),
    type,
    receipt,
    url: url.url,
    state: stateOf(delivery),
    attemptCount: delivery.attempts,
    status: last?.status ?? null,
    error: last?.error ?? null,
    nextAttempt: nextAt === null ? null : pacificTime(nextAt),
    body: textOf(delivery, url.version, last?.number ?? 1),
    sent: last ? sentBody(delivery, url, last) : null,
    attempts: attempts.map(({ number, time: at, status, error, fault }) => ({
      number,
      time: pacificTime(at),
      status,
      error,
      fault,
    })),
  };
}

/** Pages of all deliveries, the latest events first. */
export function* deliveryLog(db: Database): Generator<DeliveryEntry[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const found = findLatest(db, before, PAGE);
    const last = found.at(-1);
    if (!last) return;
    before = last.id;
    const urls = new Map(findUrls(db).map((url) => [url.id, url]));
    yield found.flatMap((delivery) => {
      const url = urls.get(delivery.urlId);
      return url ? [entryOf(db, delivery, url)] : [];
    });
  }
}
