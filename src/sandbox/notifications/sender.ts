/**
 * Sends the notifications of the store while the sandbox runs, apart from its requests. Events are written to the
 * store with what they tell of (record.ts), so a killed process loses none: they are sent by the next one.
 */

import { randomBytes, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Identity, identityOf, livenessOf, type Processes } from '../../storage/lock-owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import { type ChosenFaults, chooseDeliveryFaults } from '../http/delivery-faults.ts';
import {
  type Attempt,
  DELIVERY,
  type Delivery,
  findUrls,
  type InsUrl,
} from '../store/notification.ts';
import { insertRow, updateRow } from '../store/statements.ts';
import { sentBody } from './notification-body.ts';

/** Real milliseconds between looks for what is due, also from other processes. */
const INTERVAL = 200;
/** Real milliseconds that a closing sandbox goes on sending. */
const CLOSING_TIME = 3000;

interface SenderOptions {
  /** The sandbox's clock, in seconds since 1970. */
  now(): number;
  /** Carries out the events that are due, when there are URLs to tell. */
  settle(): void;
  readonly processes?: Processes | undefined;
}

interface Round {
  /** A delivery that others should overtake does not wait for them. */
  readonly isDraining: boolean;
  readonly signal?: AbortSignal | undefined;
}

export type Sender = ReturnType<typeof startSender>;

export function startSender(db: Database, { now, settle, processes }: SenderOptions) {
  const leases = createLeases(db, processes);
  const closing = new AbortController();
  // Every attempt adds a listener.
  setMaxListeners(0, closing.signal);
  const queues = new Map<number, ReturnType<typeof queueOf>>();
  const rounds = new Map<number, Promise<void>>();
  const isOver = (signal?: AbortSignal) => closing.signal.aborted || signal?.aborted;

  async function sendQueue(url: InsUrl, { isDraining, signal }: Round) {
    const queue = queues.get(url.id) ?? queueOf(db, url.id);
    queues.set(url.id, queue);
    try {
      while (!isOver(signal) && leases.take(url.id)) {
        const next = queue.next(now(), isDraining);
        if (next) {
          queue.start(next.delivery, attempt(db, now(), url, next, closing.signal));
        } else if (!(await queue.ended())) break;
      }
    } catch (error) {
      if (!closing.signal.aborted) throw error;
    } finally {
      await queue.allEnded();
      leases.release(url.id);
    }
  }

  /** One round at a time for each URL. */
  function sendDue(how: Round): Promise<unknown> {
    const sent = findUrls(db).map((url) => {
      const round = rounds.get(url.id) ?? sendQueue(url, how).finally(() => rounds.delete(url.id));
      rounds.set(url.id, round);
      return round;
    });
    return Promise.all(sent);
  }

  /** Sends all that is due. Resolves when this process or another one has sent it, or `signal` is aborted. */
  async function drain(signal?: AbortSignal): Promise<void> {
    while (!isOver(signal) && hasDue(db, now())) {
      await sendDue({ isDraining: true, signal });
      // Another process may be sending.
      if (!isOver(signal) && hasDue(db, now())) await sleep(INTERVAL / 10);
    }
  }

  async function look(): Promise<void> {
    try {
      if (findUrls(db).length > 0) {
        settle();
        if (hasDue(db, now())) await sendDue({ isDraining: false });
      }
    } catch {
      // Tried again: for example, another process is writing to the store.
    }
    if (!closing.signal.aborted) timer = setTimeout(look, INTERVAL).unref();
  }

  let timer = setTimeout(look, INTERVAL).unref();

  return {
    drain,
    /** Sends what is due, for three seconds at most; nothing if `signal` is aborted. */
    async close(signal?: AbortSignal): Promise<void> {
      clearTimeout(timer);
      const end = setTimeout(() => closing.abort(), signal?.aborted ? 0 : CLOSING_TIME);
      await drain(signal).catch(() => undefined);
      clearTimeout(end);
      clearTimeout(timer);
      closing.abort();
      await Promise.allSettled(rounds.values());
    },
  };
}

/** Attempts at the same time. Events of the same purchase are sent one after the other. */
const MOST_IN_FLIGHT = 8;
/** Deliveries to look at, of which some may have to wait. */
const LOOKAHEAD = 64;

function hasDue(db: Database, now: number): boolean {
  const due = `SELECT 1 FROM ins_url u WHERE EXISTS (
    SELECT 1 FROM delivery d WHERE d.url_id = u.id AND d.next_at <= ?)`;
  return db.first(due, [now]) !== undefined;
}

