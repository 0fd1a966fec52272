/** Who may use the inspector page: the person who has its address, and nobody's web page. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Gate {
  readonly port: number;
  readonly token: string;
}

/**
 * Returns why a request is refused, or undefined. The token is in the address of the page, and in a header of its
 * requests. A cookie would be sent to every other program on this machine that serves web pages, whatever its port.
 */
export function refusalOf(request: IncomingMessage, { port, token }: Gate): string | undefined {
  const { headers, method, rawHeaders } = request;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  const host = headers.host?.toLowerCase() ?? '';
  const isOwnHost = [`127.0.0.1:${port}`, `localhost:${port}`].includes(host);
  if (hosts.length !== 1 || !isOwnHost) return 'The address must begin with http://127.0.0.1.';
  const isWrite = method !== 'GET';
  const { origin = isWrite ? 'none' : `http://${host}` } = headers;
  const site = headers['sec-fetch-site'] ?? 'none';
  const isOwnPage = origin === `http://${host}` && ['none', 'same-origin'].includes(String(site));
  if (!isOwnPage) return 'Requests from other web pages are not accepted.';
  if (!isSame(tokenOf(request), token)) {
    return 'Open the address that cb ins listen printed. It has another token after each start.';
  }
  return undefined;
}

function tokenOf({ headers, url = '' }: IncomingMessage): string {
  const [, given] = /^Bearer ([\w-]+)$/.exec(headers.authorization ?? '') ?? [];
  return given ?? /^\/\?token=([\w-]+)$/.exec(url)?.[1] ?? '';
}

/** Takes the same time wherever the texts differ. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
