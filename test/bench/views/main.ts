/** `npm run bench:views [orders] [file]`: how quickly the views of a copy answer. A file that exists is measured as it is. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareCopy } from '../../../src/workflows/sync/database/copy.ts';
import type { Sql } from '../../../src/workflows/sync/database/sql.ts';
import { openSqlite } from '../../../src/workflows/sync/database/sqlite.ts';
import type { CopyView } from '../../../src/workflows/sync/views/view.ts';
import { dropViews, views } from '../../../src/workflows/sync/views/views.ts';
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

async function measure(sql: Sql, { name, columns }: CopyView): Promise<string> {
  const [{ rows = 0 } = {}] = await sql.query<{ rows: number }>(
    `SELECT count(*) AS rows FROM ${name}`,
  );
  const all = await timeOf(sql, `SELECT * FROM ${name}`);
  const by = columns.find(({ kind }) => kind === 'month')?.name;
  const one = by && (await timeOf(sql, `SELECT * FROM ${name} WHERE ${by} = '${month}'`));
  const text = (value: number | undefined | '') => (value ? `${Math.round(value)} ms` : '-');
  return [name.padEnd(26), `${rows} rows`.padStart(14), text(all), text(one)]
    .map((cell, i) => (i < 2 ? cell : cell.padStart(10)))
    .join('');
}

function megabytes(file: string): string {
  return `${Math.round(statSync(file).size / 1e6)} MB`;
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
    console.log(
      `${'View'.padEnd(26)}${'Rows'.padStart(14)}${'All'.padStart(10)}${'A month'.padStart(10)}`,
    );
    for (const view of views) console.log(await measure(sql, view));
    await sql.query('PRAGMA wal_checkpoint(TRUNCATE)');
    const whole = megabytes(file);
    if (isNew && named === undefined) {
      await dropViews(sql);
      await sql.query('VACUUM');
      await sql.query('PRAGMA wal_checkpoint(TRUNCATE)');
      console.log(`Size: ${whole}, without the indexes of the views ${megabytes(file)}`);
    } else console.log(`Size: ${whole}`);
  } finally {
    await sql.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
