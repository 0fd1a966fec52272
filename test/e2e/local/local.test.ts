/** `--local`: the same answers from the copy, without a request. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { home, now, sandboxHome } from '../../support/cb.ts';
import { noPostgres, postgresUrl } from '../../support/postgres.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const days = '--start-date 2025-10-01 --end-date 2026-03-18';

/** A served sandbox, its copy, and both answers to a command line; what differs is named. */
async function synced({ orders = 400, keyName = 'full' } = {}) {
  const { sandbox, env } = await serveSandbox({ orders, keyName });
  const { cb } = home();
  expect(await cb('sync --tables orders,tickets', { env })).toMatchObject({ code: 0 });
  const both = async (line: string) => {
    const remote = await cb(line, { env });
    const before = sandbox.requests.length;
    const { err, ...local } = await cb(`${line} --local`, { env });
    expect({ line, requests: sandbox.requests.length - before }).toEqual({ line, requests: 0 });
    return { line, remote: { code: remote.code, out: remote.out }, local, err };
  };
  const same = async (line: string) => {
    const { remote, local, err } = await both(line);
    expect({ line, err, ...local }).toEqual({ line, err, ...remote });
    return remote;
  };
  return { cb, env, sandbox, both, same };
}

/** Values that some orders of the sandbox have, and some that none has. */
const filters = {
  type: fc.constantFrom('SALE', 'BILL', 'RFND', 'CGBK', 'FEE', 'TEST_SALE', 'SALE,RFND'),
  vendor: fc.constantFrom('GREENLEAF', 'greenleaf', 'COOK%', '%L%', 'GREEN_EAF', 'NOBODY'),
  affiliate: fc.constantFrom('none', '%A%', 'GREENLEAF', 'COOKWELL', '%', 'a%'),
  'last-name': fc.constantFrom('Sample', 'sample', 'S%', '%e', '%é%', 'Nobody'),
  item: fc.constantFrom('CLUB-M', 'EBOOK-1', 'KIT-03', 'NONE'),
  email: fc.constantFrom('ada.sample@example.com', '%@example.com', 'ADA%', 'a_a%', '%.org'),
  tid: fc.constantFrom('newsletter', 'blog', 'NEWSLETTER', 'spring'),
  'postal-code': fc.constantFrom('9%', '%0', '10115'),
  role: fc.constantFrom('VENDOR', 'AFFILIATE'),
  amount: fc.constantFrom('37.00', '37', '29.00', '29.0', '0'),
};

const lines = fc
  .subarray(Object.keys(filters) as (keyof typeof filters)[], { maxLength: 3 })
  .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), filters[name]))))
  .map((chosen) => chosen.map(([name, value]) => `--${name} '${value}'`).join(' '));

test('lists the same orders in the same order as the service, for any filters', async () => {
  const { same } = await synced();
  let found = 0;
  await fc.assert(
    fc.asyncProperty(lines, async (line) => {
      const { out } = await same(`orders list ${days} ${line} -o json`);
      found += JSON.parse(out).length;
    }),
    { numRuns: 60 },
  );
  expect(found).toBeGreaterThan(100);
});

test('lists the same orders for a key of an affiliate', async () => {
  const { same } = await synced({ keyName: 'affiliate' });
  const { out } = await same(`orders list ${days} -o json`);
  expect(JSON.parse(out).length).toBeGreaterThan(10);
  await same('orders list --role AFFILIATE --period last-90-days -o csv');
});

test('writes the same output in every format, with options that choose rows and columns', async () => {
  const { same } = await synced();
  for (const options of [
    '-o table',
    '-o csv --totals',
    '-o ndjson --expand lineItemData',
    '-o tsv --fields receipt,totalOrderAmount --sort totalOrderAmount:desc --limit 7',
    '-o csv --limit 101',
    '-o json --page 2',
    "-o json --query 'length(@)'",
    '-o json --tz Asia/Tokyo',
  ]) {
    await same(`orders list ${days} ${options}`);
  }
});

test('gives the same figures of summary, today and check', async () => {
  const { same } = await synced();
  for (const line of [
    'summary',
    'summary -o json',
    'summary --period last-90-days --by affiliate -o csv',
    'summary --by day -o csv',
    'summary --role AFFILIATE -o json',
    'summary --account GREENLEAF --compare week-before -o json',
    'today -o json',
    'check --by product --min-sales 1 --refund-rate 1%',
    'check --min-sales 1 --refund-rate 90% --chargeback-rate 90%',
  ]) {
    await same(line);
  }
});

test('finds the same orders and tickets', async () => {
  const { same } = await synced();
  for (const words of [
    ...['ada sample', 'ADA.SAMPLE@example.com', "'samp%'", 'monthly1', '1001', 'nosuch99'],
    ...['MONTHLY1-B002', 'nobody'],
  ]) {
    await same(`find ${words} -o json`);
  }
});

test('lists the same tickets', async () => {
  const { same } = await synced();
  for (const filter of [
    '--create-period last-90-days',
    '--create-period last-90-days --type rfnd,cncl',
    '--update-period last-7-days',
    '--close-period last-30-days',
    '--status closed --create-period last-60-days',
    '--receipt MONTHLY1',
    "--receipt 'MONTH%'",
  ]) {
    await same(`tickets list ${filter} -o json`);
  }
});

