/** `cb export month`: a month as a workbook, compared with quickstats. What LibreOffice holds of it is checked in office.test.ts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { byField, monthService, readWorkbook } from '../../support/workbook.ts';
import { cents } from '../earnings/answers.ts';

const sold = {
  ...{ receipt: 'A1', transactionType: 'SALE', transactionTime: '2026-02-01T10:00:00-08:00' },
  ...{ currency: 'USD', role: 'VENDOR', vendor: 'SHOP', totalOrderAmount: '10.00' },
  lineItemData: [{ itemNo: '1', accountAmount: '7.35' }],
};

test('ends with exit code 8 and names the difference if quickstats disagrees', async () => {
  const at = home();
  const env = await monthService(sold, '7.30');
  const ran = await at.cb('export month 2026-02 --out month.xlsx', { env });
  const says =
    /^warning: What you earn differs from quickstats by 0\.05 USD \(sales 0\.05, refunds 0\.00, chargebacks 0\.00\)\. $/;
  expectExit(ran, 8, says);
  expect(existsSync(join(at.folder, 'month.xlsx'))).toBe(true);
});

test('agrees with quickstats for each key of the sandbox, in a short summary on a terminal', async () => {
  const at = await sandboxHome();
  const exportedBy = (key: string, month: string) =>
    at.cb(`export month ${month} --profile sandbox:${key} --out month.xlsx`, { columns: 80 });
  for (const key of ['full', 'vendor', 'affiliate', 'read-only']) {
    const others = key === 'full' ? ['2025-12', '2026-01'] : [];
    for (const month of [...others, 'this-month']) {
      const { code, out, err } = await exportedBy(key, month);
      expect({ key, month, code, out }).toEqual({ key, month, code: 0, out: '' });
      const agrees = 'Difference 0.00 USD: the net agrees with quickstats of the same days.';
      expect(err).toContain(agrees);
      expect(err).toMatch(/^ {2}Net +[1-9][\d,]* +[\d,]+\.\d\d USD$/m);
      expect(err).toMatch(/Wrote [\d,]+ rows \([\d.]+ KB\) to month\.xlsx\./);
      const open = '2026-03 is not over: 2026-03-01 to 2026-03-18 so far';
      expect(err.includes(open)).toBe(month === 'this-month');
    }
  }
  const narrow = await at.cb('export month 2026-02 --sandbox --out month.xlsx', { columns: 60 });
  expect(narrow.err).toMatch(/^Difference 0\.00 USD: .* of the\n {4}same days\.$/m);
  const piped = await at.cb('export month 2026-02 --sandbox --out -');
  expectExit(piped, 0, /^$/, expect.stringMatching(/^PK/));
});

test('refuses an amount with an exponent, which ClickBank does not send, as unreadable', async () => {
  const env = await monthService({ ...sold, totalOrderAmount: '1E2' }, '7.35');
  const { code, err } = await home().cb('export month 2026-02 --out month.xlsx', { env });
  expect([code, err]).toEqual([5, expect.stringMatching(/ 1E2 can't be added\.\n$/)]);
});

test('leaves no file if the service fails in the middle', async () => {
  const { cb, folder } = await servedHome((reply, _, { url, headers }) => {
    if (url.includes('accounts')) reply.end('{"accountData":[{"nickName":"SHOP"}]}');
    else if (Number(headers.page) > 2) reply.writeHead(400).end('no');
    else reply.writeHead(206).end(JSON.stringify({ orderData: sold }));
  });
  expect((await cb('export month 2026-02 --out month.xlsx')).code).not.toBe(0);
  expect(readdirSync(folder).filter((name) => name.includes('month'))).toEqual([]);
});

test('writes the transactions of a month as csv, with the rows and the net of the workbook, which is equal each time, and adds up tax and shipping by currency, once for each customer', async () => {
  const at = await sandboxHome();
  for (const name of ['month.csv', 'month.xlsx', 'again.xlsx']) {
    const { code } = await at.cb(`export month 2026-02 --sandbox --out ${name}`);
    expect({ name, code }).toEqual({ name, code: 0 });
  }
  const path = (name: string) => join(at.folder, name);
  expect(readFileSync(path('month.xlsx')).equals(readFileSync(path('again.xlsx')))).toBe(true);
  const rows: Record<string, string>[] = parse(readFileSync(path('month.csv')), { columns: true });
  const sheets = readWorkbook(path('month.xlsx'));
  const sheet = sheets.get('Transactions')?.map(byField) ?? [];
  const named = (row: Readonly<Record<string, string>>) =>
    [row.receipt, row.kind, row.role, row.ownAffiliateShare, Number(row.youEarn)].join();
  expect(rows.map(named)).toEqual(sheet.map(named));
  // The sheets have a row for each share, and the summary says so.
  const summary = sheets.get('Summary') ?? [];
  const noted = summary.flatMap(({ Note = '' }) => /also have (\d+) rows?/.exec(Note)?.[1] ?? []);
  const shares = rows.filter(
    (row) => row.ownAffiliateShare === 'yes' && !/test|fee/.test(row.kind ?? ''),
  );
  expect(shares.length).toBeGreaterThan(0);
  expect(noted.reduce((all, one) => all + Number(one), 0)).toBe(shares.length);
  expect(shares.every((row) => row.customerPaid === '')).toBe(true);
  for (const line of summary) {
    const kind = { Sales: 'sale', Rebills: 'rebill', Refunds: 'refund' }[line.Item ?? ''];
    if (!kind || !line.Currency) continue;
    const own = sheet.filter((row) => row.kind === kind && row.currency === line.Currency);
    const sum = (field: string) => own.reduce((all, row) => all + cents(row[field]), 0);
    const shown = [cents(line['Tax in it']), cents(line['Shipping in it'])];
    expect([line, ...shown]).toEqual([line, sum('tax'), sum('shipping')]);
  }
});

test.each(['-o csv', '--journal'])('says with %s if the month is not over', async (form) => {
  const { cb } = await sandboxHome();
  const told = async (month: string) => (await cb(`--sandbox export month ${month} ${form}`)).err;
  expect(await told('this-month')).toBe('note: 2026-03 is not over.\n');
  expect(await told('2026-02')).toBe('');
});

test('books each day and kind in two lines of a journal', async () => {
  const back = [{ itemNo: '1', accountAmount: '-7.35' }];
  const fee = { ...sold, transactionType: 'FEE', totalOrderAmount: '-15.00', lineItemData: [] };
  const orders = [
    ...[sold, { ...sold, receipt: 'A2' }, { ...fee, receipt: 'A3' }],
    { ...sold, transactionType: 'RFND', lineItemData: back },
    { ...sold, transactionType: 'TEST_SALE', receipt: 'A4' },
    { ...fee, receipt: 'A5', currency: 'EUR' },
    { ...fee, receipt: 'A5', currency: 'EUR', affiliate: 'SHOP', role: 'AFFILIATE' },
    { ...sold, affiliate: 'SHOP', role: 'AFFILIATE' },
  ];
  const env = await monthService(orders, '22.05', '7.35');
  const ran = await home().cb('export month 2026-02 --journal', { env });
  expectExit(ran, 0, /^note: 1 fee in other currencies than USD is not in the journal\. $/);
  expect(ran.out.split('\n')).toEqual([
    'entry,date,account,debit,credit,memo',
    '2026-02-01 fee,2026-02-01,ClickBank fees,15.00,,1 fee on 2026-02-01',
    '2026-02-01 fee,2026-02-01,ClickBank balance,,15.00,1 fee on 2026-02-01',
    '2026-02-01 refund,2026-02-01,ClickBank refunds,7.35,,1 refund on 2026-02-01',
    '2026-02-01 refund,2026-02-01,ClickBank balance,,7.35,1 refund on 2026-02-01',
    '2026-02-01 sale,2026-02-01,ClickBank balance,22.05,,2 sales on 2026-02-01',
    '2026-02-01 sale,2026-02-01,ClickBank sales,,22.05,2 sales on 2026-02-01',
    '',
  ]);
});

test('books what ClickBank owes: the net of quickstats less the fees, in entries that balance', async () => {
  const at = await sandboxHome();
  const { out } = await at.cb('--sandbox export month February 2026 --journal');
  const lines: Record<string, string>[] = parse(out, { columns: true });
  const sum = (account: RegExp, side: 'debit' | 'credit') => {
    const own = lines.filter((line) => account.test(line.account ?? ''));
    return own.reduce((total, line) => total + Number(line[side]), 0);
  };
  const counted = 'quickstats count --period 2026-02';
  const stats: Record<string, number>[] = await sandboxJson(at, counted);
  const total = (name: string) => stats.reduce((all, stat) => all + (stat[name] ?? 0), 0);
  expect(sum(/./, 'debit')).toBeCloseTo(sum(/./, 'credit'), 6);
  const sales = sum(/sales|rebills/, 'credit') - sum(/sales|rebills/, 'debit');
  expect(sales).toBeCloseTo(total('sale'), 6);
  expect(sum(/refunds/, 'debit')).toBeCloseTo(total('refund'), 6);
  expect(sum(/chargebacks/, 'debit')).toBeCloseTo(total('chargeback'), 6);
  const owed = sum(/balance/, 'debit') - sum(/balance/, 'credit');
  const net = total('sale') - total('refund') - total('chargeback');
  expect(owed).toBeCloseTo(net - sum(/fees/, 'debit'), 6);
});
