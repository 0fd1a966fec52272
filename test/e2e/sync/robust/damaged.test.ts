/** Damaged copies, paths that are no copy, databases that stop answering, and passwords: a sentence and an exit code, and nothing is changed. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../src/features/sync/database/postgres.ts';
import { openDatabase } from '../../../../src/storage/sqlite.ts';
import { kinds } from '../../../features/sync/database/databases.ts';
import { cb, emptyHome, shortWaits } from '../../../support/binary.ts';
import { type Home, sandboxHome } from '../../../support/cb.ts';
import { copyOf, numberOf, rowsOf, syncedHome } from '../../../support/copy.ts';
import { noPostgres, postgresServer } from '../../../support/postgres.ts';
import { expectExit } from '../../../support/refusal.ts';
import { sandboxJson, serveSandbox } from '../../../support/sandbox.ts';
import { listen } from '../../../support/server.ts';

const version = (value: string) =>
  `UPDATE sync_meta SET value = '${value}' WHERE name = 'schema_version'`;

/** Each with the command that meets it. The first two have other errors in each database. */
const damages: readonly (readonly [damage: string, command: string])[] = [
  ['DROP TABLE order_items', 'sync'],
  ['ALTER TABLE sync_orders DROP COLUMN receipt', 'sync'],
  ['DROP VIEW orders', 'status'],
  [version('abc'), 'sync'],
  [version('abc'), 'check'],
  [version('1'), 'sync'],
];

async function damageFile(file: string, damage: string): Promise<void> {
  const database = await openDatabase(file);
  if (damage.includes('COLUMN')) {
    // A column of an index or a view can't be dropped.
    const found = database.all<{ type: string; name: string }>(
      "SELECT type, name FROM sqlite_master WHERE type IN ('view', 'index') AND sql IS NOT NULL",
    );
    for (const { type, name } of found) database.run(`DROP ${type} ${name}`);
  }
  database.run(damage);
  database.close();
}

async function damageSchema(url: string, damage: string): Promise<void> {
  const sql = await openPostgres({ url });
  await sql.query(damage.includes('DROP') ? `${damage} CASCADE` : damage);
  await sql.close();
}

describe.each(kinds)('in $name', ({ name, missing, create }) => {
  const isSqlite = name === 'SQLite';
  test.skipIf(missing).each(isSqlite ? damages : damages.slice(0, 2))(
    '%s makes a copy that cb sync or a command for copies refuses with exit code 3: %s',
    async (damage, command) => {
      const tables = '--tables orders --since 2026-03-01';
      const at = await syncedHome(`--sandbox sync ${tables}`, 60);
      const place = isSqlite ? copyOf(at) : (await create()).place;
      if (!isSqlite) await sandboxJson(at, `sync ${place} ${tables}`);
      await (isSqlite ? damageFile(place, damage) : damageSchema(place, damage));
      const line =
        command === 'sync' ? `sync ${place} ${tables}` : `sync ${command} --database ${place}`;
      const ran = await at.cb(`--sandbox ${line}`);
      expectExit(ran, 3, / is not a copy that cb can use: .* or name another database\. $/, '');
    },
  );
});

/** Passes bytes on to the server of the tests, until the client sends a text; from then on, nothing comes back. */
async function stallingAt(text: string): Promise<number> {
  const { folder } = await postgresServer();
  const proxy = createServer((client) => {
    const server = connect(join(folder, '.s.PGSQL.5432')).on('error', () => undefined);
    let isStalled = false;
    client.on('data', (bytes) => {
      isStalled ||= bytes.includes(text);
      if (!isStalled) server.write(bytes);
    });
    server.on('data', (bytes) => client.write(bytes));
    client.on('close', () => server.destroy());
  });
  return listen(proxy);
}

