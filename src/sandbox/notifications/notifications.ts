/** The settings of instant notifications, and what users can do with them. */
import { randomInt } from 'node:crypto';
import { pacificTime } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { deliveryFaultsStatus, setDeliveryFaults } from '../http/delivery-faults.ts';
import { VENDORS } from '../http/keys.ts';
import {
  type Attempt,
  DELIVERY,
  type Delivery,
  findUrls,
  type InsUrl,
  insertNotification,
} from '../store/notification.ts';
import { insertRow } from '../store/statements.ts';
import { sampleNotification, sentBody, textOf } from './notification-body.ts';
import type { Sender } from './sender.ts';

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

/** 16 capital letters and digits. */
const newSecret = () =>
  Array.from({ length: 16 }, () => randomInt(36).toString(36).toUpperCase()).join('');

/** `now` is the sandbox's clock, in seconds since 1970. */
export function notificationsOf(db: Database, now: () => number, sender: Sender) {
  return {
    urls: () => findUrls(db).map(({ url, version }) => ({ url, version })),
    secrets: () => [...new Set(findUrls(db).map(({ secret }) => secret))],
    /** Returns the secret key. Throws BadInsUrl. */
    add({ url, version, secret = newSecret() }: NewUrl): string {
      db.immediately(() => {
        const urls = findUrls(db);
        if (urls.some((known) => known.url === url)) {
          throw new BadInsUrl(`The sandbox already sends notifications to ${url}.`);
        }
        if (urls.length >= MOST_URLS) {
          const rule = 'The sandbox sends notifications to two URLs at most, as ClickBank does.';
          throw new BadInsUrl(rule);
        }
        insertRow(db, 'ins_url', { url, secret, version });
      });
      return secret;
    },
    /** Also deletes its deliveries, and the events that no other URL receives. Returns false for an unknown URL. */
    remove: (url: string): boolean =>
      db.immediately(() => {
        if (db.run('DELETE FROM ins_url WHERE url = ?', [url]).changes === 0) return false;
        db.run('DELETE FROM notification WHERE id NOT IN (SELECT notification_id FROM delivery)');
        return true;
      }),
    /** Sends the test notification to each URL, once. */
    async test(signal?: AbortSignal): Promise<readonly DeliveryEntry[]> {
      const sample = sampleNotification(VENDORS[0], now());
      const id = db.immediately(() => insertNotification(db, sample, 1));
      await sender.drain(signal);
      return entriesOf(db, 'd.notification_id = ? ORDER BY d.id', [id]);
    },
    log: (): Iterable<readonly DeliveryEntry[]> => deliveryLog(db),
    faults: () => deliveryFaultsStatus(db),
    /** Sets or clears the faults. Throws BadFaults. */
    setFaults: (list: string | undefined) => setDeliveryFaults(db, list),
  };
}

export type DeliveryEntry = ReturnType<typeof entryOf>;

const PAGE = 100;

/** One event for one URL. Times are Pacific, on the sandbox's clock; status and error are those of the last attempt. */
function entryOf(db: Database, delivery: Delivery, url: InsUrl) {
  const attempts = db.all<Attempt>(
    'SELECT * FROM delivery_attempt WHERE delivery_id = ? ORDER BY id',
    [delivery.id],
  );
  const last = attempts.at(-1);
  const { id, time, type, receipt, nextAt } = delivery;
  const unsent = nextAt === null ? ('lost' as const) : ('pending' as const);
  return {
    ...{ id, time: pacificTime(time), type, receipt, url: url.url },
    state: delivery.delivered === 1 ? ('delivered' as const) : unsent,
    attemptCount: delivery.attempts,
    status: last?.status ?? null,
    error: last?.error ?? null,
    nextAttempt: nextAt === null ? null : pacificTime(nextAt),
    /** The JSON before encryption, with the digits as sent, and the request: both of the last or the next attempt. */
    body: textOf(delivery.body, url.version, last?.number ?? 1),
    sent: last ? sentBody(delivery, url, last) : null,
    /** The faults of each attempt are joined by `+`. */
    attempts: attempts.map(({ number, time: at, status, error, fault }) => ({
      ...{ number, time: pacificTime(at), status, error, fault },
    })),
  };
}

function entriesOf(db: Database, which: string, values: readonly number[]): DeliveryEntry[] {
  const urls = new Map(findUrls(db).map((url) => [url.id, url]));
  return db.all<Delivery>(`${DELIVERY} WHERE ${which}`, values).flatMap((delivery) => {
    const url = urls.get(delivery.urlId);
    return url ? [entryOf(db, delivery, url)] : [];
  });
}

/** Pages of all deliveries, the latest events first. */
function* deliveryLog(db: Database): Generator<DeliveryEntry[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const entries = entriesOf(db, 'd.id < ? ORDER BY d.id DESC LIMIT ?', [before, PAGE]);
    const last = entries.at(-1);
    if (!last) return;
    before = last.id;
    yield entries;
  }
}
