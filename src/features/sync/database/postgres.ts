/** A copy in PostgreSQL 15 or later, in a schema of its own. */
import { createHash } from 'node:crypto';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { from as copyFrom } from 'pg-copy-streams';
import pgpass from 'pgpass';
import { escapedCell } from '../../../output/rows/rows.ts';
import { codeOf } from '../../../storage/files.ts';
import {
  busyCopy,
  DestinationError,
  type DestinationErrorKind,
  damagedCopy,
  type Sql,
  type SqlReader,
} from '../destination.ts';
import type { Cell, Column } from '../tables/table.ts';

export interface PostgresOptions {
  /** `postgres://user@host/database`; what it leaves out comes from PGHOST and the other variables of libpq. */
  readonly url: string;
  /** Default: clickbank. */
  readonly schema?: string | undefined;
}

const lockInterval = 250;

/** Connects for a sync. Creates nothing before `lock`. Throws a DestinationError. */
export async function openPostgres(options: PostgresOptions): Promise<Sql> {
  const { reader, copy, schema } = await connect(options);
  const { query } = reader;
  // A limit for the questions of people is too short for a window.
  await query('SET statement_timeout = 0');
  const copyLock = `cb sync ${schema}`;
  const accountsLock = `${copyLock} accounts`;
  let held: string | undefined;
  let isShared = false;
  let isExclusive = false;
  // Advisory locks have a number for a name, and are separate in each database. They end with the connection, so a
  // sync that lost its lock can't write either.
  const keyOf = (name: string) =>
    createHash('sha256').update(name).digest().readBigInt64BE().toString();
  const free = (unlock: string, name: string) => query(`SELECT ${unlock}(?)`, [keyOf(name)]);
  const take = async (attempt: string, name: string, patience: number) => {
    const end = performance.now() + patience;
    const text = `SELECT ${attempt}(?) AS is_held`;
    while (!(await query<{ is_held: boolean }>(text, [keyOf(name)]))[0]?.is_held) {
      const left = end - performance.now();
      if (left <= 0) throw busyCopy(reader.label);
      await sleep(Math.min(lockInterval, left));
    }
  };
  return {
    ...reader,
    async transaction(work) {
      await query('BEGIN');
      try {
        const result = await work();
        await query('COMMIT');
        return result;
      } catch (error) {
        await query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
    async load(table, columns, rows) {
      const names = columns.map(({ name }) => name).join(', ');
      await copy(`COPY ${table} (${names}) FROM STDIN`, copyText(columns, rows));
    },
    async lock(patience) {
      await take('pg_try_advisory_lock', copyLock, patience);
      // IF NOT EXISTS needs the permission to create schemas even if the schema is there.
      const found = await query('SELECT FROM pg_namespace WHERE nspname = ?', [schema]);
      if (found.length === 0) await query(`CREATE SCHEMA ${quotedName(schema)}`);
    },
    async lockAccount(account, patience) {
      // The next account of the same run.
      if (held !== undefined) await free('pg_advisory_unlock', held);
      held = undefined;
      const key = `${copyLock} account ${account}`;
      await take('pg_try_advisory_lock', key, patience);
      held = key;
      if (isShared) return;
      await take('pg_try_advisory_lock_shared', accountsLock, patience);
      isShared = true;
      if (isExclusive) await free('pg_advisory_unlock', accountsLock);
      await free('pg_advisory_unlock', copyLock);
    },
    async lockAccounts(patience) {
      await take('pg_try_advisory_lock', accountsLock, patience);
      isExclusive = true;
    },
  };
}

/** Connects for reading. Throws a DestinationError. */
export async function openPostgresReader(options: PostgresOptions): Promise<SqlReader> {
  const { reader } = await connect(options);
  await reader.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY');
  return reader;
}

async function connect({ url, schema = defaultSchema }: PostgresOptions) {
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
      if (stalled.test(wordsOf(error))) void client.end();
      throw errorFrom(error, label);
    });
  await client.connect().catch((error) => {
    throw connectError(error, label);
  });
  const path = quotedName(schema);
  // To compile a metric takes as long as to run it.
  const session = `SET search_path TO ${path}; SET TIME ZONE 'UTC'; SET DateStyle TO 'ISO, YMD'; SET jit TO off`;
  await guarded(() => client.query(session)).catch(async (error) => {
    // An open connection would keep the process alive.
    await client.end();
    throw error;
  });
  const reader: SqlReader = {
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
  };
  const copy = (statement: string, text: string) =>
    guarded(() => finished(client.query(copyFrom(statement)).end(text)));
  return { reader, copy, schema };
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
  23: Number,
  701: Number,
  // timestamptz in UTC, as the copy in SQLite has it.
  1184: (text) => text.replace(' ', 'T').replace(/\+00$/, 'Z'),
};

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** One line for each row, with a tab between its cells. */
function copyText(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const cellOf = (cell: Cell, i: number) => {
    if (cell === null) return '\\N';
    const text = String(cell);
    return escapedCell(columns[i]?.type === 'json' ? storableJson(text) : storableText(text));
  };
  return rows.map((row) => `${row.map(cellOf).join('\t')}\n`).join('');
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

/** What pg says when it has waited for as long as `query_timeout` allows. */
const stalled = /^ Query read timeout$/;

/** Milliseconds of silence after which the connection is probed, so that a server that is gone is noticed. */
const keepAliveAfter = 30_000;

/** Throws a DestinationError for an invalid URL. Its message never quotes the URL, which may have a password. */
function settingsFrom(url: string): ClientConfig {
  try {
    const parsed = toClientConfig(parse(verified(url)));
    return {
      ...parsed,
      fallback_application_name: 'cb',
      connectionTimeoutMillis: connectTimeout,
      query_timeout: Number(parsed.query_timeout) || answerTimeout,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfter,
    };
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

/** Names the database in messages, without user, password and parameters. */
function labelOf({ host, port, database = '' }: Client, schema: string): string {
  const parameters = new URLSearchParams();
  const isSocket = host.startsWith('/');
  if (isSocket) parameters.set('host', host);
  if (schema !== defaultSchema) parameters.set('schema', schema);
  const name = host.includes(':') ? `[${host}]` : host;
  const where = isSocket ? '' : `${name}${port === 5432 ? '' : `:${port}`}`;
  const query = parameters.size > 0 ? `?${parameters.toString().replaceAll('%2F', '/')}` : '';
  return `postgres://${where}/${encodeURIComponent(database)}${query}`;
}

const defaultSchema = 'clickbank';

type Explained = readonly [
  pattern: RegExp,
  kind: DestinationErrorKind,
  message: string,
  hint?: string | undefined,
];

const cannotConnect = 'Cannot connect to LABEL: REASON.';
const anyReason = 'LABEL: REASON.';
const continues = 'What was committed is kept. Run the command again to continue.';

/** What is wrong, by the SQLSTATE (appendix A of the PostgreSQL manual) or the code of the system, and the message. */
const explanations: readonly Explained[] = [
  [
    ...([/^28/, 'unavailable', cannotConnect] as const),
    'Check the user and the password: in the URL, in PGPASSWORD, or in ~/.pgpass.',
  ],
  [/^3D000/, 'unavailable', cannotConnect, 'Create it, for example with `createdb`.'],
  [/^57P03/, 'unavailable', cannotConnect, 'Try again in a moment.'],
  [
    // pg reports a connection that ended in its own words, and a broken socket by its code.
    /^(?:57P|08|ECONNRESET|EPIPE|ETIMEDOUT|ERR_STREAM_)|^ Connection terminated|^ Client was closed|connection error and is not queryable/,
    ...(['lost', 'The connection to LABEL was lost.', continues] as const),
  ],
  [stalled, 'lost', 'LABEL stopped answering.', continues],
  [
    ...([/^53100/, 'full', 'The disk of LABEL is full.'] as const),
    'Free some space. Then run the command again to continue.',
  ],
  [/^53/, 'unavailable', anyReason, 'Try again later.'],
  [/^58/, 'unavailable', anyReason],
  [
    // Without USAGE, PostgreSQL says that there is no schema.
    ...([/^(?:42501|3F000)/, 'unsuitable', anyReason] as const),
    'Grant the role CREATE and TEMPORARY on the database, or create the schema with this role as its owner. To read a copy, it needs USAGE on the schema and SELECT on its tables and views.',
  ],
  [
    ...([/^25006/, 'unsuitable', "LABEL can't be written to."] as const),
    'Name a database that is neither a replica nor read-only.',
  ],
  [
    ...([/^42P07/, 'unsuitable', 'LABEL has other tables: REASON.'] as const),
    'Name another schema with --schema.',
  ],
  [/^40|^55P03/, 'busy', anyReason, 'Another program uses the tables of the copy. Try again.'],
];

/** The states of a table or column that is missing, and of a column that exists twice. */
const damagedStates = ['42P01', '42703', '42701'];

function explain(error: unknown): Explained | undefined {
  return explanations.find(([pattern]) => pattern.test(wordsOf(error)));
}

/** The code of an error, a space, and its message. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? `${codeOf(error) ?? ''} ${error.message}` : '';
}

/** Returns a DestinationError for what the user can solve; anything else stays as it is. */
function errorFrom(error: unknown, label: string, explanation = explain(error)): unknown {
  if (!(error instanceof Error) || error instanceof DestinationError) return error;
  const code = codeOf(error) ?? '';
  if (damagedStates.includes(code)) return damagedCopy(label, error.message, error);
  if (!explanation) return error;
  const [, kind, message, hint] = explanation;
  const words: Readonly<Record<string, string>> = { LABEL: label, REASON: reasonOf(error, code) };
  const text = message.replaceAll(/LABEL|REASON/g, (word) => words[word] ?? word);
  return new DestinationError(kind, text, { hint, cause: error });
}

/** While connecting, each unknown or lost connection means that there is none. */
function connectError(error: unknown, label: string): unknown {
  const known = explain(error);
  if (known && known[1] !== 'lost') return errorFrom(error, label, known);
  const hint = /CERT|SELF_SIGNED|VERIFY/.test(codeOf(error) ?? '')
    ? 'To trust an authority of your own, add sslrootcert=FILE to the URL.'
    : 'Check the host, the port and sslmode, and that PostgreSQL is running.';
  return errorFrom(error, label, [/^/, 'unavailable', cannotConnect, hint]);
}

const socketReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOENT: 'there is no such socket',
  ENOTFOUND: 'unknown host',
  ETIMEDOUT: 'timeout',
};

function reasonOf({ message }: Error, code: string): string {
  if (message === 'timeout expired') return 'timeout';
  return socketReasons[code] ?? message.replace(/[.\s]+$/, '');
}
