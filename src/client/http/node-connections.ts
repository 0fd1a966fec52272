/** Connections by Node's own HTTP client, and by undici from the second request on. */
import { type ClientRequest, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { ApiError } from '../errors.ts';
import { type Connections, connectTimeout, type HttpOptions, openFetch } from './connections.ts';
import type { Fetch } from './fetch.ts';

/**
 * The first request goes over Node's own HTTP client: most commands send only one, and undici takes longer to
 * load than all other modules together. undici sends what follows, such as the other pages of a list, and
 * everything that goes through a proxy. With `fetch`, that function sends everything; then a proxy is refused.
 */
export function openConnections(options: HttpOptions, fetch?: Fetch): Connections {
  if (fetch && options.proxy) {
    throw new ApiError('request', "A proxy can't be used together with fetch.", {
      hint: 'Use one or the other.',
    });
  }
  if (fetch) return openFetch(fetch);
  const first = openNode(options);
  let pool: Promise<Connections> | undefined;
  let isFirst = options.proxy === undefined;
  return {
    async request(sent) {
      if (isFirst) {
        isFirst = false;
        return first.request(sent);
      }
      pool ??= import('./undici-connections.ts').then(({ openUndici }) => openUndici(options));
      return (await pool).request(sent);
    },
    async destroy() {
      await Promise.all([first.destroy(), pool?.then((opened) => opened.destroy())]);
    },
  };
}

/** Opens a connection for each request, so a write never uses one that the service has just closed. */
export function openNode(options: HttpOptions): Connections {
  const open = new Set<ClientRequest>();
  return {
    request({ origin, path, method, headers, signal }) {
      const send = origin.startsWith('https:') ? requestSecure : requestPlain;
      const settings: RequestOptions & { rejectUnauthorized: true } = {
        ...{ method, headers, signal, agent: false, rejectUnauthorized: true },
      };
      const request = send(origin + path, settings);
      open.add(request);
      request.on('close', () => open.delete(request));
      // Connecting includes the TLS handshake; nothing is sent before it ends.
      request.on('socket', (socket) => {
        const tooLate = Object.assign(new Error('Timed out connecting.'), { code: 'ECONNTIMEOUT' });
        const timer = setTimeout(() => request.destroy(tooLate), connectTimeout(options));
        const stop = () => clearTimeout(timer);
        socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
      });
      return new Promise((done, fail) => {
        request.on('error', fail).on('response', (response) => {
          const { statusCode = 0, headers } = response;
          done({ statusCode, headers, body: response });
        });
        request.end();
      });
    },
    async destroy() {
      for (const request of open) request.destroy();
    },
  };
}
