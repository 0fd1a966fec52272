/** One attempt to deliver a notification, with its faults, and what follows from it. */
import type { Database } from '../../storage/sqlite.ts';
import type { ChosenFaults } from '../faults/delivery-faults.ts';
import {
  type Attempt,
  type Delivery,
  insertAttempt,
  saveProgress,
} from '../store/notifications/delivery.ts';
import type { InsUrl } from '../store/notifications/ins-url.ts';
import { encryptNotification, newIv } from './encryption.ts';
import { type Texts, textOf } from './notification-body.ts';
import { CUT, type Outcome, post, TIMED_OUT } from './post.ts';

/** Seconds on the sandbox's clock. */
const RETRY_AFTER = 4 * 3600;

/** The secret key of the fault wrong-key. */
const WRONG_SECRET = 'NOTYOURSECRETKEY';

const DROPPED: Outcome = { status: null, error: 'never sent, by a fault' };

/** The body of the request of an attempt. */
export function sentBody(
  delivery: Texts,
  { secret, version }: InsUrl,
  { number, iv, fault }: Pick<Attempt, 'number' | 'iv' | 'fault'>,
): string {
  const key = fault?.split('+').includes('wrong-key') ? WRONG_SECRET : secret;
  return encryptNotification(textOf(delivery, version, number), key, iv);
}

/** An attempt to make. */
interface Sending {
  readonly url: InsUrl;
  readonly delivery: Delivery;
  readonly faults: ChosenFaults;
  readonly signal: AbortSignal;
}

/** Sends it, and again for the fault `duplicate`. */
async function send(body: string, { url, faults, signal }: Sending): Promise<Outcome> {
  if (faults.has('drop')) return DROPPED;
  const cut = faults.has('cut');
  const outcome = await post(url.url, body, { signal, cut });
  if (cut) return CUT;
  if (faults.has('duplicate')) await post(url.url, body, { signal });
  return faults.has('timeout') ? TIMED_OUT : outcome;
}

const isSuccess = ({ status }: Outcome) => status !== null && status >= 200 && status < 300;

function save(db: Database, { delivery, faults }: Sending, attempt: Attempt): void {
  const { id, mostAttempts } = delivery;
  const delivered = isSuccess(attempt);
  const isLast = delivered || attempt.number >= mostAttempts || faults.has('drop');
  db.immediately(() => {
    insertAttempt(db, id, attempt);
    saveProgress(db, id, {
      attempts: attempt.number,
      nextAt: isLast ? null : attempt.time + RETRY_AFTER,
      delivered: delivered ? 1 : 0,
    });
  });
}

/**
 * Makes one attempt and records it, with the time of the sandbox's clock at its beginning. If `signal` is aborted,
 * throws its reason and records nothing, so that the attempt is repeated later.
 */
export async function attempt(db: Database, now: number, sending: Sending): Promise<void> {
  const { delivery, url, faults } = sending;
  const fault = [...faults.keys()].join('+') || null;
  const begun = { number: delivery.attempts + 1, time: now, iv: newIv(), fault };
  const outcome = await send(sentBody(delivery, url, begun), sending);
  save(db, sending, { ...begun, ...outcome });
}