test.skipIf(noPostgres)(
  'ends with exit code 8 if PostgreSQL stops answering for longer than the URL allows',
  async () => {
    const { cb } = await sandboxHome(60);
    const port = await stallingAt('COMMIT');
    const name = await (await postgresServer()).create();
    const url = `postgres://postgres@127.0.0.1:${port}/${name}?query_timeout=1500`;
    const ran = await cb(`--sandbox sync ${url} --tables orders --since 2026-03-01`);
    expectExit(ran, 8, /postgres:\S+ stopped answering\. .* Run the command again/);
  },
);

const password = 'right-s3cret\\:';

/** The role of the test server that needs a password. */
async function lockedDatabase() {
  const server = await postgresServer();
  await server.query('CREATE ROLE needs_password').catch(() => undefined);
  await server.query(`ALTER ROLE needs_password LOGIN SUPERUSER PASSWORD '${password}'`);
  return server.url(await server.create(), 'needs_password');
}

test.skipIf(noPostgres !== undefined).each(['URL', 'PGPASSWORD', '~/.pgpass'])(
  'takes the password from %s, and writes no warning',
  async (place) => {
    const { env } = await serveSandbox();
    const home = emptyHome();
    const url = await lockedDatabase();
    const line = `*:*:*:needs_password:${password.replaceAll(/[\\:]/g, '\\$&')}\n`;
    if (place === '~/.pgpass') writeFileSync(join(home, '.pgpass'), line, { mode: 0o600 });
    const named = place === 'URL' ? `${url}&password=${encodeURIComponent(password)}` : url;
    const extra = place === 'PGPASSWORD' ? { PGPASSWORD: password } : undefined;
    const options = { home, env: { ...env, ...extra, ...shortWaits(50) } };
    const { code, err } = await cb(['sync', named, '--tables', 'quickstats'], options).ended();
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(err).not.toMatch(/s3cret|warning/i);
  },
);

test.skipIf(noPostgres !== undefined)('does not show a wrong password with --debug', async () => {
  const { env } = await serveSandbox();
  const url = `${await lockedDatabase()}&password=wrong-s3cret`;
  const { code, out, err } = await cb(['sync', url, '--debug'], { env }).ended();
  expect({ code, err }).toMatchObject({ code: 3 });
  expect(err).toMatch(/Cannot connect to .*: password authentication failed[\s\S]*PGPASSWORD/);
  expect(out + err).not.toContain('s3cret');
});

const created = 'CREATE TABLE invoices (id INTEGER); INSERT INTO invoices VALUES (1)';

type Maker = (file: string) => unknown;

function databaseOf(statements: string): Maker {
  return async (file) => {
    const made = await openDatabase(file);
    made.execute(statements);
    made.close();
  };
}

const isOthers = /is the database of another program/;
const inWal = `PRAGMA journal_mode = WAL; ${created}`;
const sameName = 'CREATE TABLE sync_meta (version INTEGER)';

const places: readonly (readonly [what: string, make: Maker, message: RegExp])[] = [
  ['a folder', mkdirSync, /is a folder\.\n {4}Name a file in it, such as \S+shop\.db\.$/],
  ['a text file', (file) => writeFileSync(file, 'a,b\n'), /is not an SQLite database\.\n/],
  ['a named pipe', (file) => execFileSync('mkfifo', [file]), /is not a regular file\.\n/],
  ['the database of another program', databaseOf(created), isOthers],
  ['the database of another program in WAL mode', databaseOf(inWal), isOthers],
  ['a database of another program with a table of the same name', databaseOf(sameName), isOthers],
];

const forget = 'sync forget --email ada.sample@example.com --yes';
const named = ['sync status', 'sync check', forget, 'sync reset --yes', 'metrics cohorts'];
const commands = [
  ...['sync FILE --since 2026-03-01', 'sync FILE --dry-run'],
  ...named.map((command) => `${command} --database FILE`),
];
const query = 'sql select*from(orders) --database FILE';

