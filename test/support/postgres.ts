/**
 * A PostgreSQL server from the packages of the system, in a temporary folder, on a local socket only. Each worker of
 * the tests starts one when it is first needed; it ends with the worker, however that ends.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

const root = '/usr/lib/postgresql';

/** The programs of the newest version; undefined if PostgreSQL is not installed. */
const bin = (existsSync(root) ? readdirSync(root) : [])
  .sort((one, other) => Number(other) - Number(one))
  .map((version) => join(root, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'initdb')));

/** Why there is no server here; undefined where there is one. */
export const noPostgres = bin === undefined ? 'PostgreSQL is not installed' : undefined;

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

interface Handle {
  ref(): void;
  unref(): void;
}

const program = fileURLToPath(new URL('postgres.sh', import.meta.url));
let created = 0;

/** Starts a server of its own, which ends with this process. Only a durable one writes to the disk at each commit. */
export async function startPostgres({ isDurable = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cb-postgres-'));
  // The server runs as another user if the tests run as root.
  chmodSync(folder, 0o755);
  const child = spawn('bash', [program, bin ?? '', folder, isDurable ? 'on' : 'off'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`PostgreSQL did not start: ${said}`);
  });
  ended.catch(() => undefined);
  // The server keeps the process alive only while it is awaited.
  const handles = [child, child.stdin, child.stdout, child.stderr] as unknown as Handle[];
  const answer = async () => {
    for (const handle of handles) handle.ref();
    await Promise.race([once(child.stdout, 'data'), ended]);
    for (const handle of handles) handle.unref();
  };
  const order = (word: string) => {
    child.stdin.write(`${word}\n`);
    return answer();
  };
  /** The URL of a database; `user` is a superuser by default. */
  const url = (database: string, user = 'postgres') =>
    `postgres:///${database}?host=${folder}&user=${user}`;
  /** Runs a statement as a superuser, in the database `postgres`. */
  const query = async (statement: string) => {
    const client = new Client({ connectionString: url('postgres') });
    await client.connect();
    const { rows } = await client
      .query<Record<string, unknown>>(statement)
      .finally(() => client.end());
    return rows;
  };
  await answer();
  return {
    /** The folder of its socket; it holds the data, too. */
    folder,
    ...{ url, query },
    /** A new empty database. */
    async create() {
      created += 1;
      const name = `test_${created}`;
      await query(`CREATE DATABASE ${name}`);
      return name;
    },
    /** Stops the server at once, as a crash does, and resolves when it is gone. */
    stop: () => order('stop'),
    start: () => order('start'),
  };
}

let shared: Promise<PostgresServer> | undefined;

/** The server of this worker. */
export function postgresServer(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

/** The URL of a new empty database; undefined if PostgreSQL is not installed (see `noPostgres`). */
export async function postgresUrl(): Promise<string | undefined> {
  if (noPostgres !== undefined) return undefined;
  const server = await postgresServer();
  return server.url(await server.create());
}
