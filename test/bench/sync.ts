/**
 * `npm run bench:sync -- [ORDERS...] [--only destination|accounts|sync]`: measures how fast a copy takes orders, its memory and
 * its size. Several numbers of orders show what grows with them.
 */
import { mkdtempSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addDays, pacificDay } from '../../src/dates/day.ts';
import { openPostgres } from '../../src/features/sync/database/postgres.ts';
import { openSqlite } from '../../src/features/sync/database/sqlite.ts';
import type { Sql } from '../../src/features/sync/destination.ts';
import { noPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts';
import {
  benchmark,
  cb,
  cbEnv,
  measure,
  printTable,
  printVerdicts,
  thousands,
  type World,
} from './runner.ts';
import { pagesADay, rowsOnAPage } from './service.ts';
import { loadOrders, refreshOneOf, sampleOrders } from './sync-load.ts';

const ordersADay = pagesADay * rowsOnAPage;
/** Orders of the days that a first sync copies without --since. */
const usualOrders = 700 * ordersADay;
const timeout = 3_600_000;

/** A new empty database. */
interface Database {
  readonly kind: string;
  /** A file, or a URL. */
  readonly name: string;
  open(): Promise<Sql>;
  bytes(): Promise<number>;
}

let durable: Promise<PostgresServer> | undefined;

async function newDatabases(folder: string): Promise<Database[]> {
  const file = join(mkdtempSync(join(folder, 'copy-')), 'copy.db');
  const processes = { own: process.pid, isRunning: () => true };
  const sqlite: Database = {
    kind: 'SQLite',
    name: file,
    open: () => openSqlite(file, processes),
    bytes: async () => statSync(file).size,
  };
  if (noPostgres !== undefined) return [sqlite];
  durable ??= startPostgres({ isDurable: true });
  const server = await durable;
  const database = await server.create();
  const url = server.url(database);
  const bytes = async () => {
    const [row] = await server.query(`SELECT pg_database_size('${database}') AS size`);
    return Number(row?.size);
  };
  return [sqlite, { kind: 'PostgreSQL', name: url, open: () => openPostgres({ url }), bytes }];
}

async function measureDestinations({ folder }: World, count: number): Promise<string[][]> {
  const sample = await sampleOrders();
  const lines: string[][] = [];
  for (const { kind, open, bytes } of await newDatabases(folder)) {
    const sql = await open();
    const { orders, rows, seconds } = await loadOrders(sql, sample, count);
    await sql.close();
    const figures = [orders, orders / seconds, rows / seconds, (await bytes()) / 2 ** 20];
    lines.push([kind, ...figures.map(thousands)]);
  }
  return lines;
}

/** Copies `count` orders with the built program, from a server without pace. */
async function measureSync(world: World, count: number) {
  const days = Math.ceil(count / ordersADay);
  const endDate = addDays(pacificDay(Date.now() / 1000), -1);
  const startDate = addDays(endDate, 1 - days);
  const origin = (await world.serve([0], { startDate, endDate }))[0] ?? '';
  const since = count > usualOrders ? ['--since', startDate] : [];
  const lines: string[][] = [];
  const peaks = new Map<string, number>();
  for (const { kind, name, bytes } of await newDatabases(world.folder)) {
    const command = cb(['sync', name, '--tables', 'orders', ...since]);
    const env = cbEnv(world, origin);
    const { seconds, peakMiB = 0 } = await measure({ ...command, env }, timeout);
    const orders = days * ordersADay;
    const figures = [orders, orders / seconds, peakMiB, (await bytes()) / 2 ** 20];
    lines.push([kind, ...figures.map(thousands)]);
    peaks.set(kind, peakMiB);
  }
  return { lines, peaks };
}

/** Whether a run that reads few rows takes longer because of other accounts. */
async function measureAccounts({ folder }: World) {
  const sample = await sampleOrders();
  const few = await newDatabases(folder);
  const many = await newDatabases(folder);
  const requirements = [];
  for (const [i, { kind, open }] of few.entries()) {
    const seconds: (number | undefined)[] = [];
    for (const [accounts, opened] of [
      [30, await open()],
      [200, await many[i]?.open()],
    ] as const) {
      seconds.push(opened && (await refreshOneOf(opened, sample, accounts)));
      await opened?.close();
    }
    const says = `${kind}: time of a run of 83 rows with 200 accounts over that with 30`;
    requirements.push({ says, figure: seconds[1], base: seconds[0], atMost: 3 });
  }
  return requirements;
}

await benchmark(async (world) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' } },
  });
  const typed = positionals.map((text) => Number(text.replaceAll(',', '')));
  if (typed.some((count) => !(count > 0))) throw new Error('ORDERS is a number such as 100000');
  const counts = typed.length > 0 ? typed : [20_000];
  const alone: string[][] = [];
  for (const count of ['sync', 'accounts'].includes(values.only ?? '') ? [] : counts) {
    alone.push(...(await measureDestinations(world, count)));
  }
  printTable('The database alone', ['', 'orders', 'orders/s', 'rows/s', 'MiB'], alone);
  const whole: Awaited<ReturnType<typeof measureSync>>[] = [];
  for (const count of ['destination', 'accounts'].includes(values.only ?? '') ? [] : counts) {
    whole.push(await measureSync(world, count));
  }
  const lines = whole.flatMap((one) => one.lines);
  printTable('cb sync', ['', 'orders', 'orders/s', 'peak MiB', 'MiB'], lines);
  const [first, last] = [whole[0], whole.at(-1)];
  const peaks = [...(first?.peaks ?? [])].map(([kind, base]) => ({
    says: `${kind}: peak memory of the last over that of the first`,
    ...{ figure: last?.peaks.get(kind), base, atMost: 2 },
  }));
  const ofAccounts = values.only === 'accounts' ? await measureAccounts(world) : [];
  printVerdicts([...peaks, ...ofAccounts]);
});
