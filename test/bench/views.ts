/** `npm run bench:views [orders] [file]`: how quickly the views of a copy answer. A file that exists is measured as it is. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCopy } from '../../src/features/sync/database/copy.ts';
import { openSqlite } from '../../src/features/sync/database/sqlite.ts';
import type { Sql } from '../../src/features/sync/destination.ts';
import type { CopyView } from '../../src/features/sync/views/view.ts';
import { viewIndexes, views } from '../../src/features/sync/views/views.ts';
import { benchmark, printTable, printVerdicts, type Requirement } from './runner.ts';
import { fillCopy } from './views-shop.ts';

const rounds = 3;
const month = '2026-02-01';

/** Milliseconds of processor time, so that other programs do not count. */
async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function openCopy(file: string): Promise<Sql> {
  const isRunning = (id: number) => existsSync(`/proc/${id}`);
  const sql = await openSqlite(file, { own: process.pid, isRunning });
  await prepareCopy(sql, { service: 'the benchmark', withoutPersonalData: false, patience: 0 });
  return sql;
}

/** The fastest of some rounds. */
async function timeOf(sql: Sql, text: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await cpuTime(() => sql.query(text)));
  return Math.min(...times);
}

async function measureView(sql: Sql, { name, columns }: CopyView) {
  const [row] = await sql.query<{ count: number }>(`SELECT count(*) AS count FROM ${name}`);
  const all = `SELECT * FROM ${name}`;
  const by = columns.find(({ kind }) => kind === 'month')?.name;
  const whole = await timeOf(sql, all);
  const part = by ? await timeOf(sql, `${all} WHERE ${by} = '${month}'`) : undefined;
  const times = [whole, part].map((time) => (time === undefined ? '-' : `${Math.round(time)} ms`));
  return { cells: [name, `${row?.count} rows`, ...times], whole };
}

/** The pages of the indexes of the views, and of everything. */
async function sizes(sql: Sql): Promise<string> {
  const names = Object.keys(viewIndexes)
    .map((name) => `'${name}'`)
    .join(', ');
  const [row] = await sql.query<{ whole: number; indexes: number }>(
    `SELECT sum(pgsize) AS whole, sum(CASE WHEN name IN (${names}) THEN pgsize END) AS indexes
     FROM dbstat WHERE aggregate = TRUE`,
  );
  const megabytes = (bytes = 0) => `${Math.round(bytes / 1e6)} MB`;
  return `Size: ${megabytes(row?.whole)}, of which ${megabytes(row?.indexes)} are indexes of the views`;
}

await benchmark(async ({ folder }) => {
  const [count = '20000', file = join(folder, 'shop.db')] = process.argv.slice(2);
  const isNew = !existsSync(file);
  const sql = await openCopy(file);
  try {
    if (isNew) {
      const orders = Number(count);
      const days = Math.min(1000, Math.ceil(orders / 20));
      const time = await cpuTime(() => fillCopy(sql, orders, days));
      console.log(`${count} orders in ${(time / 1000).toFixed(1)} s`);
    }
    const base = await timeOf(sql, 'SELECT * FROM orders');
    const rows: string[][] = [];
    const verdicts: Requirement[] = [];
    for (const view of views) {
      const { cells, whole } = await measureView(sql, view);
      rows.push(cells);
      const says = `${view.name}: time over that of reading all orders`;
      verdicts.push({ says, figure: whole, base, atMost: 2 });
    }
    printTable('Views', ['', 'rows', 'all', 'a month'], rows);
    console.log(`\n${await sizes(sql)}`);
    printVerdicts(verdicts);
  } finally {
    await sql.close();
  }
});
