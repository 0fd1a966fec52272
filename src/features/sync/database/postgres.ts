/** A copy in PostgreSQL 15 or later, in a schema of its own. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { from as copyFrom } from 'pg-copy-streams';
import pgpass from 'pgpass';
import { DestinationError, type Sql, type SqlReader } from '../destination.ts';
import type { Cell, Column } from '../tables/table.ts';
import { connectError, isStall, postgresError } from './postgres-errors.ts';

export interface PostgresOptions {
  /** `postgres://user@host/database`; what it leaves out comes from PGHOST and the other variables of libpq. */
  readonly url: string;
  /** Default: clickbank. */
  readonly schema?: string | undefined;
}

/** Milliseconds between attempts to get the lock. */
const lockInterval = 250;

/** Connects for a sync. Creates nothing before `lock`. Throws a DestinationError. */
export async function openPostgres({ url, schema = defaultSchema }: PostgresOptions): Promise<Sql> {
  const connection = await connect(url, schema);
  const { run } = connection;
  // A limit for the questions of people is too short for a window.
  await run('SET statement_timeout = 0');
  return {
    ...connection.reader,
    async transaction(work) {
      await run('BEGIN');
      try {
        const result = await work();
        await run('COMMIT');
        return result;
      } catch (error) {
        await run('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    async load(table, columns, rows) {
      const names = columns.map(({ name }) => name).join(', ');
      await connection.copy(`COPY ${table} (${names}) FROM STDIN`, copyText(columns, rows));
    },
    async lock(patience) {
      await acquire(connection, lockKey(schema), patience);
      await createSchema(connection, schema);
    },
  };
}

/** Connects for reading. Throws a DestinationError, of kind `missing` if the schema has no copy. */
export async function openPostgresReader({
  url,
  schema = defaultSchema,
}: PostgresOptions): Promise<SqlReader> {
  const { reader, run } = await connect(url, schema);
  await run('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY');
  const found = await reader.query<{ found: boolean }>(
    'SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = ? AND tablename = ?) AS found',
    [schema, 'sync_meta'],
  );
  if (found[0]?.found) return reader;
  await reader.close();
  throw new DestinationError('missing', `There is no copy in ${reader.label}.`, {
    hint: 'Create it with `cb sync` and this URL.',
  });
}

interface Connection {
  readonly reader: SqlReader;
  /** Runs a statement without values. */
  run(text: string): Promise<void>;
  copy(statement: string, text: string): Promise<void>;
}

async function connect(url: string, schema: string): Promise<Connection> {
  const client = new Client({
    ...settingsFrom(url),
    types: { getTypeParser: (type: number) => parsers[type] ?? String },
  });
  const label = labelOf(client, schema);
  // Errors between queries: the next query fails, too, and reports them.
  client.on('error', () => undefined);
  // As libpq does if neither the URL nor PGPASSWORD has a password. pg would warn that it won't for long.
  if (!client.password) {
    const fromFile = () =>
      new Promise<string>((done) => pgpass(client, (password) => done(password ?? '')));
    Object.assign(client, { password: fromFile });
  }
  const guarded = async <T>(work: () => Promise<T>) =>
    work().catch((error) => {
      // What follows, such as ROLLBACK, must not wait as long again.
      if (isStall(error)) void client.end();
      throw postgresError(error, label);
    });
  const run = (text: string) =>
    guarded(async () => {
      await client.query(text);
    });
  await client.connect().catch((error) => {
    throw connectError(error, label);
  });
  const path = quotedName(schema);
  await run(`SET search_path TO ${path}; SET TIME ZONE 'UTC'; SET DateStyle TO 'ISO, YMD'`);
  return {
    run,
    reader: {
      dialect: 'postgres',
      label,
      query: <R>(text: string, values: readonly Cell[] = []) =>
        guarded(async () => {
          // The extended protocol runs one statement at a time, even without values.
          const query = {
            text: numbered(text, values),
            values: values.map((one) => (typeof one === 'string' ? storableText(one) : one)),
          };
          const config = { ...query, queryMode: 'extended' };
          return (await client.query(config)).rows as R[];
        }),
      close: () => client.end(),
    },
    copy: (statement, text) =>
      guarded(() => {
        const stream = client.query(copyFrom(statement));
        return new Promise<void>((done, fail) => {
          stream.on('error', fail).on('finish', done);
          stream.end(text);
        });
      }),
  };
}

/** Question marks outside of texts, names and comments become $1, $2 and so on. */
function numbered(text: string, values: readonly Cell[]): string {
  if (values.length === 0) return text;
  let number = 0;
  const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;
  return text.replace(tokens, (token) => {
    if (token !== '?') return token;
    number += 1;
    return `$${number}`;
  });
}

/** The types with another form than the text that PostgreSQL sends, by their OID. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  20: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : text),
  21: Number,
  23: Number,
  26: Number,
  700: Number,
  701: Number,
  // timestamptz in UTC, as the copy in SQLite has it.
  1184: (text) => text.replace(' ', 'T').replace(/\+00$/, 'Z'),
};

/** Session locks end with the connection, so a sync that lost its lock can't write either. */
async function acquire({ reader }: Connection, key: string, patience: number): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    const [row] = await reader.query<{ held: boolean }>('SELECT pg_try_advisory_lock(?) AS held', [
      key,
    ]);
    if (row?.held) return;
    const left = end - performance.now();
    if (left <= 0) {
      throw new DestinationError('busy', `Another cb sync is writing to ${reader.label}.`, {
        hint: 'Try again when it has ended.',
      });
    }
    await sleep(Math.min(lockInterval, left));
  }
}

