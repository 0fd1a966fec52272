/** Reads the URL of a PostgreSQL database. The PG… variables of libpq fill in what the URL leaves out. */
import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import pgpass from 'pgpass';
import { DestinationError } from '../destination.ts';

/** Milliseconds to wait for a connection. */
const connectTimeout = 10_000;

/** Milliseconds to wait for the result of a statement, unless the URL says something else in `query_timeout`. */
const answerTimeout = 600_000;

/** Milliseconds of silence after which the connection is probed, so that a server that is gone is noticed. */
const keepAliveAfter = 30_000;

/** Throws a DestinationError for an invalid URL. Its message never quotes the URL, which may have a password. */
export function settingsFrom(url: string): ClientConfig {
  const parsed = parsedFrom(url);
  return {
    ...parsed,
    fallback_application_name: 'cb',
    connectionTimeoutMillis: connectTimeout,
    query_timeout: Number(parsed.query_timeout) || answerTimeout,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfter,
  };
}

function parsedFrom(url: string): ClientConfig {
  try {
    return toClientConfig(parse(verified(url)));
  } catch (cause) {
    if (cause instanceof Error && 'path' in cause) {
      throw new DestinationError('unavailable', `Cannot read ${cause.path}.`, {
        hint: 'Check the files that the URL names in sslrootcert, sslcert and sslkey.',
        cause,
      });
    }
    throw new DestinationError('unavailable', 'The URL of the database is invalid.', {
      hint: 'Use a URL such as postgres://user@localhost/shop. In a password, write @ as %40 and / as %2F.',
    });
  }
}

/**
 * pg verifies the server for each sslmode except `disable` and `no-verify`, but warns that this may change. With the
 * explicit name there is nothing to warn about.
 */
function verified(url: string): string {
  if (/[?&]uselibpqcompat=/i.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/i, '$1verify-full');
}

export interface Server {
  readonly host: string;
  readonly port: number;
  readonly user?: string | undefined;
  readonly database?: string | undefined;
}

/** The password for a server in the password file of libpq, such as ~/.pgpass. */
export async function passwordFromFile(server: Server): Promise<string> {
  return new Promise((done) => pgpass(server, (password) => done(password ?? '')));
}

/** Names the database in messages, without user, password and parameters. */
export function labelOf({ host, port, database }: Server, schema: string): string {
  const parameters = new URLSearchParams();
  const isSocket = host.startsWith('/');
  if (isSocket) parameters.set('host', host);
  if (schema !== defaultSchema) parameters.set('schema', schema);
  const where = isSocket ? '' : `${host.includes(':') ? `[${host}]` : host}`;
  const at = !isSocket && port !== 5432 ? `:${port}` : '';
  const query = parameters.size > 0 ? `?${parameters.toString().replaceAll('%2F', '/')}` : '';
  return `postgres://${where}${at}/${encodeURIComponent(database ?? '')}${query}`;
}

export const defaultSchema = 'clickbank';