/** The names, modes and bytes of a folder and of everything in it. */
function contentOf(folder: string): unknown[] {
  const paths = [
    folder,
    ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
  ];
  return paths.sort().map((path) => {
    const stats = statSync(path);
    return [path, stats.mode, stats.isFile() ? readFileSync(path, 'base64') : ''];
  });
}

test.each(places)(
  'refuses %s in two lines, and changes neither it nor its folder',
  async (_, make, message) => {
    const at = await sandboxHome(60);
    const folder = join(at.folder, 'mine');
    mkdirSync(folder);
    const file = join(folder, 'books.db');
    await make(file);
    chmodSync(folder, 0o755);
    if (statSync(file).isFile()) chmodSync(file, 0o644);
    const before = contentOf(folder);
    // A query may read any database.
    for (const command of message === isOthers ? commands : [...commands, query]) {
      const { code, out, err } = await at.cb(`--sandbox ${command.replace('FILE', file)}`);
      expect({ command, code, out, err }).toMatchObject({ code: 3, out: '' });
      expect(err.trimEnd()).toMatch(message);
      expect(err.trimEnd().split('\n')).toHaveLength(2);
      expect(contentOf(folder)).toEqual(before);
    }
  },
);

const orders = (file: string) => numberOf(file, 'SELECT count(*) FROM orders');

const sync = (at: Home, file: string) =>
  at.cb(`--sandbox sync ${file} --tables orders --since 2026-01-01`);

test('copies into an empty file or a database without tables, which keep their mode, and makes a new file private; reset of a link deletes the copy that it points to', async () => {
  const at = await sandboxHome(60);
  for (const [name, make, mode] of [
    ['empty.db', (file: string) => writeFileSync(file, ''), 0o640],
    ['fresh.db', databaseOf('PRAGMA user_version = 0; VACUUM'), 0o640],
    ['none.db', undefined, 0o600],
  ] as const) {
    const file = join(at.folder, name);
    await make?.(file);
    if (make) chmodSync(file, mode);
    expect(await sync(at, file)).toMatchObject({ code: 0 });
    expect(await orders(file)).toBeGreaterThan(10);
    expect(statSync(file).mode & 0o777).toBe(mode);
  }
  const [file, link] = [join(at.folder, 'none.db'), join(at.folder, 'link.db')];
  symlinkSync(file, link);
  expect(await at.cb(`sync reset --yes --database ${link}`)).toMatchObject({ code: 0 });
  expect(await rowsOf(file, 'SELECT * FROM orders')).toEqual([]);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test.skipIf(process.getuid?.() === 0)(
  'reads a copy in a folder that may not be written to, and refuses to change it (not as root)',
  async () => {
    const at = await sandboxHome(60);
    const made = join(at.folder, 'made.db');
    expect(await sync(at, made)).toMatchObject({ code: 0 });
    const count = await orders(made);
    await databaseOf('PRAGMA wal_checkpoint(TRUNCATE)')(made);
    const folder = join(at.folder, 'archive');
    const file = join(folder, 'shop.db');
    mkdirSync(folder);
    copyFileSync(made, file);
    chmodSync(file, 0o444);
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    const before = contentOf(folder);
    writeFileSync(join(at.folder, 'count.sql'), 'select count(*) as n from orders');
    expect(await at.cb(`sql --file count.sql --database ${file} -o csv`)).toMatchObject({
      code: 0,
      out: `n\n${count}\n`,
    });
    for (const line of ['sync status', 'metrics cohorts']) {
      expect(await at.cb(`--sandbox ${line} --database ${file}`)).toMatchObject({ code: 0 });
    }
    for (const line of [`sync ${file}`, `sync reset --yes --database ${file}`]) {
      const ran = await at.cb(`--sandbox ${line}`);
      expectExit(ran, 3, /^cb: Cannot use \S+shop\.db: .+ Check the file and its folder\. $/);
    }
    expect(contentOf(folder)).toEqual(before);
  },
);
