/** Connections by Node's own HTTP client, and by undici from the second request on. */
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
  request as requestPlain,
} from 'node:http';
import { request as requestSecure } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { codeOf } from '../../storage/error-code.ts';
import {
  type Connections,
  connectTimeout,
  type HttpOptions,
  type ReceivedHead,
} from './connections.ts';
import { tooLarge, unusable } from './network-error.ts';

/**
 * The first request goes over Node's own HTTP client: most commands send only one, and undici takes longer to
 * load than all other modules together. undici sends what follows, such as the other pages of a list, and
 * everything that goes through a proxy.
 */
export function openNodeAndUndici(options: HttpOptions): Connections {
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
      limitConnecting(request, connectTimeout(options));
      return new Promise((done, fail) => {
        request.on('error', fail).on('response', (response) => done(headOf(response)));
        request.end();
      });
    },
    async destroy() {
      for (const request of open) request.destroy();
    },
  };
}

function headOf(response: IncomingMessage): ReceivedHead {
  return { statusCode: response.statusCode ?? 0, headers: response.headers, body: response };
}

/** Connecting includes the TLS handshake; nothing is sent before it ends. */
function limitConnecting(request: ClientRequest, timeout: number): void {
  request.on('socket', (socket) => {
    const tooLate = Object.assign(new Error('Timed out connecting.'), { code: 'ECONNTIMEOUT' });
    const timer = setTimeout(() => request.destroy(tooLate), timeout);
    const stop = () => clearTimeout(timer);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', stop).once('close', stop);
  });
}

/** Decompresses a body. Throws an ApiError for anything but complete gzip of at most `largest` bytes. */
export async function gunzipped(bytes: Uint8Array, largest: number): Promise<Uint8Array> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: largest });
  } catch (cause) {
    if (codeOf(cause) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(largest);
    throw unusable('The response is not valid gzip.', cause);
  }
}
