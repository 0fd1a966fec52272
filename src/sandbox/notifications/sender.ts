/**
 * Sends the notifications of the store while the sandbox runs, apart from its requests. Events are written to the
 * store with what they tell of (record.ts), so a killed process loses none: they are sent by the next one.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Processes } from '../../storage/lock-owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import { hasDue } from '../store/notifications/delivery.ts';
import { findUrls, type InsUrl } from '../store/notifications/ins-url.ts';
import { attempt } from './attempt.ts';
import { createLeases } from './lease.ts';
import { type Queue, queueOf } from './queue.ts';

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

export interface Sender {
  /** Sends all that is due. Resolves when this process or another one has sent it, or `signal` is aborted. */
  drain(signal?: AbortSignal): Promise<void>;
  /** Sends what is due, for three seconds at most; nothing if `signal` is aborted. */
  close(signal?: AbortSignal): Promise<void>;
}

interface Round {
  /** A delivery that others should overtake does not wait for them. */
  readonly isDraining: boolean;
  readonly signal?: AbortSignal | undefined;
}

export function startSender(db: Database, options: SenderOptions): Sender {
  const { now, settle, processes } = options;
  const leases = createLeases(db, processes);
  const closing = new AbortController();
  // Every attempt adds a listener.
  setMaxListeners(0, closing.signal);
  const queues = new Map<number, Queue>();
  const rounds = new Map<number, Promise<void>>();

  async function sendQueue(url: InsUrl, queue: Queue, { isDraining, signal }: Round) {
    const isOver = () => closing.signal.aborted || signal?.aborted;
    try {
      while (!isOver() && leases.take(url.id)) {
        const next = queue.next(now(), isDraining);
        if (next) {
          const sending = { ...next, url, signal: closing.signal };
          queue.start(next.delivery, attempt(db, now(), sending));
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
  function sendTo(url: InsUrl, how: Round): Promise<void> {
    const running = rounds.get(url.id);
    if (running) return running;
    const queue = queues.get(url.id) ?? queueOf(db, url.id);
    queues.set(url.id, queue);
    const round = sendQueue(url, queue, how).finally(() => rounds.delete(url.id));
    rounds.set(url.id, round);
    return round;
  }

  async function sendDue(how: Round): Promise<void> {
    await Promise.all(findUrls(db).map((url) => sendTo(url, how)));
  }

  async function drain(signal?: AbortSignal): Promise<void> {
    const isOver = () => closing.signal.aborted || signal?.aborted;
    while (!isOver() && hasDue(db, now())) {
      await sendDue({ isDraining: true, signal });
      // Another process may be sending.
      if (!isOver() && hasDue(db, now())) await sleep(INTERVAL / 10);
    }
  }

  const isTelling = () => findUrls(db).length > 0;

  async function look(): Promise<void> {
    try {
      if (isTelling()) {
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
    async close(signal) {
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
