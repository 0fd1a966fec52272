/** Requests over undici: connections are kept, for as many requests as may follow. */
import { Agent } from 'undici';
import { type Carrier, connectTimeout, type TransportOptions } from './transport.ts';

export function openUndici(options: TransportOptions): Carrier {
  return new Agent({
    connections: options.connections,
    connect: { timeout: connectTimeout(options) },
    // One deadline holds for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
