/** The bookkeeper's morning: a month as a workbook, opened in LibreOffice, whose sums equal quickstats to the cent. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { type Home, home, now, sandboxHome } from '../../support/cb.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { hasOffice, type OfficeRow, sheetsIn } from '../../support/spreadsheet.ts';

type Sheets = ReadonlyMap<string, readonly OfficeRow[]>;

/** The exact sum of a column, as shown with two decimals. */
function sumOf(rows: readonly OfficeRow[] = [], column: string): string {
  const values = rows.map((row) => row[column]?.value).filter((value) => value !== undefined);
  return addDecimals(['0.00', ...values.map(cents)]) ?? 'not a number';
}

/** LibreOffice writes 3.1 for 3.10. */
function cents(value: string): string {
  return Number(value).toFixed(2);
}

async function exported(at: Home, month: string, flags = '--sandbox'): Promise<Sheets> {
  const { code, err } = await at.cb(`export month ${month} ${flags} --out month.xlsx`);
  expect({ code, err }).toMatchObject({ code: 0 });
  return sheetsIn(at.folder, 'month.xlsx');
}

interface Stat {
  readonly sale: number;
  readonly refund: number;
  readonly chargeback: number;
}

test.skipIf(!hasOffice)(
  'earns to the cent in LibreOffice what quickstats says (needs soffice)',
  async () => {
    const at = await sandboxHome();
    const sheets = await exported(at, 'February 2026');
    const names = ['Summary', 'Transactions', 'Line items', 'Refunds', 'Chargebacks'];
    expect([...sheets.keys()]).toEqual(names);

    const csv = 'orders list --period 2026-02 --layout accounting -o csv';
    const { out } = await at.cb(`--sandbox ${csv}`);
    const rows = parse(out, { columns: true }) as { receipt: string; role: string }[];
    const namesOf = (some: readonly (readonly unknown[])[]) => some.map((one) => one.join()).sort();
    const transactions = sheets.get('Transactions') ?? [];
    expect(namesOf(rows.map(({ receipt, role }) => [receipt, role]))).toEqual(
      namesOf(transactions.map(({ receipt, role }) => [receipt?.text, role?.text])),
    );
    expect(new Set(rows.map(({ role }) => role))).toEqual(new Set(['VENDOR', 'AFFILIATE']));

    const stats: Stat[] = await sandboxJson(at, 'quickstats count --period 2026-02');
    const total = (name: keyof Stat) => stats.reduce((sum, stat) => sum + stat[name], 0);
    const isCounted = ({ kind }: OfficeRow) => !['test', 'fee'].includes(kind?.text ?? '');
    const net = total('sale') - total('refund') - total('chargeback');
    const booked = (sheets.get('Transactions') ?? []).filter(isCounted);
    expect(new Set(booked.map(({ account }) => account?.text)).size).toBeGreaterThan(3);
    expect(new Set(booked.map(({ currency }) => currency?.text)).size).toBeGreaterThan(3);
    expect(sumOf(booked, 'youEarn')).toBe(net.toFixed(2));
    expect(sumOf(sheets.get('Refunds'), 'youEarn')).toBe((-total('refund')).toFixed(2));
    expect(sumOf(sheets.get('Chargebacks'), 'youEarn')).toBe((-total('chargeback')).toFixed(2));
    expect(total('chargeback')).toBeGreaterThan(0);

    const items = sheets.get('Line items');
    expect(sumOf(items, 'accountAmount')).toBe(sumOf(sheets.get('Transactions'), 'youEarn'));
    const summary = sheets.get('Summary') ?? [];
    const line = (name: string) => summary.find(({ item }) => item?.text === name);
    expect(line('Net, all currencies')?.youEarn).toMatchObject({ type: 'currency' });
    expect(cents(line('Net, all currencies')?.youEarn?.value ?? '')).toBe(net.toFixed(2));
    const counts = ['Refunds', 'Chargebacks'].map((kind) => line(`${kind}, all currencies`)?.count);
    expect(counts.map((count) => Number(count?.value) > 0)).toEqual([true, true]);
    expect(line('Difference')?.youEarn?.value).toBe('0');
    expect(line('Difference')?.note?.text).toBe(
      'Agrees with quickstats from 2026-02-01 to 2026-02-28 for the same accounts',
    );
    expect(line('Month')?.note?.text).toBe('2026-02: 2026-02-01 to 2026-02-28, Pacific days');
    // That the figures are right is checked in earnings/one-answer.
    const nets = summary.filter(({ item }) => item?.text === 'Net');
    expect(nets.length).toBeGreaterThan(3);
    for (const { currency, customersPaid } of nets) {
      expect(customersPaid).toMatchObject({ type: 'currency', currency: currency?.text });
    }
  },
);

