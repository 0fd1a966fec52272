/** Checks base URLs: a key is sent over https, or over plain http on this machine only. */
import { ApiError } from '../errors.ts';

export const liveBaseUrl = 'https://api.clickbank.com';

/**
 * Normalizes a base URL: scheme, host and port, an optional path, no trailing slash. `source`
 * names where it was read from. An invalid URL is not quoted, since it may be a key put there by mistake.
 */
export function baseUrlFrom(text: string, source = 'The base URL'): string {
  if (/[\p{Cc}\s]/u.test(text)) {
    throw new ApiError(
      'request',
      `${source} contains a space, a line break, or a control character.`,
    );
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ApiError('key', `${source} is not a valid URL.`, {
      hint: `Use a URL such as ${liveBaseUrl}.`,
    });
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ApiError('key', `${source} must not contain a user, a password, or a query.`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ApiError('key', `${source}, ${url.origin}, does not use https.`, {
      hint: 'Plain http is allowed only to this machine.',
    });
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || host === '::1') return true;
  return /^127(?:\.(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])){3}$/.test(host);
}

/**
 * The service as named in state files: its base URL, or `sandbox`, whose port differs on
 * every run and whose keys belong to no other service.
 */
export function serviceIdentity(baseUrl: string, key: string): string {
  return isSandboxKey(key) && isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : baseUrl;
}

/** The API key may follow a developer key and a colon. */
export function isSandboxKey(key: string): boolean {
  return /(^|:)API-SANDBOX/.test(key);
}
