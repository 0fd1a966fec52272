/** `cb sync --to parquet`: a copy as files for other engines. */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { dataTables, storedIn } from '../../../src/features/sync/database/schema.ts';
import { columnsOf } from '../../../src/features/sync/tables/table.ts';
import { cb as program } from '../../support/binary.ts';
import { type Home, home } from '../../support/cb.ts';
import { changeCopy, copyOf, numberOf, rowsOf, syncedHome } from '../../support/copy.ts';
import { parquetTypes, queryParquet } from '../../support/parquet.ts';
import { noPostgres, postgresUrl } from '../../support/postgres.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { tier } from '../../support/tier.ts';

const sync = '--sandbox sync --since 2026-01-01 --tables orders,products,subscriptions';
const write = '--sandbox sync --to parquet lake';
const orders = 'orders/*/*';
const email = 'ada.sample@example.com';

const synced = (line = sync) => syncedHome(line);

async function run(at: Home, line: string) {
  const ran = await at.cb(line);
  expect(ran, line).toMatchObject({ code: 0 });
  return ran;
}

const lake = ({ folder }: Home) => join(folder, 'lake');

const pathsIn = (folder: string) =>
  readdirSync(folder, { recursive: true }).map((path) => String(path).replaceAll(sep, '/'));

/** The digests of the files by their paths. */
function filesIn(folder: string): Map<string, string> {
  const files = pathsIn(folder).filter((path) => path.endsWith('/part.parquet'));
  return new Map(files.map((path) => [path, digest(join(folder, path))]));
}

const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

