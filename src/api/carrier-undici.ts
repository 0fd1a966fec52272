/** Requests over undici: connections are kept, for as many requests as may follow. */
import { Agent, buildConnector } from 'undici';
import { type Dials, dialsOf } from './dials.ts';
import { type Carrier, connectTimeout, type TransportOptions } from './transport.ts';

export function openUndici(options: TransportOptions): Carrier {
  const dials = dialsOf(options);
  const connect = buildConnector({ timeout: connectTimeout(options), rejectUnauthorized: true });
  return dials.heard(
    new Agent({
      connections: options.connections,
      connect: counted(connect, dials),
      // One deadline holds for the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    }),
  );
}

function counted(connect: buildConnector.connector, dials: Dials): buildConnector.connector {
  return (options, callback) => {
    try {
      dials.next();
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    connect(options, callback);
  };
}
