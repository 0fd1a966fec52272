/** Paths that are no copy: a sync and the commands for copies refuse them and leave them as they are. */
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
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/storage/sqlite.ts';
import { type Home, sandboxHome } from '../../../support/cb.ts';
import { rowsOf } from '../../../support/copy.ts';

const created = 'CREATE TABLE invoices (id INTEGER); INSERT INTO invoices VALUES (1)';

async function database(file: string, statements: string): Promise<void> {
  const made = await openDatabase(file);
  made.execute(statements);
  made.close();
}

type Maker = (file: string) => Promise<void> | void;

const places: Readonly<Record<string, readonly [make: Maker, message: RegExp]>> = {
  'a folder': [
    (file) => mkdirSync(file),
    /is a folder\.\n {4}Name a file in it, such as \S+shop\.db\.$/,
  ],
  'a text file': [
    (file) => writeFileSync(file, 'receipt,amount\n'),
    /is not an SQLite database\.\n/,
  ],
  'a named pipe': [(file) => void execFileSync('mkfifo', [file]), /is not a regular file\.\n/],
  'the database of another program': [
    (file) => database(file, created),
    /is the database of another program/,
  ],
  'the database of another program in WAL mode': [
    (file) => database(file, `PRAGMA journal_mode = WAL; ${created}`),
    /is the database of another program/,
  ],
  'a database of another program with a table of the same name': [
    (file) => database(file, 'CREATE TABLE sync_meta (version INTEGER)'),
    /is the database of another program/,
  ],
};

const commands: readonly ((file: string) => string)[] = [
  (file) => `sync ${file} --since 2026-03-01`,
  (file) => `sync ${file} --dry-run`,
  (file) => `sync status --database ${file}`,
  (file) => `sync check --database ${file}`,
  (file) => `sync forget --email ada.sample@example.com --yes --database ${file}`,
  (file) => `sync reset --yes --database ${file}`,
  (file) => `metrics cohorts --database ${file}`,
];

const query = (file: string) => `sql select*from(orders) --database ${file}`;

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

test.each(Object.entries(places))(
  'refuses %s in two lines, and changes neither it nor its folder',
  async (_, [make, message]) => {
    const at = await sandboxHome(60);
    const folder = join(at.folder, 'mine');
    mkdirSync(folder);
    const file = join(folder, 'books.db');
    await make(file);
    chmodSync(folder, 0o755);
    if (statSync(file).isFile()) chmodSync(file, 0o644);
    const before = contentOf(folder);
    // A query may read any database.
    const isDatabase = message.source.includes('program');
    for (const command of isDatabase ? commands : [...commands, query]) {
      const { code, out, err } = await at.cb(`--sandbox ${command(file)}`);
      expect({ command: command('FILE'), code, out, err }).toMatchObject({ code: 3, out: '' });
      expect(err.trimEnd()).toMatch(message);
      expect(err.trimEnd().split('\n')).toHaveLength(2);
      expect(contentOf(folder)).toEqual(before);
    }
  },
);

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

async function orders(file: string): Promise<number> {
  const [{ count } = {}] = await rowsOf<{ count: number }>(
    file,
    'SELECT count(*) AS count FROM orders',
  );
  return count ?? 0;
}

const sync = (at: Home, file: string) =>
  at.cb(`--sandbox sync ${file} --tables orders --since 2026-01-01`);

test('copies into an empty file or a database without tables, which keep their mode, and makes a new file private', async () => {
  const at = await sandboxHome(60);
  const [empty, fresh, none] = ['empty.db', 'fresh.db', 'none.db'].map((name) =>
    join(at.folder, name),
  );
  writeFileSync(empty ?? '', '');
  await database(fresh ?? '', 'PRAGMA user_version = 0; VACUUM');
  for (const file of [empty, fresh]) chmodSync(file ?? '', 0o640);
  for (const file of [empty, fresh, none]) {
    expect(await sync(at, file ?? '')).toMatchObject({ code: 0 });
    expect(await orders(file ?? '')).toBeGreaterThan(10);
  }
  expect([empty, fresh, none].map((file) => modeOf(file ?? ''))).toEqual([0o640, 0o640, 0o600]);
});

test('reset of a link deletes the copy that it points to', async () => {
  const at = await sandboxHome(60);
  const [file, link] = [join(at.folder, 'real.db'), join(at.folder, 'link.db')];
  expect(await sync(at, file)).toMatchObject({ code: 0 });
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
    await database(made, 'PRAGMA wal_checkpoint(TRUNCATE)');
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
      const { code, err } = await at.cb(`--sandbox ${line}`);
      expect({ code, err }).toEqual({
        code: 3,
        err: expect.stringMatching(
          /^cb: Cannot use \S+shop\.db: .+\n {4}Check the file and its folder\.\n$/,
        ),
      });
    }
    expect(contentOf(folder)).toEqual(before);
  },
);
