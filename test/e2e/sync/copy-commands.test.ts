/** `cb sync status`, `check`, `forget` and `reset`, and copies without personal data. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from '../../../src/features/ins/journal/journal.ts';
import { openSqlite } from '../../../src/features/sync/database/sqlite.ts';
import { emptyCopy } from '../../../src/features/sync/upkeep/status.ts';
import { openForReading } from '../../../src/storage/sqlite.ts';
import { type Home, home, world } from '../../support/cb.ts';
import { changeCopy, copyOf, numberOf, rowsOf, syncedHome } from '../../support/copy.ts';
import { insEnv } from '../../support/ins-listener.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { jsonOf, sandboxJson } from '../../support/sandbox.ts';

const tables = '--tables orders,tickets,products,shipments';
const sync = `--sandbox sync --since 2026-01-01 ${tables}`;
const email = 'ada.sample@example.com';

const synced = (orders = 300, line = sync) => syncedHome(line, orders);

const personal = new Set([
  ...'firstName lastName fullName email customerFirstName customerLastName'.split(' '),
  ...'emailAtOrderTime address1 address2 phoneNumber description comment'.split(' '),
]);

/** The texts that identify customers in what the service lists. */
async function personalTexts(at: Home): Promise<string[]> {
  const texts = new Set<string>();
  const days = '--start-date 2026-01-01 --end-date today';
  for (const line of [
    `orders list ${days}`,
    'tickets list --create-date-from 2026-01-01 --create-date-to today',
    `ship list --status all ${days}`,
    'analytics subscriptions list --account GREENLEAF --role VENDOR',
  ]) {
    JSON.stringify(await sandboxJson(at, line), (name, value) => {
      if (personal.has(name) && typeof value === 'string' && value.length > 3) texts.add(value);
      return value;
    });
  }
  return [...texts];
}

const latin = (text: string) => Buffer.from(text).toString('latin1');

/** Everything in the files of a copy, also in its unused pages. */
function bytesOf(at: Home): string {
  const files = ['', '-wal'].map((ending) => `${copyOf(at)}${ending}`);
  return files.map((file) => (existsSync(file) ? readFileSync(file, 'latin1') : '')).join('');
}

/** In the row as received. */
const personalFields =
  /"(?:firstName|lastName|fullName|customer\w*Name|email\w*|postalCode|phoneNumber|address\d|city|shippedTo|customerContactInfo)"/g;

