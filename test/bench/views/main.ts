/** `npm run bench:views [orders] [file]`: how quickly the views of a copy answer. A file that exists is measured as it is. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCopy } from '../../../src/features/sync/database/copy.ts';
import { openSqlite } from '../../../src/features/sync/database/sqlite.ts';
import type { Sql } from '../../../src/features/sync/destination.ts';
import { type CopyView, discardKept, keepViews } from '../../../src/features/sync/views/view.ts';
import { keptViews, viewIndexes, views } from '../../../src/features/sync/views/views.ts';
import { fillCopy } from './fill-copy.ts';

const processes = {
  own: process.pid,
  isRunning: (id: number) => existsSync(`/proc/${id}`),
};

const rounds = 3;
const month = '2026-02-01';

/** Milliseconds of processor time, so that other programs do not count. */
function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function openCopy(file: string): Promise<Sql> {
  const sql = await openSqlite({ file, processes });
  const facts = { service: 'the benchmark', withoutPersonalData: false, patience: 0 };
  await prepareCopy(sql, facts);
  return sql;
}

/** Milliseconds of the fastest of some rounds. */
async function timeOf(sql: Sql, text: string): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = cpuNow();
    await sql.query(text);
    best = Math.min(best, cpuNow() - start);
  }
  return best;
}

async function measure(sql: Sql, { name, columns, isKept }: CopyView): Promise<string> {
  const [{ rows = 0 } = {}] = await sql.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM ${name}`,
  );
  const all = await timeOf(sql, `SELECT * FROM ${name}`);
  const by = columns.find(({ kind }) => kind === 'month')?.name;
  const one = by && (await timeOf(sql, `SELECT * FROM ${name} WHERE ${by} = '${month}'`));
  if (isKept) await discardKept(sql);
  const computed = isKept && (await timeOf(sql, `SELECT * FROM ${name}`));
  if (isKept) await keepViews(sql, keptViews);
  const text = (value: number | undefined | '') => (value ? `${Math.round(value)} ms` : '-');
  return [name.padEnd(26), `${rows} rows`.padStart(14), text(all), text(one), text(computed)]
    .map((cell, i) => (i < 2 ? cell : cell.padStart(10)))
    .join('');
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

async function main(): Promise<void> {
  const [count = '20000', named] = process.argv.slice(2);
  const folder = mkdtempSync(join(tmpdir(), 'cb-bench-'));
  const file = named ?? join(folder, 'shop.db');
  const isNew = !existsSync(file);
  const sql = await openCopy(file);
  try {
    if (isNew) {
      const start = cpuNow();
      const orders = Number(count);
      await fillCopy(sql, { orders, days: Math.min(1000, Math.ceil(orders / 20)) });
      const seconds = (cpuNow() - start) / 1000;
      console.log(`${count} orders in ${seconds.toFixed(1)} s`);
    }
    const start = cpuNow();
    await keepViews(sql, keptViews);
    console.log(`Stored the rows of views in ${Math.round(cpuNow() - start)} ms`);
    const heads = ['All', 'A month', 'Computed'].map((head) => head.padStart(10));
    console.log(`${'View'.padEnd(26)}${'Rows'.padStart(14)}${heads.join('')}`);
    for (const view of views) console.log(await measure(sql, view));
    console.log(await sizes(sql));
  } finally {
    await sql.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