test('says how old the copy is', async () => {
  const { cb, env } = await synced({ orders: 60 });
  const { err } = await cb('orders list --period yesterday --local', { env });
  expect(err).toBe('note: From the copy of 2026-03-18 11:30 Pacific time, 0 minutes old.\n');
  const later = () => new Date(now.getTime() + 3 * 3_600_000);
  const old = await cb('orders list --period yesterday --local', { env, now: later });
  expect(old.err).toContain('11:30 Pacific time, 3 hours old.');
});

test('works without the service and without a key', async () => {
  const at = await sandboxHome(60);
  const { sandbox, env } = await serveSandbox();
  await at.cb('sync --tables orders,tickets', { env });
  await sandbox.close();
  const { CB_BASE_URL } = env;
  const without = await at.cb('orders list --period last-7-days --local -o json', {
    env: { CB_BASE_URL },
  });
  expect(without).toMatchObject({ code: 0 });
  expect(JSON.parse(without.out).length).toBeGreaterThan(0);
});

test('refuses days that the copy does not have, or had not yet ended', async () => {
  const { cb, env } = await synced({ orders: 60 });
  const run = (period: string, time = now) =>
    cb(`orders list ${period} --local`, { env, now: () => time });
  const before = await run('--start-date 2023-01-01 --end-date 2023-01-03');
  expect(before).toMatchObject({ code: 8, out: '' });
  expect(before.err).toContain(
    'The copy does not have all orders of 2023-01-01 to 2023-01-03 (3 days).\n    Run `cb sync --since 2023-01-01`',
  );
  const tomorrow = new Date(now.getTime() + 86_400_000);
  expect((await run('--period yesterday', tomorrow)).err).toContain('all orders of 2026-03-18.');
  expect(await run('--start-date 2026-03-17 --end-date 2026-03-30')).toMatchObject({ code: 0 });
  expect(await cb('summary --local --period 2023', { env })).toMatchObject({ code: 8, out: '' });
});

test('refuses to search customers in a copy without personal data, but finds receipts', async () => {
  const { env } = await serveSandbox();
  const { cb } = home();
  await cb('sync --tables orders,tickets --without-personal-data', { env });
  const refused = await cb('find ada sample --local', { env });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('The copy has no personal data');
  const found = await cb('find monthly1 --local -o json', { env });
  expect(JSON.parse(found.out).orders.length).toBeGreaterThan(3);
});

test('answers for the account of the profile only', async () => {
  const { cb } = await sandboxHome(300);
  for (const profile of ['sandbox:vendor', 'sandbox:affiliate']) {
    expect(await cb(`--profile ${profile} sync --tables orders`)).toMatchObject({ code: 0 });
  }
  for (const profile of ['sandbox:vendor', 'sandbox:affiliate']) {
    const line = `--profile ${profile} orders list --period last-30-days -o json`;
    const { out } = await cb(line);
    expect({ profile, out: (await cb(`${line} --local`)).out }).toEqual({ profile, out });
  }
  const other = await cb('--profile sandbox:read-only orders list --period yesterday --local');
  expect(other).toMatchObject({ code: 3, out: '' });
  expect(other.err).toContain('has no copy of profile sandbox:read-only.');
});

test('refuses what is not in a copy', async () => {
  const { cb, env } = await synced({ orders: 60 });
  for (const option of ['--raw', '-o xml', '--since-last x']) {
    const { code, err } = await cb(`orders list --period yesterday --local ${option}`, { env });
    expect({ option, code }).toEqual({ option, code: 2 });
    expect(err).toContain("can't be used with --local.");
  }
  const { cb: fresh } = home();
  expect(await fresh('summary --local', { env })).toMatchObject({
    code: 3,
    err: expect.stringContaining('Try: cb sync'),
  });
});

test.skipIf(noPostgres)('lists the same orders from a copy in PostgreSQL', async () => {
  const url = (await postgresUrl()) ?? '';
  const { sandbox, env } = await serveSandbox({ orders: 300 });
  const { cb } = home();
  expect(await cb(`sync ${url} --tables orders,tickets`, { env })).toMatchObject({ code: 0 });
  const commands = [
    `orders list ${days} --type SALE --email '%@example.com' -o json`,
    `orders list ${days} --vendor 'GREEN%' -o json`,
    `tickets list --create-date-from 2026-01-01 --create-date-to 2026-03-18 -o json`,
    'summary --period last-month -o json',
  ];
  for (const line of commands) {
    const { code, out } = await cb(line, { env });
    const before = sandbox.requests.length;
    const local = await cb(`${line} --local --database ${url}`, { env });
    // PostgreSQL does not keep the order of tracking parameters.
    const rows = JSON.parse(out);
    expect({ line, code: local.code, rows: JSON.parse(local.out) }).toEqual({ line, code, rows });
    expect(code).toBe(0);
    expect(out.length).toBeGreaterThan(200);
    expect(sandbox.requests.length).toBe(before);
  }
});
