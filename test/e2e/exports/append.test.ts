/** `--since-last NAME --append FILE`: the file contains each row once, even if it is edited or a run fails. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../../src/storage/fingerprint.ts';
import { emptyHome, cb as program, shell } from '../../support/binary.ts';
import { home, now, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { openShop, shopKey } from '../../support/shop.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';

const since = 'orders list --since-last sheet --start-date 2026-03-01';
const line = `${since} --fields receipt --append orders.csv`;
const stateIn = (folder: string) => join(folder, '.local/share/clickbank-cli/since/sheet.json');
const done = { code: 0, out: '', err: '' };

async function world() {
  const shop = await openShop();
  const { cb, folder } = home();
  const file = join(folder, 'orders.csv');
  return {
    shop,
    folder,
    file,
    inHome: cb,
    sell: shop.sell,
    asked: shop.asked,
    cb: (words: string, key = shopKey) => cb(words, { env: { ...shop.env, CB_API_KEY: key } }),
    rows: () => readFileSync(file, 'utf8').trim().split('\n'),
  };
}

test('adds new rows to the file, also through a symbolic link, with one header line, prints nothing, and leaves no other file', async () => {
  const { cb, sell, rows, folder, file } = await world();
  writeFileSync(file, '');
  sell('FIRST001', '2026-03-17');
  expect(await cb(line)).toEqual(done);
  sell('NEXT0001', '2026-03-18');
  expect(await cb(line)).toEqual(done);
  expect(await cb(line)).toEqual(done);
  expect(rows()).toEqual(['receipt', 'FIRST001', 'NEXT0001']);
  expect(readdirSync(join(stateIn(folder), '..'))).toEqual(['sheet.json']);
  expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['orders.csv']);
  symlinkSync('orders.csv', join(folder, 'link.csv'));
  sell('LAST0001', '2026-03-18');
  expect(await cb(line.replace('orders.csv', 'link.csv'))).toEqual(done);
  expect(rows()).toEqual(['receipt', 'FIRST001', 'NEXT0001', 'LAST0001']);
});

test('keeps the columns of the first run when later rows have other fields', async () => {
  const { cb, sell, rows, shop } = await world();
  sell('FIRST001', '2026-03-17');
  expect((await cb(`${since} --append orders.csv`)).code).toBe(0);
  const [header] = rows();
  sell('NEXT0001', '2026-03-18');
  shop.disturb = (reply, body) => {
    reply.end(body.replaceAll('"receipt"', '"newField":"x","receipt"'));
    return true;
  };
  const changed = await cb(`${since} --fields receipt --append orders.csv`);
  expectExit(changed, 2, /written with other output options/);
  expect((await cb(`${since} --append orders.csv`)).code).toBe(0);
  expect(rows()[0]).toBe(header);
  expect(new Set(rows().map((row) => row.split(',').length)).size).toBe(1);
});

test.each([
  ['refuses rows with the dates of another zone', '--layout accounting', 2],
  ['refuses rows with the times of another zone', '--dates spreadsheet', 2],
  ['adds rows without dates in another zone', '--fields receipt', 0],
  ['adds rows in the usual layout in another zone', '', 0],
])('%s: %s', async (_, options, code) => {
  const { cb, sell } = await world();
  sell('FIRST001', '2026-03-17');
  const line = `${since} --append orders.csv ${options}`;
  expect(await cb(`${line} --tz Asia/Tokyo`)).toMatchObject({ code: 0, err: '' });
  expectExit(await cb(line), code, code === 0 ? /^$/ : 'written with other output options');
});

test('appends to rows that another tool wrote', async () => {
  const { cb, sell, rows, file } = await world();
  writeFileSync(file, 'OLD00001\nOLD00002');
  sell('FIRST001', '2026-03-17');
  expectExit(await cb(line), 2, /^cb: The first line of .* is not the header .*--no-header\. $/);
  expect(rows()).toEqual(['OLD00001', 'OLD00002']);
  expect(await cb(`${line} --no-header`)).toMatchObject({ code: 0, err: '' });
  appendFileSync(file, 'a note\n');
  sell('NEXT0001', '2026-03-18');
  expect(await cb(line)).toMatchObject({ code: 0, err: '' });
  expect(rows()).toEqual(['OLD00001', 'OLD00002', 'FIRST001', 'a note', 'NEXT0001']);
});

test.each(['\ufeffreceipt\r\nOLD00001\r\n', 'receipt'])(
  'appends to rows below the same header: %j',
  async (text) => {
    const { cb, sell, rows, file } = await world();
    writeFileSync(file, text);
    expect(await cb(line)).toEqual(done);
    sell('FIRST001', '2026-03-17');
    expect(await cb(line)).toEqual(done);
    expect(rows().map((row) => row.trim())).toEqual([...text.trim().split(/\s+/), 'FIRST001']);
  },
);

test.each([
  ['a', '', 'a,b', 2, /have no column 'profile'/],
  ['a,b', '', 'a', 2, /have a column 'profile'/],
  ['a', '--fields receipt', 'a,b', 0, /^$/],
  ['a,b', '--fields receipt', 'a', 0, /^$/],
])('continues rows of the profiles %s %s with %s', async (before, options, now, code, says) => {
  const { inHome, shop, sell } = await profiles({ a: shopKey, b: 'API-OTHER' });
  sell('FIRST001', '2026-03-17');
  sell('OTHER001', '2026-03-17', 'API-OTHER');
  const env = { CB_BASE_URL: shop.url };
  const from = (names: string) =>
    inHome(`${since} --append orders.csv ${options} --profile ${names}`, { env });
  expect(await from(before)).toMatchObject({ code: 0, err: '' });
  expectExit(await from(now), code, says);
});

test('starts a new file after a rotation, and appends to an edited one with a note', async () => {
  const { cb, sell, rows, file } = await world();
  sell('FIRST001', '2026-03-17');
  await cb(line);
  renameSync(file, `${file}.1`);
  sell('NEXT0001', '2026-03-18');
  expectExit(await cb(line), 0, /^note: .* is new/);
  expect(rows()).toEqual(['receipt', 'NEXT0001']);
  writeFileSync(file, 'edited\n');
  sell('LAST0001', '2026-03-18');
  expectExit(await cb(line), 0, /^note: .* was changed/);
  expect(rows()).toEqual(['edited', 'LAST0001']);
});

test('refuses another file, key and service, and stdout, for a name that has a file', async () => {
  const { cb, sell, rows, folder, asked, inHome } = await world();
  sell('FIRST001', '2026-03-17');
  sell('OTHER001', '2026-03-17', 'API-OTHER');
  await cb(line);
  const before = asked.length;
  const state = readFileSync(stateIn(folder), 'utf8');
  const elsewhere = line.replace('orders.csv', 'others.csv');
  expectExit(await cb(elsewhere), 2, /belongs to the file .*orders\.csv/);
  expect(await cb(`${since} --fields receipt -o csv`)).toMatchObject({ code: 2, out: '' });
  expectExit(await cb(line, 'API-OTHER'), 3, /has rows of TEST, which the API key can't read/);
  // Its accounts have the same nicknames.
  const { env, url } = await openShop();
  expectExit(await inHome(line, { env }), 3, url);
  expect(asked).toHaveLength(before);
  expect(readFileSync(stateIn(folder), 'utf8')).toBe(state);
  expect(state).not.toContain(shopKey);
  expect(existsSync(join(folder, 'others.csv'))).toBe(false);
  expect(rows()).toEqual(['receipt', 'FIRST001']);
});

/** A home with profiles for keys of one shop. */
async function profiles(names: Readonly<Record<string, string>>) {
  const at = await world();
  const env = { CB_BASE_URL: at.shop.url };
  for (const [name, key] of Object.entries(names)) {
    await at.inHome(`login --profile ${name} --with-key --no-check`, { env, stdin: key });
  }
  return { ...at, as: (name: string) => at.inHome(`${line} --profile ${name}`, { env }) };
}

