/** `cb metrics`: the views of the copy, as lists and charts. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { views } from '../../../src/features/sync/views/views.ts';
import { type Home, home, now } from '../../support/cb.ts';
import { changeCopy, copyOf, syncedHome } from '../../support/copy.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { readWorkbook } from '../../support/workbook.ts';

const copiedHome = () => syncedHome('sync --profile sandbox:vendor');

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (at: Home, line: string): Promise<Row[]> => sandboxJson(at, `metrics ${line}`);

test('lists the metrics without a copy, with a sentence about each', async () => {
  const { out } = await home().cb('metrics -o csv');
  expect(out.trim().split('\n')).toHaveLength(views.length + 1);
  expect(out).toContain('repeat-customers,Customers with several orders.');
});

test('shows every metric as a table, also by the names that people use, and sends no request', async () => {
  const made = await copiedHome();
  for (const { name, also = [] } of views) {
    const line = `metrics ${name} --sandbox --debug --allow-incomplete`;
    const { code, out, err } = await made.cb(line, { columns: 120 });
    expect([name, code]).toEqual([name, 0]);
    // Small sandboxes have no trials.
    if (name !== 'trials_by_month') expect(out.split('\n').length).toBeGreaterThan(3);
    expect(err).not.toContain('GET');
    for (const other of also) {
      const whole = await rowsOf(made, `${name} --allow-incomplete`);
      expect([other, await rowsOf(made, `${other} --allow-incomplete`)]).toEqual([other, whole]);
    }
  }
});

test('shows a dashboard of the last month above the list on a terminal, equal to the metrics', async () => {
  const made = await copiedHome();
  const { code, out, err } = await made.cb('metrics --sandbox', { columns: 80 });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^Feb 2026 compared with Jan 2026, in US dollars\n/);
  expect(out).toContain('\nMetrics: cb metrics NAME\n');
  const figureOf = (figure: string) =>
    Number(new RegExp(`^${figure} +([\\d,.]+)`, 'm').exec(out)?.[1]?.replaceAll(',', ''));
  const monthOf = async (name: string) => await rowsOf(made, `${name} --period 2026-02`);
  const sumOf = (rows: readonly Row[], column: string) =>
    rows.reduce((sum, row) => sum + Number(row[column]), 0);
  const payments = await monthOf('payments');
  const sales = payments.filter((row) => row.transaction_type === 'SALE');
  const earned = sumOf(payments, 'earned');
  const revenue = await monthOf('mrr');
  const [customers = {}] = await monthOf('ltv');
  const lost = sumOf(revenue, 'churned_mrr') + sumOf(revenue, 'contraction_mrr');
  for (const [figure, value] of [
    ['Net', expect.closeTo(sumOf(payments, 'net'), 5)],
    ['Sales', sales.length],
    ['You earn per sale', expect.closeTo(sumOf(sales, 'earned') / sales.length, 1)],
    ['Refunded share of earned', expect.closeTo((100 * sumOf(payments, 'refunded')) / earned, 1)],
    ['New customers', customers.new_customers],
    ['Lifetime value', customers.ltv],
    ['MRR, as you earn it', expect.closeTo(sumOf(revenue, 'mrr'), 5)],
    ['MRR churn', expect.closeTo((100 * lost) / sumOf(revenue, 'mrr_at_start'), 1)],
  ]) {
    expect([figure, figureOf(figure)]).toEqual([figure, value]);
  }
  const january = sumOf(await rowsOf(made, 'payments --period 2026-01'), 'net');
  const change = (100 * (sumOf(payments, 'net') - january)) / january;
  expect(out).toMatch(new RegExp(`^Net .* \\${change > 0 ? '+' : ''}${change.toFixed(1)}%`, 'm'));
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  // A pipe gets the list only, and so does a terminal without a copy.
  const piped = await made.cb('metrics --sandbox');
  const without = await home().cb('metrics', { columns: 80 });
  for (const list of [piped, without]) expect(list.out).not.toContain('Lifetime value');
});

test('counts a sale between two accounts of the copy once in the dashboard, as cb summary does', async () => {
  const profiles = '--profile sandbox:vendor,sandbox:affiliate';
  const made = await syncedHome(`sync ${profiles}`);
  const { out } = await made.cb('metrics --sandbox', { columns: 80 });
  const summary = await made.cb(`summary ${profiles} --period 2026-02 -o json`);
  const { totals } = JSON.parse(summary.out);
  expect(out).toMatch(new RegExp(`^Sales +${totals.sales} `, 'm'));
});

test('says in the dashboard which days the copy lacks', async () => {
  const made = await copiedHome();
  await changeCopy(made, "DELETE FROM sync_days WHERE source = 'orders' AND day = '2026-01-10'");
  const dashboard = (options = {}) => made.cb('metrics --sandbox', { columns: 80, ...options });
  expectExit(await dashboard(), 0, 'The copy does not have all orders of 2026-01-10.');
  // March is over, but was read until the 18th only.
  const april = await dashboard({ now: () => new Date('2026-04-02T18:00:00Z') });
  expectExit(april, 0, 'all orders of 2026-01-10 to 2026-03-31 (15 days).');
  expectExit(april, 0, 'all subscriptions of 2026-03-18 to 2026-03-31 (14 days).');
  await changeCopy(made, "UPDATE sync_accounts SET first_day = '2026-02-05'");
  expectExit(await dashboard(), 0, /^note: The copy begins on 2026-02-05\. $/);
});

test('limits a metric by day to the days of a period, by month to its months, cohorts to those that begin in it, and customers to those whose orders overlap it', async () => {
  const made = await copiedHome();
  const days = '--since 2026-01-20 --until 2026-02-10';
  const all = await rowsOf(made, 'sales-by-day-and-product');
  const some = await rowsOf(made, `sales-by-day-and-product ${days} --account greenleaf`);
  const isWithin = ({ day }: Row) => '2026-01-20' <= String(day) && String(day) <= '2026-02-10';
  expect(some).toEqual(all.filter(isWithin));
  expect(some.length).toBeGreaterThan(5);
  const monthly = await rowsOf(made, `rates-by-product ${days}`);
  expect(new Set(monthly.map(({ month }) => month))).toEqual(new Set(['2026-01-01', '2026-02-01']));
  const cohorts = await rowsOf(made, 'cohorts --since 2026-01-01');
  const later = (await rowsOf(made, 'cohorts')).filter((row) => String(row.cohort) >= '2026-01-01');
  expect(cohorts).toEqual(later);
  expect(cohorts.length).toBeGreaterThan(2);
  const everybody = await rowsOf(made, 'repeat-customers');
  const customers = await rowsOf(made, `repeat-customers ${days}`);
  const overlaps = ({ first_day: first, last_day: last }: Row) =>
    String(first) <= '2026-02-10' && String(last) >= '2026-01-20';
  expect(customers).toEqual(everybody.filter(overlaps));
  expect(customers.length).toBeGreaterThan(1);
  expect(customers.length).toBeLessThan(everybody.length);
});

test('refuses another account, and says on a terminal what is missing because the copy begins late', async () => {
  const { cb } = await copiedHome();
  const begins = 'note: The copy begins on \\d{4}-\\d\\d-\\d\\d\\.';
  const noAccount = "The copy has no account 'nobody'. Use GREENLEAF.";
  for (const [line, code, says] of [
    ['rates-by-product --account nobody', 2, noAccount],
    ['--account nobody', 2, noAccount],
    ['cohorts', 0, `${begins} Customers who bought before count as new.`],
    ['mrr', 0, `${begins} Subscriptions without a payment since then have no MRR.`],
  ] as const) {
    expectExit(await cb(`metrics ${line} --sandbox`, { columns: 100 }), code, new RegExp(says));
  }
});

test('adds up neither rates nor month-end balances in a workbook, and shows earnings in US dollars', async () => {
  const made = await copiedHome();
  const totalsOf = async (name: string) => {
    const file = join(made.folder, `${name}.xlsx`);
    await made.cb(`metrics ${name} --period last-month --sandbox --out ${file}`);
    return readWorkbook(file).get('Totals') ?? [];
  };
  const moved = (await totalsOf('subscriptions')).map(({ amount }) => amount);
  expect(moved).toContain('new_mrr');
  expect(moved.filter((name) => /percent$|^mrr|^installments$/.test(name ?? ''))).toEqual([]);
  const earned = (await totalsOf('payments')).filter(({ amount }) => amount === 'earned');
  expect(earned).toMatchObject([{ currency: 'USD' }]);
});

test('draws a chart, accepts underscores and capitals, and sorts and cuts rows as lists do', async () => {
  const made = await copiedHome();
  const line = 'metrics sales-by-day-and-product --sandbox --chart net';
  const chart = await made.cb(line, { columns: 90 });
  expect(chart).toMatchObject({ code: 0, out: expect.stringContaining('Net') });
  const best = await rowsOf(made, 'RATES_BY_AFFILIATE --sort earned:desc --limit 3');
  const all = await rowsOf(made, 'rates-by-affiliate');
  const earned = all.map((row) => Number(row.earned)).sort((one, other) => other - one);
  expect(best.map((row) => Number(row.earned))).toEqual(earned.slice(0, 3));
});

test('shows what tells rows apart and the main figure at 80 columns, and once what all rows share', async () => {
  const made = await copiedHome();
  const shown = async (line: string, columns = 80) =>
    (await made.cb(`metrics ${line} --sandbox --limit 5 --no-color`, { columns })).out.split('\n');
  const [above, heading, ...lines] = await shown('rates-by-affiliate --period 2026-02');
  expect(above).toMatch(/^Account: \w+ +Month: Feb 2026/);
  expect(heading).toMatch(/^(?:Role +)?Affiliate +.*Refund rate % +Chargeback rate %/);
  const keys = lines.slice(0, 5).map((line) => line.slice(0, heading?.indexOf('Refund')));
  expect(new Set(keys).size).toBe(5);
  const [, narrow] = await shown('rates-by-affiliate --period 2026-02', 60);
  expect(narrow).toMatch(/Affiliate +Refund rate % +Chargeback rate %/);
  const payments = await shown('payments --period 2026-02');
  expect(payments.join('\n')).toMatch(/^.*Receipt +Transaction type .*Net$/m);
  const subscriptions = await shown('subscriptions-by-month');
  expect(subscriptions.join('\n')).toMatch(/^Month +(?:Role +)?Currency +MRR/m);
  expect(subscriptions.join('\n')).toMatch(/^[A-Z][a-z]{2} 202\d /m);
});

test('prints nothing and ends with exit code 8 if the copy lacks days of the period, and says how to read them', async () => {
  const made = await copiedHome();
  const days = "day BETWEEN '2026-01-10' AND '2026-01-12'";
  await changeCopy(made, `DELETE FROM sync_days WHERE source = 'orders' AND ${days}`);
  const lacks = 'The copy does not have all orders of 2026-01-10 to 2026-01-12 (3 days).';
  const line = '--sandbox -o csv --period 2026-01';
  const names = ['payments', 'rates-by-affiliate', 'sales-by-day-and-product', 'rates-by-product'];
  for (const name of names) {
    const says = `cb: ${lacks} Run \`cb --sandbox sync\`, or add --allow-incomplete`;
    expectExit(await made.cb(`metrics ${name} ${line}`), 8, says, '');
    const shown = await made.cb(`metrics ${name} ${line} --allow-incomplete`);
    expectExit(shown, 0, `note: ${lacks} `);
    // Amounts have two decimals.
    expect(shown.out).toMatch(/(?:,-?\d+\.\d\d){4}\n/);
  }
  // All days are in the copy, or the metric does not come from orders.
  expect(await rowsOf(made, 'payments --period 2026-02')).not.toEqual([]);
  expect(await rowsOf(made, 'payments --since 2026-01-13 --until 2026-01-20')).not.toEqual([]);
  expect(await rowsOf(made, 'subscriptions-by-month --period 2026-01')).not.toEqual([]);
  // A part of a month is the whole month in a metric by month, and some depend on all days before or since.
  for (const asked of [
    'rates-by-product --since 2026-01-13',
    'rates-by-month-of-sale --period 2025-12',
    ...['cohorts', 'mrr', 'mrr-by-product'].map((name) => `${name} --period 2026-02`),
  ]) {
    expectExit(await made.cb(`metrics ${asked} --sandbox`), 8, lacks, '');
  }
  // The first sync reads part of a month of analytics.
  const analytics = await made.cb('metrics earnings-by-tracking-id --period 2026-02 --sandbox');
  const part = /does not have all analytics of 2026-02-01 to 2026-02-\d\d \(\d+ days\)\./;
  expectExit(analytics, 8, part, '');
  // No sync could read them.
  const gone = await made.cb('metrics epc --period 2025-02 --sandbox');
  expectExit(gone, 8, 'ClickBank no longer lists 2025-02-01. Use a later period, or add', '');
  // Days before the copy are asked for with the database that was named.
  const before = await made.cb(`metrics payments --since 2020-05-01 --database ${copyOf(made)}`);
  expectExit(before, 8, `Run \`cb sync ${copyOf(made)} --since 2020-05-01\`, or add`);
  const { out } = await made.cb(
    "sql 'select month from complete_months where source = ? order by 1 desc limit 2' orders --sandbox -o csv",
  );
  expect(out).toBe('month\n2026-02-01\n2025-12-01\n');
});

test('says how old the copy is when it is more than a day old, also if only tables of other metrics were read since', async () => {
  const made = await copiedHome();
  const file = copyOf(made);
  const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  const env = { CB_BASE_URL: 'https://api.clickbank.com', CB_API_KEY: 'API-EXAMPLE' };
  const run = (line: string, hours: number) =>
    made.cb(`metrics ${line} --database ${file}`, { env, now: () => later(hours) });
  const old = `note: The orders in the copy are from 2026-03-18. To update them, run cb sync ${file}.`;
  expect(await run('payments', 23)).toMatchObject({ code: 0, err: '' });
  for (const line of ['payments', 'cohorts --period 2026-02']) {
    expectExit(await run(line, 25), 0, old);
  }
  const read = `synced_at = '${later(120).toISOString()}'`;
  await changeCopy(made, `UPDATE sync_days SET ${read} WHERE source <> 'orders'`);
  expectExit(await run('rates-by-affiliate', 120), 0, old);
  const asked = await run('rates-by-affiliate --period this-month', 120);
  expectExit(asked, 8, 'all orders of 2026-03-18 to 2026-03-23 (6 days).', '');
  const listed = await run('subscriptions-by-month --period this-month', 120);
  expectExit(listed, 8, 'all subscriptions of 2026-03-18 to 2026-03-23 (6 days).', '');
  await changeCopy(made, "DELETE FROM sync_reads WHERE source = 'subscriptions'");
  expectExit(await run('subscriptions-by-month', 23), 8, /all subscriptions of .* 2026-03-19 \(/);
});

test('asks for a sync if an older cb wrote the copy', async () => {
  const made = await copiedHome();
  const fewer =
    'CREATE VIEW customer_value_by_month AS SELECT account, 1 AS month FROM sync_accounts';
  for (const change of ['DROP VIEW customer_value_by_month', fewer]) {
    await changeCopy(made, change);
    for (const line of ['metrics ltv --sandbox', 'metrics --sandbox']) {
      const ran = await made.cb(line, { columns: 80 });
      expectExit(ran, 3, 'does not have this metric yet. Try: cb --sandbox sync');
    }
  }
});