test('a copy without personal data has no name, email, address or text of a customer in its file', async () => {
  const all = `${sync},subscriptions,ship_notices`;
  const at = await synced(300, `${all} --without-personal-data`);
  const texts = await personalTexts(at);
  expect(texts.length).toBeGreaterThan(200);
  expect(texts).toContain(email);
  const bytes = bytesOf(at);
  // First names such as Mark are parts of other words, so whole words are searched.
  const isFound = (text: string) => {
    if (!bytes.includes(latin(text))) return false;
    const literal = latin(text).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\w-])${literal}(?![\\w-])`).test(bytes);
  };
  expect(texts.filter(isFound)).toEqual([]);
  expect(bytes.match(personalFields)).toBeNull();
  // The same search finds them in a usual copy, which has as many rows.
  const other = await synced(300, all);
  const usual = bytesOf(other);
  expect(texts.filter((text) => usual.includes(latin(text))).length).toBeGreaterThan(200);
  expect(usual.match(personalFields)?.length).toBeGreaterThan(1000);
  const countries = 'SELECT count(*) AS rows, count(country) AS countries FROM orders';
  expect(await rowsOf(copyOf(at), countries)).toEqual(await rowsOf(copyOf(other), countries));
});

test('a copy stays without personal data when a later sync omits the option, and refuses the reverse', async () => {
  const at = await synced(60, `${sync} --without-personal-data`);
  expect((await at.cb(`--sandbox sync ${tables}`)).code).toBe(0);
  expect(bytesOf(at)).not.toContain(email);
  const other = await synced(60);
  expect(bytesOf(other)).toContain(email);
  const ran = await other.cb('--sandbox sync --without-personal-data');
  expectExit(ran, 3, 'already has personal data. Run the sync without --without-personal-data');
});

test('status shows rows, the newest day and the age of each table, and sends no request', async () => {
  const at = await synced();
  const later = () => new Date('2026-03-18T20:30:00Z');
  const options = { env: { CB_PROFILE: 'sandbox' }, now: later };
  const tables: Record<string, unknown>[] = await jsonOf(at, 'sync status', options);
  const [orders] = tables;
  const rows = await numberOf(copyOf(at), 'SELECT count(*) FROM orders');
  expect(orders).toMatchObject({
    ...{ account: 'GREENLEAF', table: 'orders', rows, newestDay: '2026-03-18', missingDays: 0 },
    ...{ oldestRefresh: '2026-03-18T18:30:00Z', outcome: 'complete' },
  });
  expect(Number(orders?.lagMinutes)).toBeGreaterThanOrEqual(120);
  const names = tables.map(({ table }) => table);
  expect(names).toEqual(expect.arrayContaining(['order_items', 'tickets', 'products']));
});

test('status names only tables that somebody asked for', async () => {
  const line = '--sandbox sync --since 2026-01-01';
  const at = await synced(60, `${line} --tables orders`);
  const expectTables = async (...names: readonly string[]) =>
    expect(await sandboxJson(at, 'sync status')).toMatchObject(
      names.map((table) => ({ table, missingDays: 0 })),
    );
  await expectTables('orders', 'order_items');
  expect(await at.cb(`${line} --tables tickets`)).toMatchObject({ code: 0 });
  await expectTables('orders', 'order_items', 'tickets', 'ticket_comments');
  // A table that somebody asked for is named even if it could never be read.
  await changeCopy(at, "DELETE FROM sync_days WHERE source = 'tickets'");
  await changeCopy(at, "DELETE FROM sync_reads WHERE source = 'tickets'");
  const unread = expect.objectContaining({ table: 'tickets', lastRead: null });
  expect(await sandboxJson(at, 'sync status')).toContainEqual(unread);
});

test('ends with exit code 3 without a copy, and names the command to run, with the file that was named', async () => {
  const at = home();
  const changes = ['sync check', 'sync forget --email ada@example.com --yes', 'sync reset --yes'];
  const reads = ['sync status', 'metrics cohorts', "sql 'select 1'", 'ins listen --sync --port 0'];
  for (const line of [...changes, ...reads]) {
    const ran = await at.cb(`--sandbox ${line}`, { env: insEnv });
    expectExit(ran, 3, /cb: There is no copy at \S+sandbox\.db\. .*Try: cb --sandbox sync/);
    expect(existsSync(copyOf(at))).toBe(false);
  }
  for (const line of reads.slice(0, 3)) {
    const ran = await at.cb(`--sandbox ${line} --database ./shop.db`);
    expectExit(ran, 3, /cb: There is no copy at \S+shop\.db\. Try: cb --sandbox sync \.\/shop\.db/);
  }
});

test('check prints nothing and ends with 0 if the copy agrees, counts each day once, says what it cost, and names the days that lack rows or money, with exit code 8', async () => {
  const at = await synced();
  const compared = 'Compared 76 days with \\d requests.';
  const later = { now: () => new Date('2026-03-25T18:30:00Z') };
  for (const [says, line = '', options = {}] of [
    [`The copy agrees with ClickBank from 2026-01-01 to 2026-03-17. ${compared}`],
    // Two tables are counted, by up to 31 days.
    ['Compared 63 days with 8 requests.', '--start-date 2026-01-14 --end-date 2026-03-17'],
    // Today still gets rows.
    [
      'note: The copy has no complete days from 2026-03-18 to 2026-03-18. Nothing',
      '--period today',
    ],
    // Not read since.
    [`${compared} Not compared, because the copy does not have all of them: 7 days.`, '', later],
  ] as const) {
    expectExit(await at.cb(`--sandbox sync check ${line}`, options), 0, new RegExp(says), '');
  }
  const sales = `SELECT transaction_id AS id, transaction_day AS day FROM orders
    WHERE transaction_type = 'SALE' AND role = 'VENDOR' ORDER BY transaction_time LIMIT 1`;
  const [{ id, day } = {}] = await rowsOf(copyOf(at), sales);
  const isIt = `WHERE transaction_id = '${id}'`;
  await changeCopy(at, `DELETE FROM sync_orders ${isIt}`);
  await changeCopy(at, `UPDATE order_items SET account_amount = account_amount + 1 ${isIt}`);
  const days = '--start-date 2026-01-01 --end-date 2026-03-17';
  const { code, out, err } = await at.cb(`--sandbox sync check ${days} -o json`);
  expect(code, err).toBe(8);
  expect(JSON.parse(out)).toMatchObject([
    { table: 'orders', figure: 'rows', firstDay: day, lastDay: day, difference: -1 },
    { table: 'order_items', figure: 'sales', firstDay: day, difference: 1 },
  ]);
});

test('forget asks first, changes nothing if the answer is no, shows the rows with --dry-run, then strips all rows of a customer, also of the same receipt without an address, keeps the transactions, and keeps the customer out', async () => {
  const at = await synced();
  const untouched = bytesOf(at);
  const someone = person(false);
  const line = `--sandbox sync forget --email ${email}`;
  expect(await at.cb(line, { columns: 80, person: someone })).toMatchObject({ code: 10 });
  expect(someone.asked).toEqual([
    `Remove the personal data of ${email} from the copy, and keep it out?`,
  ]);
  expect(await at.cb(line)).toMatchObject({ code: 10 });
  const found = /Found \d+ rows of orders, \d+ rows of tickets.* Dry run: nothing was changed\./;
  expectExit(await at.cb(`${line} --dry-run`), 0, found);
  expect(bytesOf(at)).toBe(untouched);
  const sums = 'SELECT count(*) AS count, round(sum(total_order_amount), 2) AS paid FROM orders';
  const before = await rowsOf(copyOf(at), sums);
  expect(untouched).toContain(email);
  const tickets = `SELECT receipt FROM tickets WHERE email = '${email}'`;
  const [order] = await rowsOf<{ receipt: string }>(copyOf(at), tickets);
  const ticket = `receipt = '${order?.receipt}'`;
  const noAddress = 'email = NULL, email_at_order_time = NULL';
  await changeCopy(at, `UPDATE tickets SET ${noAddress} WHERE ${ticket}`);
  const ran = await at.cb(`--sandbox sync forget --email ADA.Sample@Example.com --yes`);
  expect(ran).toMatchObject({ code: 0, out: '', err: expect.not.stringContaining('note:') });
  expect(await rowsOf(copyOf(at), sums)).toEqual(before);
  expect(bytesOf(at)).not.toMatch(/ada\.sample@|Ada Sample/i);
  const texts = `SELECT first_name, description, comment FROM tickets
    JOIN ticket_comments USING (account, ticket_id, receipt) WHERE ${ticket}`;
  const left = (await rowsOf(copyOf(at), texts)).flatMap(Object.values);
  expect(new Set(left)).toEqual(new Set([null]));
  expect((await at.cb(`--sandbox sync --look-back 90d ${tables}`)).code).toBe(0);
  expect(await rowsOf(copyOf(at), sums)).toEqual(before);
  expect(bytesOf(at)).not.toMatch(/ada\.sample@|Ada Sample/i);
  expect(await numberOf(copyOf(at), 'SELECT count(email) FROM orders')).toBeGreaterThan(20);
});

test('forget remembers the receipts of orders that are copied later, and names the journal of notifications, which keeps names', async () => {
  const line = '--sandbox sync --since 2025-01-01';
  const at = await synced(300, `${line} --tables tickets`);
  const file = join(at.folder, '.local/share/clickbank-cli/notifications.sqlite');
  (await openJournal(file)).close();
  expectExit(await at.cb(`--sandbox sync forget --email ${email} --yes`), 0, `note: ${file} `);
  const receipts = () => numberOf(copyOf(at), 'SELECT count(*) FROM sync_forgotten');
  const before = await receipts();
  expect(await at.cb(`${line} --tables orders`)).toMatchObject({ code: 0 });
  expect(await receipts()).toBeGreaterThan(before);
});

test('deleting fails while another program reads the copy, because deleted text stays in its file', async () => {
  const at = await synced(60);
  const sql = await openSqlite(copyOf(at), world(at.folder, {}).context.processes);
  await sql.query('PRAGMA busy_timeout = 1');
  const other = await openForReading(copyOf(at));
  await other.steadily(async () => {
    other.all('SELECT count(*) FROM orders');
    await expect(emptyCopy(sql)).rejects.toThrow(
      /^Deleted text stays in \S+ while another program reads it\.$/,
    );
  });
  await emptyCopy(sql);
  other.close();
  await sql.close();
});

test('reset asks, names what it deletes, and deletes the copy, but neither views of the user nor the list of forgotten customers', async () => {
  const at = await synced();
  await changeCopy(at, 'CREATE VIEW mine AS SELECT count(*) AS orders FROM orders');
  expect(await at.cb('--sandbox sync reset')).toMatchObject({ code: 10 });
  const someone = person(true);
  const asked = await at.cb('--sandbox sync reset', { columns: 80, person: someone });
  expect(asked.code).toBe(0);
  expect(someone.asked).toEqual([
    expect.stringMatching(/^Delete the copy in \S+sandbox\.db \([\d,]+ rows of GREENLEAF\)\?$/),
  ]);
  expect(await rowsOf(copyOf(at), 'SELECT orders FROM mine')).toEqual([{ orders: 0 }]);
  expect(bytesOf(at)).not.toContain(email);
  expectExit(await at.cb('--sandbox metrics payments'), 3, 'There is no copy');
  // The list of metrics needs no copy.
  const listed = await at.cb('--sandbox metrics', { columns: 80 });
  expect(listed).toMatchObject({ code: 0, out: expect.stringContaining('repeat-customers') });
  await at.cb(sync);
  await at.cb(`--sandbox sync forget --email ${email} --yes`);
  await at.cb('--sandbox sync reset --yes');
  await at.cb(sync);
  expect(bytesOf(at)).not.toContain(email);
});