test('continues under another profile name, a renamed profile, CB_API_KEY and a new key of the same accounts', async () => {
  const { as, cb, folder, sell, rows, shop } = await profiles({
    ...{ p1: shopKey, p9: shopKey, new: 'API-NEW' },
  });
  shop.nicknames.set('API-NEW', ['TEST']);
  sell('FIRST001', '2026-03-17');
  expect(await as('p1')).toEqual(done);
  sell('NEXT0001', '2026-03-18');
  expect(await as('p9')).toEqual(done);
  const config = join(folder, '.config/clickbank-cli/config.json');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll('"p1"', '"shop"'));
  expect(await as('shop')).toEqual(done);
  expect(await cb(line)).toEqual(done);
  sell('LAST0001', '2026-03-18');
  expect(await as('new')).toEqual(done);
  expect(await as('p9')).toEqual(done);
  expect(rows()).toEqual(['receipt', 'FIRST001', 'NEXT0001', 'LAST0001']);
});

test('warns once when the key reads more accounts, and refuses when it reads fewer or others', async () => {
  const { as, sell, rows, folder, shop } = await profiles({ p1: shopKey, p2: 'API-OTHER' });
  sell('FIRST001', '2026-03-17');
  await as('p1');
  shop.nicknames.set(shopKey, ['TEST', 'OTHER']);
  sell('OTHER001', '2026-03-18', 'API-OTHER');
  expectExit(await as('p1'), 0, /^warning: The API key can now also read OTHER\. .* 2026-03-16 /);
  expect(await as('p1')).toEqual({ code: 0, out: '', err: '' });
  const before = [readFileSync(stateIn(folder), 'utf8'), rows()];
  expectExit(await as('p2'), 3, /has rows of TEST, which the API key of profile p2 can't read/);
  shop.nicknames.set(shopKey, ['TEST']);
  expectExit(await as('p1'), 3, /has rows of OTHER, which/);
  shop.nicknames.set(shopKey, ['TEST', 'THIRD']);
  expect((await as('p1')).code).toBe(3);
  expect([readFileSync(stateIn(folder), 'utf8'), rows()]).toEqual(before);
  expect(rows()).toEqual(['receipt', 'FIRST001', 'OTHER001']);
});

test('continues the state of an earlier version with its key under any name, and then knows its accounts', async () => {
  const { as, sell, rows, folder } = await profiles({ p1: shopKey, p9: shopKey, p2: 'API-OTHER' });
  sell('FIRST001', '2026-03-17');
  await as('p1');
  const path = stateIn(folder);
  const { accounts, ...state } = JSON.parse(readFileSync(path, 'utf8').split('\n')[1] ?? '');
  const { baseUrl, nicknames, ...old } = accounts.p1;
  expect([baseUrl, nicknames]).toEqual([expect.stringMatching(/^http:/), ['TEST']]);
  const body = JSON.stringify({ ...state, accounts: { p1: old } });
  writeFileSync(path, `${digestOf(body)}\n${body}\n`);
  expectExit(await as('p2'), 3, /was made with another API key or service/);
  expect(await as('p9')).toEqual({ code: 0, out: '', err: '' });
  expect(readFileSync(path, 'utf8')).toContain('"nicknames":["TEST"]');
  expect(rows()).toEqual(['receipt', 'FIRST001']);
});

test('lets two schedules share a file', async () => {
  const { cb, sell, rows } = await world();
  const other = line.replace('sheet', 'other').replace('receipt', 'receipt --email a');
  sell('FIRST001', '2026-03-17');
  for (const one of [line, other]) expect(await cb(one)).toEqual(done);
  sell('NEXT0001', '2026-03-18');
  for (const one of [line, other]) expect(await cb(one)).toEqual(done);
  expect(rows()).toEqual(['receipt', 'FIRST001', 'FIRST001', 'NEXT0001', 'NEXT0001']);
});

test('continues with the sandbox, whose port changes with every run', async () => {
  const { cb, folder } = await sandboxHome(300);
  const list = 'orders list --sandbox --since-last sheet --append orders.csv';
  const text = () => readFileSync(join(folder, 'orders.csv'), 'utf8');
  expect((await cb(list)).code).toBe(0);
  const first = text();
  expect(await cb(list)).toEqual(done);
  expect(text()).toBe(first);
});

test.each([
  ['not JSON', /is damaged/],
  ['{"version":2,"accounts":{}}', /an older version of cb wrote it/],
  [`${digestOf('{"version":3}')}\n{"version":3}`, /unknown version 3/],
])('refuses state that it cannot read: %s', async (text, says) => {
  const { cb, folder, asked } = await world();
  mkdirSync(join(stateIn(folder), '..'), { recursive: true });
  writeFileSync(stateIn(folder), text);
  const ran = await cb(line);
  expectExit(ran, 2, says);
  expect(ran.err).toContain('already then gets them twice, so begin a new file.');
  expect(asked).toHaveLength(0);
});

test('keeps the complete days of an interrupted list, and adds the rest in the next run', async () => {
  const { cb, sell, rows, shop } = await world();
  for (const day of ['2026-03-01', '2026-03-16', '2026-03-17', '2026-03-18']) sell(`R${day}`, day);
  shop.disturb = (reply, body) => {
    const isEarly = body.includes('R2026-03-16');
    if (isEarly) reply.writeHead(404).end();
    return isEarly;
  };
  expectExit(await cb(line), 4, /The next run adds/);
  expect(rows()).toEqual(['receipt', 'R2026-03-18', 'R2026-03-17']);
  shop.disturb = () => false;
  expect(await cb(line)).toMatchObject({ code: 0, err: '' });
  expect(rows().slice(3)).toEqual(['R2026-03-16', 'R2026-03-01']);
});

/** A shop with the time of the tests, and orders of yesterday. */
async function presentShop(orders: number, digits: number) {
  const shop = await openShop();
  shop.clock = now;
  for (let i = 0; i < orders; i++) shop.sell(`R${String(i).padStart(digits, '0')}`, '2026-03-17');
  return shop;
}

describe.skipIf(noSmallDisk !== undefined)(noSmallDisk ?? 'with a disk of 64 kB', () => {
  test('loses no row on a full disk: the next run adds the missing ones', async () => {
    const shop = await presentShop(900, 15);
    const folder = emptyHome();
    const { folder: disk } = smallDisk(folder);
    writeFileSync(join(disk, 'full'), Buffer.alloc(56 * 1024));
    const args = [...since.split(' '), '--fields', 'receipt', '--append', 'disk/orders.csv'];
    const run = () => program(args, { home: folder, env: shop.env }).ended();
    expectExit(await run(), 8, /ENOSPC/);
    rmSync(join(disk, 'full'));
    expect(await run()).toMatchObject({ code: 0, err: '' });
    const rows = readFileSync(join(disk, 'orders.csv'), 'utf8').trim().split('\n');
    expect(rows.slice(1).sort()).toEqual(shop.sales.map(({ receipt }) => receipt).sort());
  });
});

const toStdout = `cb ${since} -o csv --fields receipt --no-header`;

test('refuses a closed stdout and /dev/null, and saves no state for these or if the reader closes the pipe', async () => {
  // The rows are more than a pipe holds.
  const { env, asked } = await presentShop(700, 120);
  const home = emptyHome();
  // With a shifted clock, libfaketime opens a file of its own in place of a closed stdout.
  const isShifted = process.env.FAKETIME !== undefined;
  for (const redirection of isShifted ? ['>/dev/null'] : ['>&-', '>/dev/null']) {
    const ran = await shell(`${toStdout} ${redirection}`, { home, env }).ended();
    expectExit(ran, 2, /the rows would be lost/);
  }
  expect(asked).toHaveLength(0);
  await shell(`${toStdout} | true`, { home, env }).ended();
  const { code, out } = await shell(toStdout, { home, env }).ended();
  expect([code, out.trim().split('\n').length]).toEqual([0, 700]);
});

const row = { receipt: 'A1', transactionTime: '2026-03-17T10:00:00-07:00', role: 'VENDOR' };
const keyed = { ...row, transactionType: 'SALE', totalOrderAmount: '9.00' };
const unknown = Object.fromEntries(Object.keys(keyed).map((name) => [name, null]));

/** Appends the rows that a first and a second run of a schedule see. */
async function appended(first: readonly object[], second: readonly object[]) {
  const { shop, sell, cb, rows } = await world();
  sell('ANY00001', '2026-03-17');
  for (const seen of [first, second]) {
    shop.disturb = (reply, body) =>
      body.includes('ANY00001') && !!reply.end(JSON.stringify({ orderData: seen }));
    const fields = '--fields receipt,fullName --append orders.csv';
    expect(await cb(`${since} ${fields}`)).toMatchObject({ code: 0, err: '' });
  }
  return rows().slice(1);
}

test('adds rows once that an earlier cb recorded without their items', async () => {
  const { shop, sell, cb, rows, folder } = await world();
  sell('ANY00001', '2026-03-17');
  const orderData = [{ ...keyed, lineItemData: [{ itemNo: 'BOOK' }] }];
  shop.disturb = (reply, body) =>
    body.includes('ANY00001') && !!reply.end(JSON.stringify({ orderData }));
  await cb(line);
  const file = stateIn(folder);
  const key = ['A1', 'SALE', keyed.transactionTime, '9.00', 'VENDOR'];
  const hash = createHash('sha256').update(key.join('\0')).digest('base64').slice(0, 16);
  const [, state = ''] = readFileSync(file, 'utf8').split('\n');
  const earlier = state.replace(/(?<="seen":\{"2026-03-17":\[)"[^"]+"/, `"${hash}"`);
  expect(earlier).not.toBe(state);
  writeFileSync(file, `${digestOf(earlier)}\n${earlier}`);
  expect(await cb(line)).toEqual(done);
  expect(rows()).toHaveLength(2);
});

test.each([
  ['adds a row once that changes between two runs', keyed, ['A1,Ann']],
  ['tells rows apart by all values if one of their key is absent', row, ['A1,Ann', 'A1,Bob']],
  ['tells rows apart by all values if their key is null', unknown, [',Ann', ',Bob']],
])('%s', async (_, some, added) => {
  const [one = {}, other = {}] = ['Ann', 'Bob'].map((fullName) => ({ ...some, fullName }));
  expect(await appended([one], added.length === 1 ? [other] : [one, other])).toEqual(added);
});