/** Advisory locks have a number for a name, and are separate in each database. */
function lockKey(schema: string): string {
  return createHash('sha256').update(`cb sync ${schema}`).digest().readBigInt64BE().toString();
}

/** IF NOT EXISTS needs the permission to create schemas even if the schema is there. */
async function createSchema({ reader, run }: Connection, schema: string): Promise<void> {
  const found = await reader.query('SELECT FROM pg_namespace WHERE nspname = ?', [schema]);
  if (found.length === 0) await run(`CREATE SCHEMA ${quotedName(schema)}`);
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What has a meaning in the format. */
const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** One line for each row, with a tab between its cells. */
function copyText(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const isJson = columns.map(({ type }) => type === 'json');
  const lines = rows.map((row) =>
    row.map((cell, i) => copyCell(cell, isJson[i] ?? false)).join('\t'),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function copyCell(cell: Cell, isJson: boolean): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  const text = isJson ? storableJson(String(cell)) : storableText(String(cell));
  return text.replace(special, (character) => escapes[character] ?? '');
}

/** PostgreSQL stores no NUL in texts. Lone surrogates become U+FFFD when the text is encoded. */
function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** jsonb accepts neither NUL nor lone surrogates; JSON.stringify escapes both, and no other surrogates. */
function storableJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replace(/\\(?:u([0-9a-f]{4})|.)/gi, (sequence, code?: string) => {
    if (code === undefined) return sequence;
    if (code === '0000') return '';
    return /^d[89a-f]/i.test(code) ? '\uFFFD' : sequence;
  });
}

/** Milliseconds to wait for a connection. */
const connectTimeout = 10_000;

/** Milliseconds to wait for the result of a statement, unless the URL says something else in `query_timeout`. */
const answerTimeout = 600_000;

/** Milliseconds of silence after which the connection is probed, so that a server that is gone is noticed. */
const keepAliveAfter = 30_000;

/** Throws a DestinationError for an invalid URL. Its message never quotes the URL, which may have a password. */
function settingsFrom(url: string): ClientConfig {
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

interface Server {
  readonly host: string;
  readonly port: number;
  readonly database?: string | undefined;
}

/** Names the database in messages, without user, password and parameters. */
function labelOf({ host, port, database }: Server, schema: string): string {
  const parameters = new URLSearchParams();
  const isSocket = host.startsWith('/');
  if (isSocket) parameters.set('host', host);
  if (schema !== defaultSchema) parameters.set('schema', schema);
  const where = isSocket ? '' : `${host.includes(':') ? `[${host}]` : host}`;
  const at = !isSocket && port !== 5432 ? `:${port}` : '';
  const query = parameters.size > 0 ? `?${parameters.toString().replaceAll('%2F', '/')}` : '';
  return `postgres://${where}${at}/${encodeURIComponent(database ?? '')}${query}`;
}

const defaultSchema = 'clickbank';
