/** Sends one notification to a receiver, as the service does. */
import { isLoopback } from '../client/http/origin.ts';

export interface Delivery {
  /** HTTP status of the receiver. */
  readonly status: number;
  readonly milliseconds: number;
}

/** The time that the service gives a receiver, in milliseconds. */
const deliveryTime = 3000;

/** Whether a URL is on this machine. */
export function isLocal({ hostname }: URL): boolean {
  return isLoopback(hostname);
}

/**
 * Posts the body once; redirects are not followed. Throws an Error whose message is a clause that says why there was
 * no response.
 */
export async function deliver(url: URL, body: string, signal: AbortSignal): Promise<Delivery> {
  const begin = performance.now();
  const timeout = AbortSignal.timeout(deliveryTime);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    await response.body?.cancel();
    return { status: response.status, milliseconds: Math.round(performance.now() - begin) };
  } catch (error) {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    const why = cause?.code ?? cause?.message ?? message;
    throw new Error(timeout.aborted ? 'no answer within 3 seconds' : why, { cause: error });
  }
}
