/** Word of each exchange over a transport, for debugging. */
import type { Clock } from './clock.ts';
import { type Mask, maskedAnswer, maskedHeaders } from './mask.ts';
import type { Exchange, Received, Transport } from './transport.ts';

/** A request as it went out. */
export interface Sent extends Exchange {
  /** Of all that this client sent, from 1. */
  readonly number: number;
}

/** So many characters of a body are told. */
export const toldLength = 2048;

/** Who is told; nothing of it holds a key, and a long body ends early. Times are milliseconds. */
export interface Witness {
  sent(request: Sent): void;
  answered(request: Sent, answer: Received, took: number): void;
  failed(request: Sent, why: string, took: number): void;
}

/** The same transport, whose exchanges are told. */
export function watched(
  transport: Transport,
  witness: Witness,
  { clock, mask }: { readonly clock: Clock; readonly mask: Mask },
): Transport {
  let count = 0;
  return {
    ...transport,
    async send(exchange, signal) {
      count += 1;
      const sent = { ...maskedExchange(exchange, mask), number: count };
      witness.sent(sent);
      const start = clock.now();
      try {
        const answer = await transport.send(exchange, signal);
        witness.answered(sent, beginningOf(answer, mask), clock.now() - start);
        return answer;
      } catch (error) {
        const { message } = error as Error;
        witness.failed(sent, mask(message), clock.now() - start);
        throw error;
      }
    },
  };
}

function maskedExchange({ method, url, headers }: Exchange, mask: Mask): Exchange {
  return { method, url: mask(url), headers: maskedHeaders(headers, mask) };
}

/** Redacted before it is cut, since the end could cut through a key. */
function beginningOf(answer: Received, mask: Mask): Received {
  const masked = maskedAnswer(answer, mask);
  return { ...masked, body: { text: masked.body.text.slice(0, toldLength) } };
}
