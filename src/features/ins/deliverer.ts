/** Delivers the events of a journal to one destination, with retries, until it is stopped. */
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Clock } from '../../client/clock.ts';
import type { DeliveryKind, Journal } from './journal/journal.ts';
import { type EventContent, eventContent } from './journal/journal-queries.ts';

export interface DelivererOptions {
  readonly journal: Journal;
  readonly kind: DeliveryKind;
  readonly destination: Destination;
  /** Maximum number of deliveries at a time. */
  readonly most: number;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  now(): number;
  onAttempt(id: number, result: DeliveryResult, retryIn: number | undefined): void;
  /** A result can't be written to the journal, so that the event will be delivered again. */
  onUnrecorded(error: unknown): void;
}

export type Deliverer = ReturnType<typeof startDeliverer>;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds between the attempts, and then every hour for three days. */
const firstDelays = [second, 5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute];
const mostAttempts = firstDelays.length + 72;

/** Milliseconds until the next attempt after so many; undefined after the last one. */
function retryDelay(attempts: number): number | undefined {
  return attempts >= mostAttempts ? undefined : (firstDelays[attempts - 1] ?? hour);
}

/** Milliseconds for deliveries to finish when the listener stops. */
const patience = 3 * second;

/** Long enough for a full disk not to cause a flood of repeated deliveries. */
const pauseAfterUnrecorded = 10 * second;

export function startDeliverer(options: DelivererOptions) {
  const { journal, kind, destination, most, clock, now } = options;
  const running = new Map<number, Promise<void>>();
  const stopping = new AbortController();
  const ending = new AbortController();
  let isQueued = false;

  async function deliverOne({ id, attempts }: ReturnType<Journal['due']>[number]) {
    const content = eventContent(journal.database, id);
    if (!content) return;
    const result = await destination(content, ending.signal);
    const { isDone, isFinal = isDone, retryIn = retryDelay(attempts + 1), text } = result;
    const at = now();
    const delay = isFinal ? undefined : retryIn;
    const dueAt = delay === undefined ? undefined : at + delay;
    try {
      await journal.record(id, kind, { at, result: text, isDone, dueAt });
    } catch (error) {
      options.onUnrecorded(error);
      await clock.sleep(pauseAfterUnrecorded, ending.signal);
      return;
    }
    options.onAttempt(id, result, delay);
  }

  function fill(): void {
    isQueued = false;
    if (stopping.signal.aborted || running.size >= most) return;
    // Deliveries that are running are still due in the journal.
    const due = journal.due(kind, now(), most + running.size);
    const others = due.filter(({ id }) => !running.has(id)).slice(0, most - running.size);
    for (const one of others) {
      const run = deliverOne(one).catch(() => undefined);
      const end = () => {
        running.delete(one.id);
        wake();
      };
      running.set(one.id, run.finally(end));
    }
  }

  function wake(): void {
    if (isQueued || stopping.signal.aborted) return;
    isQueued = true;
    setImmediate(fill);
  }

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake();
      await clock.sleep(second, stopping.signal).catch(() => undefined);
    }
  }

  const looking = look();
  return {
    /** Looks for events that are due. Other processes may add some, so it also looks by itself every second. */
    wake,
    /** Delivers what was just received, and nothing later. Leaves what takes over 3 seconds to the next listener. */
    async stop() {
      if (isQueued) fill();
      stopping.abort();
      const ended = Promise.all([looking, ...running.values()]);
      await Promise.race([ended, clock.sleep(patience, ending.signal)]);
      ending.abort();
      await ended;
    },
  };
}

/** `plain` sends the decrypted JSON, `as-received` the encrypted body. */
export type ForwardForm = 'plain' | 'as-received';

export interface DeliveryResult {
  readonly isDone: boolean;
  /** It is not tried again. */
  readonly isFinal?: boolean;
  /** Milliseconds until the next attempt, if not by the usual delays. */
  readonly retryIn?: number;
  /** As in `HTTP 200` or `no answer within 10 seconds`. */
  readonly text: string;
}

/** Makes one attempt. Never rejects, except with the reason of `signal`. */
export type Destination = (content: EventContent, signal: AbortSignal) => Promise<DeliveryResult>;

/** Milliseconds that a receiver gets, which may be stopped in a debugger. */
const answerTime = 10_000;

/** Any 2xx is a success, as for the service. */
export function receiverAt(url: URL, form: ForwardForm): Destination {
  return async ({ text, body }, signal) => {
    const sent = form === 'plain' ? text : body;
    if (sent === null) return { isDone: false, text: 'no secret to encrypt it with' };
    try {
      const { ok, status } = await post(url, sent, signal, answerTime);
      return { isDone: ok, text: `HTTP ${status}` };
    } catch (error) {
      signal.throwIfAborted();
      return { isDone: false, text: (error as Error).message };
    }
  };
}

/**
 * Redirects are not followed, and certificates are always verified, also if NODE_TLS_REJECT_UNAUTHORIZED is 0, which
 * `fetch` obeys. Rejects with an Error whose message is a clause that says why there was no response.
 */
export function post(url: URL, body: string, signal: AbortSignal, patience: number) {
  const headers = { 'Content-Type': 'application/json' };
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise<{ readonly status: number; readonly ok: boolean }>((resolve, reject) => {
    // A connection of its own: one that the receiver has just closed would look like its failure.
    const settings = { method: 'POST', headers, agent: false, signal } as const;
    const sent = send(url, { ...settings, rejectUnauthorized: true });
    const late = new Error(`no answer within ${patience / 1000} seconds`);
    const timer = setTimeout(() => sent.destroy(late), patience);
    sent.on('close', () => {
      clearTimeout(timer);
      // A switch of protocols closes the connection without an error. After a response, this has no effect.
      reject(new Error('the receiver closed the connection'));
    });
    sent.on('error', (cause: NodeJS.ErrnoException) =>
      reject(new Error(cause.code ?? cause.message, { cause })),
    );
    sent.on('response', (response) => {
      response.destroy();
      const { statusCode: status = 0 } = response;
      resolve({ status, ok: status >= 200 && status < 300 });
    });
    sent.end(body);
  });
}
