/** One attempt to deliver a notification, with its faults, and what follows from it. */

import { createCipheriv, createHash, randomBytes, randomInt } from 'node:crypto';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Database } from '../../storage/sqlite.ts';
import type { ChosenFaults } from '../faults/delivery-faults.ts';
import type { Attempt, Delivery, InsUrl } from '../store/notification.ts';
import { insertRow, updateRow } from '../store/statements.ts';
import { textOf } from './notification-body.ts';

/** Seconds on the sandbox's clock. */
const RETRY_AFTER = 4 * 3600;

const WRONG_SECRET = 'NOTYOURSECRETKEY';

export function sentBody(
  { body }: Pick<Delivery, 'body'>,
  { secret, version }: InsUrl,
  { number, iv, fault }: Pick<Attempt, 'number' | 'iv' | 'fault'>,
): string {
  const key = fault?.split('+').includes('wrong-key') ? WRONG_SECRET : secret;
  return encryptNotification(textOf(body, version, number), key, iv);
}

interface Sending {
  readonly url: InsUrl;
  readonly delivery: Delivery;
  readonly faults: ChosenFaults;
  readonly signal: AbortSignal;
}

/**
 * Makes one attempt and records it, with the time of the sandbox's clock at its beginning. If `signal` is aborted,
 * throws its reason and records nothing, so that the attempt is repeated later.
 */
export async function attempt(db: Database, now: number, sending: Sending): Promise<void> {
  const { delivery, url, faults, signal } = sending;
  const fault = [...faults.keys()].join('+') || null;
  // 16 hexadecimal digits, whose ASCII bytes are the initialization vector.
  const iv = randomBytes(8).toString('hex').toUpperCase();
  const begun = { number: delivery.attempts + 1, time: now, iv, fault };
  const body = sentBody(delivery, url, begun);
  let outcome = DROPPED;
  if (!faults.has('drop')) {
    const cut = faults.has('cut');
    const response = await post(url.url, body, signal, cut);
    if (faults.has('duplicate') && !cut) await post(url.url, body, signal);
    outcome = cut ? CUT : faults.has('timeout') ? TIMED_OUT : response;
  }
  const { status } = outcome;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const isLast = isDelivered || begun.number >= delivery.mostAttempts || outcome === DROPPED;
  const { id } = delivery;
  db.immediately(() => {
    // It may have been removed with its URL in the meantime.
    if (!db.first('SELECT 1 FROM delivery WHERE id = ?', [id])) return;
    insertRow(db, 'delivery_attempt', { ...begun, ...outcome, deliveryId: id });
    updateRow(db, ['delivery', 'id', id], {
      attempts: begun.number,
      nextAt: isLast ? null : now + RETRY_AFTER,
      delivered: isDelivered ? 1 : 0,
    });
  });
}

type Outcome = Pick<Attempt, 'status' | 'error'>;

/** Milliseconds in which the service expects a response. */
const TIMEOUT = 3000;
/** In bytes; more of a response is not read. */
const MOST_READ = 65_536;

const TIMED_OUT: Outcome = { status: null, error: 'no response within 3 seconds' };
const CUT: Outcome = { status: null, error: 'connection closed by a fault' };
const DROPPED: Outcome = { status: null, error: 'never sent, by a fault' };

/**
 * Throws the reason of `signal` if it is aborted. With `cut`, sends only half of the body. Certificates are always
 * verified, as by the service, and redirects are not followed. Each request has its own connection: one that the
 * receiver has just closed would look like a failure of the receiver.
 */
function post(url: string, body: string, signal: AbortSignal, cut = false): Promise<Outcome> {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const timeout = AbortSignal.timeout(TIMEOUT);
  const sent = (url.startsWith('https:') ? requestHttps : requestHttp)(url, {
    ...{ method: 'POST', headers, agent: false, signal: AbortSignal.any([signal, timeout]) },
    // Also if NODE_TLS_REJECT_UNAUTHORIZED is 0.
    rejectUnauthorized: true,
  });
  return new Promise<Outcome>((resolve, reject) => {
    sent.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(timeout.aborted ? TIMED_OUT : { status: null, error: code ?? message });
    });
    sent.on('response', (response) => {
      discard(response);
      resolve({ status: response.statusCode ?? null, error: null });
    });
    const cutOff = () => {
      resolve(CUT);
      sent.destroy();
    };
    if (cut) sent.write(body.slice(0, body.length >> 1), cutOff);
    else sent.end(body);
  });
}

/** Reads the rest of a response, so that the receiver can send it, until the time of the request is over. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  response.on('error', () => response.destroy());
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_READ) response.destroy();
  });
}

/** Returns the body of the request: JSON with the encrypted text and the IV, both in Base64. */
function encryptNotification(text: string, secret: string, iv: string): string {
  const ivBytes = Buffer.from(iv, 'ascii');
  // The first 32 hexadecimal digits of the SHA-1 of the secret key, as ASCII bytes.
  const key = createHash('sha1').update(secret).digest('hex').slice(0, 32);
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(key, 'ascii'), ivBytes);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return JSON.stringify({
    notification: encrypted.toString('base64'),
    iv: ivBytes.toString('base64'),
  });
}

const SECRET_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export function newSecret(): string {
  const pick = () => SECRET_CHARACTERS[randomInt(SECRET_CHARACTERS.length)];
  return Array.from({ length: 16 }, pick).join('');
}
