/** The settings of instant notifications, and what users can do with them. */
import type { Database } from '../../storage/sqlite.ts';
import {
  type DeliveryFaultsStatus,
  deliveryFaultsStatus,
  setDeliveryFaults,
} from '../faults/delivery-faults.ts';
import { VENDORS } from '../request/keys.ts';
import { findDeliveriesOf, insertNotification } from '../store/notifications/delivery.ts';
import { deleteUrl, findUrls, insertUrl } from '../store/notifications/ins-url.ts';
import { type DeliveryEntry, deliveryLog, entryOf } from './delivery-log.ts';
import { isSecret, newSecret } from './encryption.ts';
import { sampleNotification } from './sample.ts';
import type { Sender } from './sender.ts';

export type { DeliveryEntry, DeliveryFaultsStatus };

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

async function sendTest(db: Database, now: number, sender: Sender, signal?: AbortSignal) {
  const sample = sampleNotification(VENDORS[0], now);
  const id = db.immediately(() => insertNotification(db, sample, 1));
  await sender.drain(signal);
  const urls = findUrls(db);
  return findDeliveriesOf(db, id).flatMap((delivery) => {
    const url = urls.find((one) => one.id === delivery.urlId);
    return url ? [entryOf(db, delivery, url)] : [];
  });
}

/** `now` is the sandbox's clock, in seconds since 1970. */
export function notificationsOf(db: Database, now: () => number, sender: Sender): Notifications {
  return {
    urls: () => findUrls(db).map(({ url, version }) => ({ url, version })),
    add: (url) => addUrl(db, url),
    remove: (url) => db.immediately(() => deleteUrl(db, url)),
    test: (signal) => sendTest(db, now(), sender, signal),
    log: () => deliveryLog(db),
    faults: () => deliveryFaultsStatus(db),
    setFaults: (list) => setDeliveryFaults(db, list),
  };
}