const hostile = [
  { receipt: '1E234567', title: '=1+1', postalCode: '01067' },
  { receipt: '00000007', title: '007', postalCode: '1-2' },
  { receipt: '12E50000', title: '1E5', postalCode: '3/4' },
  { receipt: 'MAR10000', title: '"quoted" & <b>\'x\'</b>', postalCode: 'TRUE' },
  { receipt: '4F6TAE4U', title: '👩‍🌾 日本 🎉', postalCode: '10:30' },
  { receipt: 'COOK0002', title: 'a\u0001b\u001f_x0041_', postalCode: '5%' },
  { receipt: 'CRLF0001', title: '@SUM(1,2)\ttab', postalCode: '+1' },
].map(({ receipt, title, postalCode }, index) => ({
  ...{ receipt, postalCode, transactionType: 'SALE', currency: 'EUR', role: 'VENDOR' },
  ...{ vendor: 'SHOP', fullName: title, totalOrderAmount: `${index + 1}.10` },
  transactionTime: `2026-02-0${index + 1}T23:59:58-08:00`,
  lineItemData: [{ itemNo: '007', productTitle: title, accountAmount: '1.05', quantity: 1 }],
}));

/** A service with these orders, whose quickstats say that sales were this much. */
async function service(sale: string) {
  const { env } = await serve((reply, _, { url }) => {
    const stats = [{ quickStatDate: null, sale, refund: '0.00', chargeback: '0.00' }];
    if (url.includes('/quickstats/accounts')) reply.end('{"accountData":[{"nickName":"SHOP"}]}');
    else if (url.includes('/quickstats')) {
      reply.end(JSON.stringify({ accountData: [{ nickName: 'SHOP', quickStats: stats }] }));
    } else reply.end(JSON.stringify({ orderData: hostile }));
  });
  return env;
}

test.skipIf(!hasOffice)(
  'keeps hostile text as text, amounts as currency and times as dates in LibreOffice (needs soffice)',
  async () => {
    const at = home();
    const env = await service('7.35');
    const { code, err } = await at.cb('export month 2026-02 --out month.xlsx', { env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const sheets = await sheetsIn(at.folder, 'month.xlsx');
    const rows = sheets.get('Transactions') ?? [];
    expect(rows).toHaveLength(hostile.length);
    for (const [index, sent] of hostile.entries()) {
      const { receipt, product, customerPaid, youEarn, fees, ...row } = rows[index] ?? {};
      expect(receipt).toMatchObject({ type: 'string', text: sent.receipt });
      expect(product).toMatchObject({ type: 'string' });
      // LibreOffice shows no control characters.
      const shown = sent.fullName.replaceAll(/\p{Cc}/gu, '');
      expect(product?.text.replaceAll(/\p{Cc}/gu, '')).toBe(shown);
      expect(customerPaid).toMatchObject({ type: 'currency', currency: 'EUR' });
      expect(youEarn).toMatchObject({ type: 'currency', currency: 'USD', value: '1.05' });
      expect(fees?.type).toBeUndefined();
      const day = index + 1;
      expect(row['time (Pacific)']).toMatchObject({
        type: 'date',
        value: `2026-02-0${day}T23:59:58`,
      });
      expect(row.date).toMatchObject({ type: 'date', value: `2026-02-0${day}` });
    }
    const cells = [...sheets.values()].flat().flatMap((row) => Object.values(row));
    expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
  },
);

test('ends with exit code 8 and names the difference if quickstats disagrees', async () => {
  const at = home();
  const env = await service('7.30');
  const { code, err } = await at.cb('export month 2026-02 --out month.xlsx', { env });
  expect(code).toBe(8);
  expect(err).toBe(
    'warning: What you earn differs from quickstats by 0.05 USD (sales 0.05, refunds 0.00, chargebacks 0.00).\n',
  );
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
  const { code, out, err } = await at.cb('export month 2026-02 --sandbox --out -');
  expect({ code, err, start: out.slice(0, 2) }).toEqual({ code: 0, err: '', start: 'PK' });
});

test('leaves no file if the service fails in the middle', async () => {
  const at = home();
  const { env } = await serve((reply, _, { url, headers }) => {
    if (url.includes('accounts')) reply.end('{"accountData":[{"nickName":"SHOP"}]}');
    else if (Number(headers.page) > 2) reply.writeHead(400).end('no');
    else reply.writeHead(206).end(JSON.stringify({ orderData: hostile }));
  });
  const { code } = await at.cb('export month 2026-02 --out month.xlsx', { env });
  expect(code).not.toBe(0);
  expect(readdirSync(at.folder).filter((name) => name.includes('month'))).toEqual([]);
});

test('asks for a file on a terminal', async () => {
  const { code, err } = await home().cb('export month 2026-02 --sandbox', { columns: 80 });
  expect([code, err]).toEqual([2, expect.stringContaining('Add --out 2026-02.xlsx.')]);
});

test('writes equal workbooks for equal transactions', async () => {
  const at = await sandboxHome();
  const fixed = { now: () => now };
  await at.cb('orders list --period 2026-02 --sandbox --out one.xlsx', fixed);
  await at.cb('orders list --period 2026-02 --sandbox --out two.xlsx', fixed);
  const [one, two] = ['one', 'two'].map((name) => readFileSync(join(at.folder, `${name}.xlsx`)));
  expect(one?.equals(two as Buffer)).toBe(true);
});
