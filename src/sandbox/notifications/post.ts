/** Sends one notification and waits for the status of the response. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
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
  // Also if NODE_TLS_REJECT_UNAUTHORIZED is 0.
  const how = { method: 'POST', headers, agent: false, rejectUnauthorized: true } as const;
  const sent = url.startsWith('https:') ? requestHttps(url, how) : requestHttp(url, how);
  return exchange(sent, body, options);
}

function exchange(sent: ClientRequest, body: string, { signal, cut }: PostOptions) {
  return new Promise<Outcome>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const end = (outcome: Outcome) => {
      leave();
      resolve(outcome);
    };
    const abort = () => {
      leave();
      sent.destroy();
      reject(signal.reason);
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
      discard(response);
      end({ status: response.statusCode ?? null, error: null });
    });
    if (signal.aborted) abort();
    else if (cut) sendHalf(sent, body, () => end(CUT));
    else sent.end(body);
  });
}

/** Reads the rest of a response, so that the receiver can send it, but not for long. */
function discard(response: IncomingMessage): void {
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), TIMEOUT);
  response.on('close', () => clearTimeout(timer));
  response.on('error', () => response.destroy());
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_READ) response.destroy();
  });
}

function sendHalf(sent: ClientRequest, body: string, ended: () => void): void {
  sent.write(body.slice(0, body.length >> 1), () => {
    ended();
    sent.destroy();
  });
}
