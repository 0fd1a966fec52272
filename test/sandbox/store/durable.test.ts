/** No seed and no write is partly done, no response mixes two states, and values of requests are never part of a statement. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { tier } from '../../support/tier.ts';
import { goodValues, sendTo } from '../good-request.ts';
import { told } from '../notifications/receiver.ts';
import { getJson, openSandbox } from '../raw.ts';
import { contentOf, damageIn, rowsIn, storeFile, watchStatements } from './store-file.ts';

const fileIn = (home: string) => join(home, '.local/share/clickbank-cli/sandbox.sqlite');

test.each([['SIGKILL', null], ['SIGINT', 130], ...tier([], [['SIGTERM', 143] as const])] as const)(
  'leaves no partial sandbox if %s ends a seed, and keeps the sandbox before it',
  async (signal, code) => {
    const { folder, cb: run } = home();
    const file = fileIn(folder);
    expect(await seedUntil(signal, folder)).toBe(code);
    expect(await rowsIn(file, 'SELECT name FROM sqlite_master')).toEqual([]);
    const { err } = await run('sandbox seed --orders 300');
    expect(err).toContain('Creating 300 sample orders');
    const before = await contentOf(file);
    expect(await seedUntil(signal, folder)).toBe(code);
    expect(await damageIn(file)).toEqual([]);
    expect(await contentOf(file)).toEqual(before);
  },
);

const TOLD = ['tickets returned', 'orders reinstate', 'orders change-product'];

const writes = catalogue.filter(({ method }) => method !== 'GET' && method !== 'HEAD');

test.each(writes)('rolls back $command if the disk is full at any statement', async (operation) => {
  const watched = watchStatements('run');
  const file = storeFile();
  const { sandbox } = await told({ file });
  const values = goodValues(operation);
  const before = await contentOf(file);
  let number = 0;
  let status = 500;
  while (status === 500) {
    expect(await contentOf(file)).toEqual(before);
    number += 1;
    watched.before(number, () => {
      throw new Error('database or disk is full');
    });
    status = (await sendTo(sandbox, operation, values)).status;
  }
  watched.before(Number.POSITIVE_INFINITY, () => {});
  const after = await contentOf(file);
  expect(after).not.toEqual(before);
  // At least one statement for the event, and three for its notification.
  const isTold = after.notification?.length !== 0;
  expect(number).toBeGreaterThan(isTold ? 4 : 1);
  expect(isTold).toBe(TOLD.includes(operation.command));
});

test.each([
  'orders2/list?startDate=2025-04-01&endDate=2026-03-18',
  'orders2/CART0003',
  'tickets/1003',
  'tickets/list',
])('never mixes two states in one response: %s', async (path) => {
  const read = async (sandbox: Sandbox) => (await getJson(sandbox, `/rest/1.3/${path}`)).text;
  for (let number = 1, isChanged = true; isChanged; number += 1) {
    isChanged = false;
    const file = storeFile();
    const watched = watchStatements('all');
    const sandbox = await openSandbox({ file });
    const before = await read(sandbox);
    const other = await openDatabase(file);
    watched.before(number, () => {
      isChanged = true;
      other.execute(CHANGE);
    });
    const during = await read(sandbox);
    watched.before(Number.POSITIVE_INFINITY, () => {});
    const after = await read(sandbox);
    expect([before, after]).toContain(during);
    expect(after === before).toBe(!isChanged);
    expect(number > 3 || isChanged).toBe(true);
    other.close();
    await sandbox.close();
  }
});

/** Changes that another process may make meanwhile, in one transaction. */
const CHANGE = `BEGIN; UPDATE txn SET receipt = 'CHANGED'; UPDATE line_item SET title = 'changed';
  UPDATE ticket SET source = 'changed'; UPDATE ticket_comment SET comment = 'changed'; COMMIT`;

/** Kills a process while it seeds, and returns its exit code. */
async function seedUntil(signal: NodeJS.Signals, home: string): Promise<number | null> {
  const seeding = cb(['sandbox', 'seed', '--orders', '300000'], { home });
  await seeding.until(/sample orders/);
  await new Promise((done) => setTimeout(done, 400));
  seeding.child.kill(signal);
  return (await seeding.ended()).code;
}

const marker = 'zqmarker';

/** Each value is tried for every parameter; numbers are recognizable by at least six digits. */
const hostile = [
  `${marker}' OR '1'='1`,
  `%${marker}_%\\`,
  '7340417',
  "2026-01-01'--",
  ...tier(
    [],
    [
      `${marker}'; DROP TABLE txn; --`,
      `${marker}") UNION SELECT name FROM sqlite_master; --`,
      `${marker}\0'`,
      `'${marker}${'%a'.repeat(600)}`,
      `?1 :${marker} @a $b`,
      '-2147483648',
      '99999999999999999999.99',
      '9999-12-31',
    ],
  ),
];

test('binds hostile values in every parameter of every operation instead of writing them into SQL', async () => {
  const file = storeFile();
  const sandbox = await openSandbox({ file });
  const schemaIn = () => rowsIn(file, 'SELECT type, name, sql FROM sqlite_master ORDER BY 2');
  const schema = await schemaIn();
  const payments = await rowsIn(file, 'SELECT receipt FROM txn');
  const { texts } = watchStatements('all');
  const tried = catalogue.flatMap((operation) =>
    Object.keys(operation.params).flatMap((name) =>
      hostile.map((value) => ({ operation, values: { ...goodValues(operation), [name]: value } })),
    ),
  );
  const failed: unknown[] = [];
  const worker = async () => {
    for (let one = tried.shift(); one; one = tried.shift()) {
      const { status, text } = await sendTo(sandbox, one.operation, one.values);
      if (status >= 500) failed.push([one.operation.command, one.values, text]);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  expect(failed).toEqual([]);
  expect(texts.size).toBeGreaterThan(20);
  const spoilt = [...texts].filter((sql) => sql.includes(marker) || /\d{6}/.test(sql));
  expect(spoilt).toEqual([]);
  expect(await schemaIn()).toEqual(schema);
  expect(await rowsIn(file, 'SELECT receipt FROM txn')).toEqual(expect.arrayContaining(payments));
  expect(await damageIn(file)).toEqual([]);
});
