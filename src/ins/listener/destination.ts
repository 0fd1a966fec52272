/** Where a listener delivers events: the receiver of the user. */
import type { EventContent } from '../journal/journal-queries.ts';

/** `plain` sends the decrypted JSON, `as-received` the encrypted body. */
export const forwardForms = ['plain', 'as-received'] as const;
export type ForwardForm = (typeof forwardForms)[number];

export interface DeliveryResult {
  readonly isDone: boolean;
  /** As in `HTTP 200` or `no answer within 10 seconds`. */
  readonly text: string;
}

/** Makes one attempt. Never rejects, except with the reason of `signal`. */
export type Destination = (content: EventContent, signal: AbortSignal) => Promise<DeliveryResult>;

/** Milliseconds that a receiver gets, which may be stopped in a debugger. */
const patience = 10_000;

/** Any 2xx is a success, as for the service. Redirects are not followed. */
export function receiverAt(url: URL, form: ForwardForm): Destination {
  return async ({ text, body }, signal) => {
    const sent = form === 'plain' ? text : body;
    if (sent === null) return { isDone: false, text: 'no secret to encrypt it with' };
    const timeout = AbortSignal.timeout(patience);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: sent,
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeout]),
      });
      await response.body?.cancel();
      return { isDone: response.ok, text: `HTTP ${response.status}` };
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) return { isDone: false, text: 'no answer within 10 seconds' };
      const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
      return { isDone: false, text: cause?.code ?? cause?.message ?? message };
    }
  };
}
