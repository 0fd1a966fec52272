/** A copy in PostgreSQL 15 or later, in a schema of its own. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { DestinationError } from '../destination.ts';
import type { Cell } from '../tables/table.ts';
import { copyText, storableText } from './postgres-copy.ts';
import { connectError, isStall, postgresError } from './postgres-errors.ts';
import { defaultSchema, labelOf, passwordFromFile, settingsFrom } from './postgres-settings.ts';
import type { Sql, SqlReader } from './sql.ts';

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
  const client = new Client({ ...settingsFrom(url), types: { getTypeParser } });
  const label = labelOf(client, schema);
  // Errors between queries: the next query fails, too, and reports them.
  client.on('error', () => undefined);
  usePasswordFile(client);
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
          const query = { text: numbered(text, values), values: values.map(bound) };
          const config = { ...query, queryMode: 'extended' };
          return (await client.query(config)).rows as R[];
        }),
      close: () => client.end(),
    },
    copy: (statement, text) => guarded(() => copyInto(client, statement, text)),
  };
}

/** As libpq does if neither the URL nor PGPASSWORD has a password. pg would warn that it won't for long. */
function usePasswordFile(client: Client): void {
  if (client.password) return;
  Object.assign(client, { password: () => passwordFromFile(client) });
}

function copyInto(client: Client, statement: string, text: string): Promise<void> {
  const stream = client.query(copyFrom(statement));
  return new Promise((done, fail) => {
    stream.on('error', fail).on('finish', done);
    stream.end(text);
  });
}

function bound(cell: Cell): Cell {
  return typeof cell === 'string' ? storableText(cell) : cell;
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

const asSent = (text: string) => text;

function getTypeParser(type: number) {
  return parsers[type] ?? asSent;
}

/** Session locks end with the connection, so a sync that lost its lock can't write either. */
async function acquire({ reader }: Connection, key: string, patience: number): Promise<void> {
  const end = performance.now() + patience;
  for (;;) {
    const [row] = await reader.query<{ held: boolean }>('SELECT pg_try_advisory_lock(?) AS held', [
      key,
    ]);
    if (row?.held) return;
    const left = end - performance.now();
    if (left <= 0) throw busy(reader.label);
    await sleep(Math.min(lockInterval, left));
  }
}

function busy(label: string): DestinationError {
  return new DestinationError('busy', `Another cb sync is writing to ${label}.`, {
    hint: 'Try again when it has ended.',
  });
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