function queueOf(db: Database, urlId: number) {
  const inFlight = new Map<Delivery, Promise<void>>();
  /** The delivery that the fault `reorder` lets others overtake. */
  let overtaken: number | undefined;

  function mustWait({ id, purchaseId }: Delivery): boolean {
    return [...inFlight.keys()].some(
      (other) => other.id === id || (purchaseId !== null && other.purchaseId === purchaseId),
    );
  }

  return {
    /** The next delivery to attempt; undefined if there is none, or too many are in flight. */
    next(now: number, isDraining: boolean) {
      if (inFlight.size >= MOST_IN_FLIGHT) return undefined;
      let last: Delivery | undefined;
      // The first ones, in the order of the events.
      const due = db.all<Delivery>(
        `${DELIVERY} WHERE d.url_id = ? AND d.next_at <= ? ORDER BY d.next_at, d.id LIMIT ?`,
        [urlId, now, LOOKAHEAD],
      );
      for (const delivery of due) {
        if (mustWait(delivery)) continue;
        const { id } = delivery;
        if (id !== overtaken) {
          const faults = chooseDeliveryFaults(db, delivery);
          const delay = faults.get('delay')?.delay;
          const isOvertaken = faults.has('reorder') && overtaken === undefined;
          if (delay === undefined && !isOvertaken) return { delivery, faults };
          // A fault sends it later, or only changes its order, once.
          const hold = 'UPDATE delivery SET held = 1, next_at = next_at + ? WHERE id = ?';
          db.run(hold, [delay ?? 0, id]);
          if (delay === undefined) overtaken = id;
        }
        if (id === overtaken) last = delivery;
      }
      // Nothing can overtake it.
      const isAlone = isDraining && inFlight.size === 0;
      return isAlone && last ? { delivery: last, faults: new Map() as ChosenFaults } : undefined;
    },
    start(delivery: Delivery, work: Promise<void>): void {
      const done = work.finally(() => {
        inFlight.delete(delivery);
        if (overtaken !== undefined && delivery.id >= overtaken) overtaken = undefined;
      });
      // Whoever waits for it gets the error.
      done.catch(() => undefined);
      inFlight.set(delivery, done);
    },
    /** Resolves when an attempt ends; false if none is in flight. Rejects with the error of an attempt. */
    async ended(): Promise<boolean> {
      if (inFlight.size === 0) return false;
      await Promise.race(inFlight.values());
      return true;
    },
    allEnded: () => Promise.allSettled(inFlight.values()),
  };
}

/** Real milliseconds, longer than one attempt takes. */
const LENGTH = 10_000;
/** Renewed when less than this is left. */
const RENEWAL = 7000;

interface Holder {
  readonly token: string;
  readonly process: Identity | null;
}

/** The process that sends to a URL, as JSON, and until when it may, in real milliseconds since 1970. */
interface Lease {
  readonly sender: string | null;
  readonly until: number;
}

/** Without `processes`, the lease of a process that was killed ends by time only. */
function createLeases(db: Database, processes: Processes | undefined) {
  const process = processes ? identityOf(processes) : null;
  const sender = JSON.stringify({ token: randomUUID(), process } satisfies Holder);

  /** Undefined if the URL was removed. */
  const getLease = (urlId: number) =>
    db.first<Lease>('SELECT sender, sender_until until FROM ins_url WHERE id = ?', [urlId]);

  const save = (urlId: number, { sender, until }: Lease) =>
    updateRow(db, ['ins_url', 'id', urlId], { sender, senderUntil: until });

  function isFree({ sender: other, until }: Lease): boolean {
    if (other === null || other === sender || until < Date.now()) return true;
    const holder = JSON.parse(other) as Holder;
    // The clock of this machine may have been set back.
    if (until > Date.now() + LENGTH) return true;
    return !!processes && !!holder.process && livenessOf(holder.process, processes) === 'ended';
  }

  return {
    /** Takes or renews the lease; false if another process has it, or if the URL was removed. */
    take(urlId: number): boolean {
      const held = getLease(urlId);
      if (!held) return false;
      if (held.sender === sender && held.until > Date.now() + RENEWAL) return true;
      return db.immediately(() => {
        const now = getLease(urlId);
        if (!now || !isFree(now)) return false;
        save(urlId, { sender, until: Date.now() + LENGTH });
        return true;
      });
    },
    release(urlId: number): void {
      if (getLease(urlId)?.sender === sender) save(urlId, { sender: null, until: 0 });
    },
  };
}

/** Seconds on the sandbox's clock. */
const RETRY_AFTER = 4 * 3600;

/**
 * Makes one attempt and records it, with the time of the sandbox's clock at its beginning. If `signal` is aborted,
 * throws its reason and records nothing, so that the attempt is repeated later.
 */
async function attempt(
  db: Database,
  now: number,
  url: InsUrl,
  { delivery, faults }: { readonly delivery: Delivery; readonly faults: ChosenFaults },
  signal: AbortSignal,
): Promise<void> {
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

const TIMED_OUT: Outcome = { status: null, error: 'no response within 3 seconds' };
const CLOSED: Outcome = { status: null, error: 'connection closed by the receiver' };
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
      // The rest is read until the time of the request is over, so that the receiver can send it.
      response.on('error', () => undefined).resume();
      resolve({ status: response.statusCode ?? null, error: null });
    });
    // A switch of protocols closes the connection without an error. After a response, this has no effect.
    sent.on('close', () => resolve(CLOSED));
    const cutOff = () => {
      resolve(CUT);
      sent.destroy();
    };
    if (cut) sent.write(body.slice(0, body.length >> 1), cutOff);
    else sent.end(body);
  });
}
