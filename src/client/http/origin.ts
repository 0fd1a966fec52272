/** Where a key may go: https anywhere, plain http only on this machine. */
import { isIP } from 'node:net';
import { ApiError } from '../errors.ts';

export const liveBaseUrl = 'https://api.clickbank.com';

/**
 * The base URL in its one form: scheme, host and port, an optional path, no slash at the end. `source`
 * is what it was read from. What is no URL is not quoted, since a key may have been put there.
 */
export function baseUrlFrom(text: string, source = 'the base URL'): string {
  if (/[\p{Cc}\s]/u.test(text)) {
    throw new ApiError('request', `${source} holds a space, a line break or a control character`);
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ApiError('key', `${source} is not a URL`, { hint: `it looks like ${liveBaseUrl}` });
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ApiError('key', `${source} must hold neither a user, a password nor a query`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ApiError('key', `${source}, ${url.origin}, is not https`, {
      hint: 'a key is sent over plain http to this machine only',
    });
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1') return true;
  return isIP(host) === 4 && host.startsWith('127.');
}

/**
 * The service as state on the disk names it: its base URL, or `sandbox`, which has another port on
 * every run and whose keys are no others' keys.
 */
export function serviceIdentity(baseUrl: string, key: string): string {
  return isSandboxKey(key) && isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : baseUrl;
}

/** A developer key may stand before it. */
export function isSandboxKey(key: string): boolean {
  return /(^|:)API-SANDBOX/.test(key);
}
