/** The settings of instant notifications, and what users can do with them. */

import { pacificTime } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import {
  type DeliveryFaultsStatus,
  deliveryFaultsStatus,
  setDeliveryFaults,
} from '../faults/delivery-faults.ts';
import { VENDORS } from '../http/keys.ts';
import {
  type Delivery,
  findAttempts,
  findDeliveriesOf,
  findLatest,
  insertNotification,
} from '../store/delivery.ts';
import { deleteUrl, findUrls, type InsUrl, insertUrl } from '../store/ins-url.ts';
import { isSecret, newSecret, sentBody } from './attempt.ts';
import { sampleNotification, textOf } from './notification-body.ts';
import type { Sender } from './sender.ts';

export type { DeliveryFaultsStatus };

/** As the service. */
const MOST_URLS = 2;

/** A URL that can't be added. The command line recognizes it by its name. */
class BadInsUrl extends Error {
  override readonly name = 'BadInsUrl';
}

export interface NewUrl {
  /** http or https. */
  readonly url: string;
  /** At most 16 capitals and digits; a new one by default. */
  readonly secret?: string | undefined;
  /** 6, 7 or 8. */
  readonly version: number;
}

export interface Notifications {
  urls(): readonly { readonly url: string; readonly version: number }[];
  /** Returns the secret key. Throws BadInsUrl. */
  add(url: NewUrl): string;
  /** Also removes its log. Returns false for an unknown URL. */
  remove(url: string): boolean;
  /** Sends the test notification to each URL, once. */
  test(signal?: AbortSignal): Promise<readonly DeliveryEntry[]>;
  log(): Iterable<readonly DeliveryEntry[]>;
  faults(): DeliveryFaultsStatus;
  /** Sets or clears the faults. Throws BadFaults. */
  setFaults(list: string | undefined): void;
}

function addUrl(db: Database, { url, version, secret = newSecret() }: NewUrl): string {
  if (!isSecret(secret)) {
    throw new BadInsUrl('A secret key has at most 16 characters, all capital letters and digits.');
  }
  db.immediately(() => {
    const urls = findUrls(db);
    if (urls.some((known) => known.url === url)) {
      throw new BadInsUrl(`The sandbox already sends notifications to ${url}.`);
    }
    if (urls.length >= MOST_URLS) {
      throw new BadInsUrl(
        'The sandbox sends notifications to two URLs at most, as ClickBank does.',
      );
    }
    insertUrl(db, { url, secret, version });
  });
  return secret;
}

/** `now` is the sandbox's clock, in seconds since 1970. */
export function notificationsOf(db: Database, now: () => number, sender: Sender): Notifications {
  return {
    urls: () => findUrls(db).map(({ url, version }) => ({ url, version })),
    add: (url) => addUrl(db, url),
    remove: (url) => db.immediately(() => deleteUrl(db, url)),
    async test(signal) {
      const sample = sampleNotification(VENDORS[0], now());
      const id = db.immediately(() => insertNotification(db, sample, 1));
      await sender.drain(signal);
      return entriesOf(db, findDeliveriesOf(db, id));
    },
    log: () => deliveryLog(db),
    faults: () => deliveryFaultsStatus(db),
    setFaults: (list) => setDeliveryFaults(db, list),
  };
}

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

function entryOf(db: Database, delivery: Delivery, url: InsUrl): DeliveryEntry {
  const attempts = findAttempts(db, delivery.id);
  const last = attempts.at(-1);
  const { id, time, type, receipt, nextAt } = delivery;
  return {
    ...{ id, time: pacificTime(time), type, receipt, url: url.url },
    state: delivery.delivered === 1 ? 'delivered' : nextAt === null ? 'lost' : 'pending',
    attemptCount: delivery.attempts,
    status: last?.status ?? null,
    error: last?.error ?? null,
    nextAttempt: nextAt === null ? null : pacificTime(nextAt),
    body: textOf(delivery, url.version, last?.number ?? 1),
    sent: last ? sentBody(delivery, url, last) : null,
    attempts: attempts.map(({ number, time: at, status, error, fault }) => ({
      ...{ number, time: pacificTime(at), status, error, fault },
    })),
  };
}

function entriesOf(db: Database, deliveries: readonly Delivery[]): DeliveryEntry[] {
  const urls = new Map(findUrls(db).map((url) => [url.id, url]));
  return deliveries.flatMap((delivery) => {
    const url = urls.get(delivery.urlId);
    return url ? [entryOf(db, delivery, url)] : [];
  });
}

/** Pages of all deliveries, the latest events first. */
function* deliveryLog(db: Database): Generator<DeliveryEntry[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const found = findLatest(db, before, PAGE);
    const last = found.at(-1);
    if (!last) return;
    before = last.id;
    yield entriesOf(db, found);
  }
}
