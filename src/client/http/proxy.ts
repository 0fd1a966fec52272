/** The proxy on the way to a service, as the environment names it. */
import { ApiError } from '../errors.ts';
import { isLoopback } from './origin.ts';

export interface HttpProxy {
  /** The variable that names it. */
  readonly source: string;
  /** Scheme, host and port: nothing of it is secret. */
  readonly origin: string;
  /** For the header Proxy-Authorization; missing where nobody signs in. */
  readonly token?: string;
  /** What no message may hold. */
  readonly secrets: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The first that is set counts; set to nothing it means none. */
const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'http_proxy', 'HTTP_PROXY'];
const exceptions = ['no_proxy', 'NO_PROXY'];

/** The variable that names a proxy, and that which names the exceptions. */
export function proxyNames(env: Environment): { proxy?: string; exceptions?: string } {
  const first = (all: readonly string[]) => all.find((name) => env[name] !== undefined);
  const [proxy, except] = [first(names), first(exceptions)];
  return {
    ...(proxy !== undefined && env[proxy] !== '' && { proxy }),
    ...(except !== undefined && { exceptions: except }),
  };
}

/**
 * The proxy for a base URL; undefined where the way is straight, as it always is on this machine.
 * Throws an ApiError of kind `key` for one that can't be used; it quotes nothing, for a password.
 */
export function proxyFor(baseUrl: string, env: Environment): HttpProxy | undefined {
  const { hostname, port } = new URL(baseUrl);
  const { proxy: source, exceptions: except = '' } = proxyNames(env);
  if (source === undefined || isLoopback(hostname)) return undefined;
  if (isException(hostname, port || '443', env[except] ?? '')) return undefined;
  return proxyFrom(source, env[source] ?? '');
}

function proxyFrom(source: string, text: string): HttpProxy {
  const url = urlOf(source, text);
  const origin = `${url.protocol}//${url.host}`;
  if (!url.username && !url.password) return { source, origin, secrets: [] };
  const password = plain(url.password);
  const packed = Buffer.from(`${plain(url.username)}:${password}`).toString('base64');
  return { source, origin, token: `Basic ${packed}`, secrets: [password, packed] };
}

/** Without a scheme it is http. */
function urlOf(source: string, text: string): URL {
  const address = text.trim();
  const whole = /^[a-z][\w+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new ApiError('key', `${source} names no HTTP proxy`, {
    hint: 'it looks like http://user:password@proxy.example.com:3128, special characters as %xx',
  });
}

function plain(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** `*`, hosts, domains with or without a dot or a star before them, each perhaps with a port. */
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
