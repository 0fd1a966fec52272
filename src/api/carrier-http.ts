/**
 * Requests over Node's own client, which is loaded in a tenth of the time. Each has a connection of
 * its own: a write never meets one that the service has just closed.
 */
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { type Carrier, connectTimeout, type TransportOptions } from './transport.ts';

export function openHttp(options: TransportOptions): Carrier {
  const open = new Set<ClientRequest>();
  return {
    request({ origin, path, method, headers, signal }) {
      const send = origin.startsWith('https:') ? requestSecure : requestPlain;
      const request = send(origin + path, {
        ...{ method, headers, signal, agent: false },
        rejectUnauthorized: true,
      });
      open.add(request);
      request.on('close', () => open.delete(request));
      giveUpConnecting(request, connectTimeout(options));
      return new Promise((done, fail) => {
        request.on('error', fail).on('response', (answer) => done(headOf(answer)));
        request.end();
      });
    },
    async destroy() {
      for (const request of open) request.destroy();
    },
  };
}

function headOf(answer: IncomingMessage) {
  return { statusCode: answer.statusCode ?? 0, headers: answer.headers, body: answer };
}

/** The handshake of TLS is part of connecting, and nothing is sent before its end. */
function giveUpConnecting(request: ClientRequest, timeout: number): void {
  request.on('socket', (socket) => {
    const timer = setTimeout(() => {
      request.destroy(
        Object.assign(new Error('connecting took too long'), { code: 'ECONNTIMEOUT' }),
      );
    }, timeout);
    const stop = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
}
