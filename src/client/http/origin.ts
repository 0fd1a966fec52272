/** Base URLs: a key is sent over https, or over plain http on this machine only. And the proxy of the environment. */
import { ApiError } from '../errors.ts';

export const liveBaseUrl = 'https://api.clickbank.com';

/**
 * Normalizes a base URL: scheme, host and port, an optional path, no trailing slash. `source`
 * names where it was read from. An invalid URL is not quoted, since it may be a key put there by mistake.
 */
export function baseUrlFrom(text: string, source = 'The base URL'): string {
  if (/[\p{Cc}\s]/u.test(text)) {
    const message = `${source} contains a space, a line break, or a control character.`;
    throw new ApiError('request', message);
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Without a scheme, `localhost:80` is parsed as a URL whose scheme is `localhost`.
  if (!url || url.origin === 'null') {
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

/** The service in state files: its base URL, or `sandbox`, whose port changes and whose keys work nowhere else. */
export function serviceIdentity(baseUrl: string, key: string): string {
  return isSandboxKey(key) && isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : baseUrl;
}

/** The API key may follow a developer key and a colon. */
export function isSandboxKey(key: string): boolean {
  return /(^|:)API-SANDBOX/.test(key);
}

export interface HttpProxy {
  /** The environment variable that names it. */
  readonly source: string;
  /** Scheme, host, and port; contains no secret. */
  readonly origin: string;
  /** For the header Proxy-Authorization; absent without credentials. */
  readonly token?: string;
  /** Texts to redact in every message. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The first variable that is set counts; an empty value means no proxy. */
const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY'];
const exceptions = ['no_proxy', 'NO_PROXY'];

export function proxyNames(env: Environment): { proxy?: string; exceptions?: string } {
  const first = (all: readonly string[]) => all.find((name) => env[name] !== undefined);
  const [proxy, except] = [first(names), first(exceptions)];
  return {
    ...(proxy !== undefined && env[proxy] !== '' && { proxy }),
    ...(except !== undefined && { exceptions: except }),
  };
}

/** The proxy for a base URL; undefined for none, as on this machine. Throws an ApiError `key`, without quoting it. */
export function proxyFor(baseUrl: string, env: Environment): HttpProxy | undefined {
  const { hostname, port } = new URL(baseUrl);
  const { proxy: source, exceptions: except = '' } = proxyNames(env);
  if (source === undefined || isLoopback(hostname)) return undefined;
  if (isException(hostname, port || '443', env[except] ?? '')) return undefined;
  const whole = withScheme(env[source] ?? '');
  if (!isProxyUrl(whole)) {
    throw new ApiError('key', `${source} does not name an HTTP proxy.`, {
      hint: 'Use a URL such as http://user:password@proxy.example.com:3128, with special characters as %xx.',
    });
  }
  const url = new URL(whole);
  const origin = `${url.protocol}//${url.host}`;
  if (!url.username && !url.password) return { source, origin, secrets: [] };
  const credentials = `${plain(url.username)}:${plain(url.password)}`;
  const packed = Buffer.from(credentials).toString('base64');
  // Not the password alone, which can be a word or an amount of a response.
  return { source, origin, token: `Basic ${packed}`, secrets: [packed] };
}

export function isProxyUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

/** In the environment, the scheme of a proxy defaults to http. */
export function withScheme(typed: string): string {
  const address = typed.trim();
  return /^[a-z][\w+.-]*:\/\//i.test(address) ? address : `http://${address}`;
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Entries are `*`, hosts, and domains (with or without a leading dot or `*.`), each with an optional port. */
function isException(host: string, port: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', own = port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      return own === port && (host === name || host.endsWith(`.${name}`));
    });
}
