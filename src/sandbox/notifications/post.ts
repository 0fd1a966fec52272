/** Sends one notification and waits for the status of the response. */
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** Either a status, or why there is none. */
export interface Outcome {
  readonly status: number | null;
  readonly error: string | null;
}

/** Milliseconds in which the service expects a response. */
const TIMEOUT = 3000;
/** In bytes; more of a response is not read. */
const MOST_READ = 65_536;

export const TIMED_OUT: Outcome = { status: null, error: 'no response within 3 seconds' };
export const CUT: Outcome = { status: null, error: 'connection closed by a fault' };

interface PostOptions {
  readonly signal: AbortSignal;
  readonly cut?: boolean;
}

/**
 * Throws the reason of `signal` if it is aborted. With `cut`, sends only half of the body. Certificates are always
 * verified, as by the service, and redirects are not followed. Each request has its own connection: one that the
 * receiver has just closed would look like a failure of the receiver.
 */
export function post(url: string, body: string, options: PostOptions): Promise<Outcome> {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  return exchange(open(url, { method: 'POST', headers, agent: false }), body, options);
}

function exchange(sent: ClientRequest, body: string, { signal, cut }: PostOptions) {
  return new Promise<Outcome>((resolve, reject) => {
    const abort = () => {
      sent.destroy();
      reject(signal.reason);
    };
    const end = (outcome: Outcome) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      end(TIMED_OUT);
      sent.destroy();
    }, TIMEOUT);
    signal.addEventListener('abort', abort);
    sent.on('error', (error: NodeJS.ErrnoException) => {
      end({ status: null, error: error.code ?? error.message });
    });
    sent.on('response', (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_READ) response.destroy();
      });
      response.on('error', () => response.destroy());
      // A body that never ends would keep the connection.
      response.setTimeout(TIMEOUT, () => response.destroy());
      end({ status: response.statusCode ?? null, error: null });
    });
    if (signal.aborted) return abort();
    if (!cut) return void sent.end(body);
    sent.write(body.slice(0, body.length >> 1), () => {
      end(CUT);
      sent.destroy();
    });
  });
}