interface Manifest {
  readonly personalData: string;
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

const manifestOf = (at: Home): Manifest =>
  JSON.parse(readFileSync(join(lake(at), 'manifest.json'), 'utf8'));

const filesOf = (at: Home, table: string) => `${lake(at)}/${table}/part.parquet`;

/** Sums of both sides in hundredths of cents, which are whole numbers. */
async function expectSums(at: Home): Promise<void> {
  for (const table of dataTables) {
    const { name, day } = table;
    if ((await numberOf(copyOf(at), `SELECT count(*) FROM ${name}`)) === 0) {
      expect(existsSync(join(lake(at), name))).toBe(false);
      continue;
    }
    const amounts = columnsOf(table).filter(
      ({ name, type }) => type === 'numeric' && !/_percent$|_per_|_rate$|^avg_/.test(name),
    );
    const sums = (month: string, count: string, sum: (column: string) => string) =>
      [
        ...['account', `${month} AS month`, `${count} AS rows`],
        ...amounts.map(({ name }) => `${sum(name)} AS ${name}`),
      ].join(', ');
    const whole = (column: string) => `CAST(round(${column} * 10000) AS INTEGER)`;
    const ofCopy = sums(
      day ? `substr(${day}, 1, 7)` : "''",
      'count(*)',
      (column) => `CAST(coalesce(sum(${whole(column)}), 0) AS TEXT)`,
    );
    const ofFiles = sums(
      day ? 'month' : "''",
      'CAST(count(*) AS INTEGER)',
      (column) => `CAST(CAST(coalesce(sum(${column}), 0) * 10000 AS HUGEINT) AS VARCHAR)`,
    );
    const grouped = 'GROUP BY 1, 2 ORDER BY 1, 2';
    const files = filesOf(at, `${name}/${day ? '*/*' : '*'}`);
    expect(await queryParquet(files, `SELECT ${ofFiles} FROM ? ${grouped}`), name).toEqual(
      await rowsOf(copyOf(at), `SELECT ${ofCopy} FROM ${name} ${grouped}`),
    );
  }
}

test('writes a file for each table, account and month, with the sums of the copy to the cent', async () => {
  const at = await synced('--sandbox sync --since 2026-02-01');
  const { out, err } = await run(at, write);
  expect(out).toBe('');
  const { files, personalData } = manifestOf(at);
  expect(err).toMatch(
    new RegExp(`^Wrote ${files.length} of ${files.length} files in .*lake\\.\n$`),
  );
  expect(personalData).toBe('included');
  await expectSums(at);
  const found = filesIn(lake(at));
  expect(files.map(({ path, sha256 }) => [path, sha256]).sort()).toEqual([...found].sort());
  const march = files.find(({ path }) => /^orders\/.*2026-03/.test(path));
  const days = await rowsOf<{ day: string; rows: number }>(
    copyOf(at),
    "SELECT transaction_day AS day, count(*) AS rows FROM orders WHERE transaction_day LIKE '2026-03%' GROUP BY 1",
  );
  // The clock of the tests is on March 18, which is not over.
  expect(march).toMatchObject({
    ...{ table: 'orders', account: 'GREENLEAF', month: '2026-03', completeDays: 17 },
    days: Object.fromEntries(days.map(({ day, rows }) => [day, rows])),
    bytes: statSync(join(lake(at), march?.path ?? '')).size,
  });
  expect(await parquetTypes(filesOf(at, orders))).toMatchObject({
    ...{ transaction_id: 'VARCHAR', transaction_day: 'DATE', total_order_amount: 'DECIMAL(18,4)' },
    ...{ transaction_time: 'TIMESTAMP WITH TIME ZONE', declined_consent: 'BOOLEAN' },
    ...{ email: 'VARCHAR', account: 'VARCHAR', month: 'VARCHAR' },
  });
  const last = "SELECT strftime(max(transaction_time), '%Y-%m-%dT%H:%M:%SZ') AS last FROM ?";
  expect(await queryParquet(filesOf(at, orders), last)).toEqual(
    await rowsOf(copyOf(at), 'SELECT max(transaction_time) AS last FROM orders'),
  );
});

test('a night rewrites the months with changes only, and a second run none', async () => {
  const at = await synced();
  await run(at, write);
  const before = filesIn(lake(at));
  const rows = `SELECT substr(transaction_day, 1, 7) AS month, raw || synced_at AS row FROM orders
    ORDER BY account, transaction_id`;
  const byMonth = async () => {
    const months = new Map<string, string>();
    for (const { month, row } of await rowsOf<{ month: string; row: string }>(copyOf(at), rows)) {
      months.set(month, (months.get(month) ?? '') + row);
    }
    return months;
  };
  const known = await byMonth();
  await run(at, 'sandbox clock advance 1d');
  await run(at, sync);
  const { err } = await run(at, write);
  const after = filesIn(lake(at));
  const changed = [...after.keys()].filter((path) => before.get(path) !== after.get(path));
  expect(err).toContain(`Wrote ${changed.length} of ${after.size} files`);
  const months = [...(await byMonth())].filter(([month, text]) => known.get(month) !== text);
  expect(changed.filter((path) => path.startsWith('orders/')).sort()).toEqual(
    months.map(([month]) => `orders/account=GREENLEAF/month=${month}/part.parquet`).sort(),
  );
  expect(months.length).toBeGreaterThan(0);
  expect(months.length).toBeLessThan(known.size);
  await expectSums(at);
  await run(at, 'sandbox clock advance 1h');
  expect((await run(at, write)).err).toContain(`Wrote 0 of ${after.size} files`);
  // What the copy says has not changed is not even read, unless the file is missing.
  const path = [...after.keys()].find((path) => path.startsWith('orders/')) ?? '';
  await changeCopy(at, "UPDATE sync_orders SET country = 'XX'");
  rmSync(join(lake(at), path));
  expect((await run(at, write)).err).toContain(`Wrote 1 of ${after.size} files`);
});

test('reads rows again that were read in the minute before, because their time may not tell them apart, and removes only the file of a month without rows', async () => {
  const at = await synced();
  await run(at, write);
  const inMarch = "WHERE transaction_day LIKE '2026-03%'";
  await changeCopy(at, `UPDATE sync_orders SET country = 'XX' ${inMarch}`);
  expect((await run(at, write)).err).toContain('Wrote 1 of ');
  const query = "SELECT DISTINCT country FROM ? WHERE month = '2026-03'";
  expect(await queryParquet(filesOf(at, orders), query)).toEqual([{ country: 'XX' }]);
  const own = join(lake(at), 'orders/account=GREENLEAF/notes.txt');
  writeFileSync(own, 'mine');
  await changeCopy(at, "DELETE FROM sync_orders WHERE transaction_day LIKE '2026-01%'");
  expect((await run(at, write)).err).toMatch(/Wrote 0 of \d+ files in .*, and removed 1\.\n/);
  expect(existsSync(filesOf(at, 'orders/account=GREENLEAF/month=2026-01'))).toBe(false);
  expect(readFileSync(own, 'utf8')).toBe('mine');
});

test('shows one state of the copy in all files, whatever a sync commits meanwhile', async () => {
  const at = await synced();
  const writing = run(at, write);
  // Orders are written first, subscriptions last.
  while (!existsSync(join(lake(at), 'orders'))) await new Promise(setImmediate);
  await changeCopy(at, "UPDATE subscriptions SET status = 'XX'");
  await writing;
  const statuses = 'SELECT DISTINCT status FROM ?';
  const files = filesOf(at, 'subscriptions/*');
  expect(await queryParquet(files, statuses)).not.toContainEqual({ status: 'XX' });
  expect((await run(at, write)).err).toContain('Wrote 1 of ');
  expect(await queryParquet(files, statuses)).toEqual([{ status: 'XX' }]);
});

const kills = tier(4, 20);

test(`has whole files of the old or the new state after each of ${kills} kill -9, and the next run completes them`, async () => {
  const at = await synced();
  await run(at, write);
  const old = filesIn(lake(at));
  await run(at, 'sandbox clock advance 1d');
  await run(at, sync);
  // Every file differs.
  for (const table of dataTables) {
    const set = "SET synced_at = '2026-03-19T00:00:00Z'";
    await changeCopy(at, `UPDATE ${storedIn(table)[0].name} ${set}`);
  }
  const other = home();
  cpSync(at.folder, other.folder, { recursive: true });
  rmSync(lake(other), { recursive: true });
  await run(other, write);
  const fresh = filesIn(lake(other));
  let mixed = 0;
  for (let killed = 0; killed < kills; killed++) {
    const share = killed / kills;
    const running = program(write.split(' '), { home: at.folder });
    const isReached = () => {
      const found = [...filesIn(lake(at))].filter(([path, sha256]) => fresh.get(path) === sha256);
      return found.length >= share * fresh.size;
    };
    while (running.child.exitCode === null && !isReached()) await new Promise(setImmediate);
    running.child.kill('SIGKILL');
    await running.ended();
    const found = [...filesIn(lake(at))];
    for (const [path, sha256] of found) expect([old.get(path), fresh.get(path)]).toContain(sha256);
    const states = found.map(([path, sha256]) => fresh.get(path) === sha256);
    if (states.includes(true) && states.includes(false)) mixed += 1;
    const [count] = await queryParquet(filesOf(at, orders), 'SELECT count(*) AS rows FROM ?');
    expect(Number(count?.rows)).toBeGreaterThan(0);
  }
  expect(mixed).toBeGreaterThan(0);
  await run(at, write);
  expect(filesIn(lake(at))).toEqual(fresh);
  expect(pathsIn(lake(at)).filter((path) => /draft|lock/.test(path))).toEqual([]);
  await expectSums(at);
});

/** All rows of all files, in which texts can be searched. */
async function textOf(at: Home): Promise<string> {
  const texts: string[] = [];
  for (const path of filesIn(lake(at)).keys()) {
    texts.push(JSON.stringify(await queryParquet(join(lake(at), path), 'SELECT * FROM ?')));
  }
  return texts.join('\n');
}

test('sync forget reaches the folders of a copy', async () => {
  const at = await synced();
  await run(at, write);
  await run(at, '--sandbox sync --to parquet second');
  rmSync(join(at.folder, 'second'), { recursive: true });
  expect(await textOf(at)).toContain(email);
  const { err } = await run(at, `--sandbox sync forget --email ${email} --yes`);
  expect(err).toMatch(/Wrote [1-9]\d* of \d+ files in .*lake\.\n/);
  expect(err).toMatch(/note: .*second is not on this machine\./);
  expect(await textOf(at)).not.toContain(email);
  await expectSums(at);
});

test('leaves out personal data on request, and in later runs', async () => {
  const at = await synced();
  await run(at, write);
  const { files } = manifestOf(at);
  expect((await run(at, `${write} --without-personal-data`)).err).toContain(' files in ');
  for (const line of [write, `${write} --without-personal-data`]) {
    await run(at, line);
    expect(manifestOf(at)).toMatchObject({ personalData: 'left out' });
    expect(manifestOf(at).files).toHaveLength(files.length);
    expect(await textOf(at)).not.toContain(email);
  }
  for (const table of dataTables.filter(({ name }) => existsSync(join(lake(at), name)))) {
    const types = await parquetTypes(filesOf(at, `${table.name}/${table.day ? '*/*' : '*'}`));
    const wanted = columnsOf(table).filter(({ name, personal }) => !personal && name !== 'raw');
    const names = [...wanted.map(({ name }) => name), ...(table.day ? ['month'] : [])];
    expect(Object.keys(types).sort()).toEqual(names.sort());
  }
});

test('writes the months of a weekly payment, which have no end of digits, but an amount with too many is an error, and the file stays as it was', async () => {
  const at = await synced();
  await changeCopy(at, 'UPDATE subscriptions SET payment_months = 12.0 / 52');
  await run(at, write);
  const before = filesIn(lake(at));
  expect([...before.keys()].some((path) => path.startsWith('subscriptions/'))).toBe(true);
  const set = "SET total_order_amount = 1.23456, synced_at = '2026-03-18T18:29:59Z'";
  await changeCopy(at, `UPDATE sync_orders ${set} WHERE transaction_day LIKE '2026-02%'`);
  const says =
    "month=2026-02/part.parquet: total_order_amount has the value 1.23456, which DECIMAL(18,4) can't hold exactly.";
  expectExit(await at.cb(write), 3, says);
  expect(filesIn(lake(at))).toEqual(before);
});

test('refuses a copy that is not there, a folder of another copy, and a manifest of something else', async () => {
  const at = await synced();
  expectExit(await home().cb(write), 3, 'There is no copy');
  await run(at, write);
  await run(at, '--sandbox sync ./other.db --tables products');
  expectExit(await at.cb(`${write} --from ./other.db`), 3, 'lake has the files of another copy.');
  for (const other of ['{"files": 7}', '{"files": [']) {
    writeFileSync(join(lake(at), 'manifest.json'), other);
    expectExit(await at.cb(write), 3, 'is not a manifest that this cb can use.');
  }
});

test.skipIf(noPostgres)('writes the same rows from PostgreSQL', async () => {
  const url = (await postgresUrl()) ?? '';
  const { env } = await serveSandbox({ orders: 200 });
  const { cb, folder } = home();
  const tables = '--tables orders,subscriptions --since 2026-01-01';
  for (const [place, to] of [
    [`${url} --schema lake`, 'one'],
    ['./copy.db', 'other'],
  ]) {
    expect(await cb(`sync ${place} ${tables}`, { env })).toMatchObject({ code: 0 });
    expect(await cb(`sync --to parquet ${to} --from ${place}`, { env })).toMatchObject({ code: 0 });
  }
  for (const name of ['orders/*/*', 'order_items/*/*', 'subscriptions/*']) {
    const all = 'SELECT * EXCLUDE (synced_at) FROM ? ORDER BY ALL';
    const [one, other] = await Promise.all(
      ['one', 'other'].map((to) => queryParquet(`${folder}/${to}/${name}/part.parquet`, all)),
    );
    expect(one?.length).toBeGreaterThan(10);
    expect(one).toEqual(other);
  }
  const reader = `'${url}&options=-c%20default_transaction_read_only%3Don' --schema lake`;
  expectExit(
    await cb(`sync --to parquet third --from ${reader}`, { env }),
    0,
    /note: The copy can't be changed, so cb sync forget does not know \S+third\. .* can't be written to\./,
  );
});
