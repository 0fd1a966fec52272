/**
 * `npm run bench:sync -- [ORDERS...] [--only destination|sync]`: measures how fast a copy takes orders, its memory and
 * its size. Several numbers of orders show what grows with them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { addDays } from '../../src/dates/day.ts';
import { pacificDay } from '../../src/dates/pacific.ts';
import { openPostgres } from '../../src/features/sync/database/postgres.ts';
import { openSqlite } from '../../src/features/sync/database/sqlite.ts';
import { noPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { measure } from './child.ts';
import { tableText, thousands } from './report.ts';
import { loadOrders, sampleOrders } from './sync-destination.ts';

const cb = fileURLToPath(new URL('../../bin/cb.js', import.meta.url));
const serverProgram = fileURLToPath(new URL('programs/sync-server.ts', import.meta.url));
const ordersADay = 1000;
/** Orders of the days that a first sync copies without --since. */
const usualOrders = 700 * ordersADay;
const timeout = 3_600_000;

/** A new empty database. */
interface Place {
  readonly kind: 'SQLite' | 'PostgreSQL';
  /** A file, or a URL. */
  readonly name: string;
  /** In MiB. */
  size(): Promise<number>;
}

let durable: Promise<PostgresServer> | undefined;

async function placesIn(folder: string): Promise<Place[]> {
  const file = join(mkdtempSync(join(folder, 'copy-')), 'copy.db');
  const sqlite: Place = {
    ...{ kind: 'SQLite', name: file },
    size: async () => statSync(file).size / 2 ** 20,
  };
  if (noPostgres !== undefined) return [sqlite];
  durable ??= startPostgres({ isDurable: true });
  const server = await durable;
  const database = await server.create();
  const size = async () => {
    const [row] = await server.query(`SELECT pg_database_size('${database}') AS size`);
    return Number(row?.size) / 2 ** 20;
  };
  return [sqlite, { kind: 'PostgreSQL', name: server.url(database), size }];
}

async function measureDestinations(folder: string, count: number): Promise<string[][]> {
  const sample = await sampleOrders();
  const lines: string[][] = [];
  for (const { kind, name, size } of await placesIn(folder)) {
    const processes = { own: process.pid, isRunning: () => true };
    const sql = await (kind === 'SQLite'
      ? openSqlite({ file: name, processes })
      : openPostgres({ url: name }));
    const { orders, rows, seconds } = await loadOrders(sql, sample, count);
    await sql.close();
    const rates = [orders / seconds, rows / seconds].map(thousands);
    lines.push([kind, thousands(orders), ...rates, thousands(await size())]);
  }
  return lines;
}

/** Copies `count` orders with the built program, from a server without pace. */
async function measureSync(folder: string, count: number): Promise<string[][]> {
  const last = addDays(pacificDay(Date.now() / 1000), -1);
  const first = addDays(last, 1 - Math.ceil(count / ordersADay));
  const server = spawn(process.execPath, ['--import', 'tsx', serverProgram, first, last], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const origin = await originOf(server);
    const lines: string[][] = [];
    for (const { kind, name, size } of await placesIn(folder)) {
      const env = { HOME: folder, CB_BASE_URL: origin, CB_API_KEY: 'API-BENCHMARK' };
      const since = count > usualOrders ? ['--since', first] : [];
      const args = [cb, 'sync', name, '--tables', 'orders', ...since];
      const command = { file: process.execPath, args, env, usage: 'json' } as const;
      const { seconds, peakMiB = 0 } = await measure(command, timeout);
      const orders = Math.ceil(count / ordersADay) * ordersADay;
      lines.push([kind, thousands(orders), thousands(orders / seconds), thousands(peakMiB)]);
      lines.at(-1)?.push(thousands(await size()));
    }
    return lines;
  } finally {
    server.kill();
  }
}

async function originOf(server: ChildProcess): Promise<string> {
  const said = server.stdout ? once(server.stdout, 'data') : Promise.reject();
  const gone = once(server, 'exit').then(([code]) => {
    throw new Error(`the server of the benchmark ended with ${code}`);
  });
  gone.catch(() => undefined);
  return String(await Promise.race([said, gone])).trim();
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' } },
  });
  const counts = positionals.map((typed) => Number(typed.replaceAll(',', '')));
  if (counts.some((count) => !(count > 0))) throw new Error('ORDERS is a number such as 100000');
  const folder = mkdtempSync(join(tmpdir(), 'cb-bench-'));
  try {
    const table: string[][] = [];
    for (const count of counts.length > 0 ? counts : [20_000]) {
      if (values.only !== 'sync') table.push(...(await measureDestinations(folder, count)));
    }
    const head = ['', 'orders', 'orders/s', 'rows/s', 'MiB'];
    if (table.length > 0) console.log(tableText('The database alone', [head, ...table]));
    const whole: string[][] = [];
    for (const count of counts.length > 0 ? counts : [20_000]) {
      if (values.only !== 'destination') whole.push(...(await measureSync(folder, count)));
    }
    const syncHead = ['', 'orders', 'orders/s', 'peak MiB', 'MiB'];
    if (whole.length > 0) console.log(tableText('cb sync', [syncHead, ...whole]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
