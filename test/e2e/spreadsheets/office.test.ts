/** What LibreOffice holds of exported files. It starts once for all workbooks, and once for all files of csv. */
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { hasOffice, type OfficeRow, sheetsInEach } from '../../support/spreadsheet.ts';
import { byField, monthService } from '../../support/workbook.ts';

type Sheets = ReadonlyMap<string, readonly OfficeRow[]>;

const empty: Sheets = new Map();

const february = 'orders list --period 2026-02';

/** What a spreadsheet would interpret differently: receipts, names, postal codes and amounts. */
const hostile = (
  [
    ['1E234567', '=HYPERLINK("http://x","y")', '01067', '11.90'],
    ['00123456', '+1+cmd|"/C calc"!A0', '1-2', '-5.00'],
    ['12E50000', '@SUM(1,2)', '3/4', '0'],
    ['MAR10000', '-A1+3', '10:30', '1234567.89'],
    ['12345678901234567890', 'Zoë "Q" Müller; Söhne, 👩‍🌾 日本 🎉', 'TRUE', '-0.01'],
    ['4F6TAE4U', 'a\nb', '5%', '100'],
    ['COOK-02', ' =1+1', '1.2.', '2.50'],
    ['00000007', '1E5', '+1', '1.10'],
    ['12E5', `007 & <b>'x'</b>\ttab a\u0001b\u001f_x0041_`, '1-2', '1.10'],
  ] as const
).map(([receipt, lastName, postalCode, totalOrderAmount], index) => ({
  ...{ receipt, lastName, postalCode, totalOrderAmount, fullName: lastName },
  ...{ transactionType: 'SALE', currency: 'EUR', role: 'VENDOR', vendor: 'SHOP' },
  transactionTime: `2026-02-0${index + 1}T23:59:58-08:00`,
  lineItemData: [{ itemNo: '007', productTitle: lastName, accountAmount: '1.05', quantity: 1 }],
}));

/** LibreOffice shows no control characters. */
const shownOf = (text = '') => text.replaceAll(/(?!\n)\p{Cc}/gu, '');

test('writes typed cells of orders, other lists and months to workbooks', async (own) => {
  own.skip(!hasOffice, 'needs soffice');
  const at = await sandboxHome(900);
  const written = async (line: string, env = {}) =>
    expect(await at.cb(line, { env })).toMatchObject({ code: 0 });
  await written(`--sandbox ${february} --out orders.xlsx`);
  await written('--sandbox quickstats list --period 2026-02 --account GREENLEAF --out list.xlsx');
  await written('--sandbox export month February 2026 --out month.xlsx');
  const service = await monthService(hostile, '9.45');
  await written('export month 2026-02 --out hostile.xlsx', service);
  const names = ['orders', 'list', 'month', 'hostile'].map((name) => `${name}.xlsx`);
  const sheets = await sheetsInEach(at.folder, names);
  const [orders = empty, list = empty, month = empty, typed = empty] = sheets;
  expectOrders(orders, await sandboxJson(at, february));
  expectStats([...list.values()][0] ?? []);
  expectMonth(month);
  expectHostileText(typed);
});

interface Order {
  readonly receipt: string;
  readonly currency: string;
  readonly totalOrderAmount: number;
  readonly lineItemData: readonly { readonly itemNo: string }[];
}

function expectOrders(sheets: Sheets, sent: readonly Order[]): void {
  expect([...sheets.keys()]).toEqual(['Orders', 'Line items', 'Totals']);
  const orders = sheets.get('Orders') ?? [];
  const items = sheets.get('Line items') ?? [];
  expect(orders.map(({ receipt }) => receipt?.text)).toEqual(sent.map(({ receipt }) => receipt));
  for (const [index, order] of orders.entries()) {
    expect(order['transactionTime (Pacific)']?.type).toBe('date');
    expect(order.totalOrderAmount).toMatchObject({
      type: 'currency',
      currency: sent[index]?.currency,
      value: String(sent[index]?.totalOrderAmount),
    });
    if (order.postalCode?.type) expect(order.postalCode.type).toBe('string');
  }
  // The line of an order is its place below the header.
  const skus = sent.flatMap(({ lineItemData }) => lineItemData.map(({ itemNo }) => itemNo));
  expect(items.map(({ itemNo }) => itemNo?.text).filter(Boolean)).toEqual(skus);
  for (const { orderLine, receipt } of items) {
    expect(orders[Number(orderLine?.value) - 2]?.receipt?.text).toBe(receipt?.text);
  }
  expectTotals(sheets.get('Totals') ?? []);
}

/** That the sums are right is checked in earnings/one-answer. */
function expectTotals(totals: readonly OfficeRow[]): void {
  const paid = totals.filter(({ amount }) => amount?.text === 'totalOrderAmount');
  expect(paid.length).toBeGreaterThan(3);
  for (const { currency, total } of paid) {
    expect(total).toMatchObject({ type: 'currency', currency: currency?.text });
  }
  const earned = totals.filter(({ amount }) => amount?.text === 'youEarn');
  expect(earned.map(({ currency }) => currency?.text)).toEqual(['USD']);
}

function expectStats(days: readonly OfficeRow[]): void {
  expect(days.length).toBeGreaterThan(20);
  for (const { quickStatDate, sale, nickName } of days) {
    expect(quickStatDate?.type).toBe('date');
    expect(sale).toMatchObject({ type: 'currency', currency: 'USD' });
    expect(nickName?.type).toBe('string');
  }
}

function expectMonth(named: Sheets): void {
  const names = ['Summary', 'Transactions', 'Line items', 'Refunds', 'Chargebacks'];
  expect([...named.keys()]).toEqual(names);
  const summary = (named.get('Summary') ?? []).map(byField);
  const line = (name: string) => summary.find(({ item }) => item?.text === name);
  expect(line('Net, all currencies')?.youEarn).toMatchObject({ type: 'currency' });
  expect(line('Difference')?.youEarn?.value).toBe('0');
  expect(line('Difference')?.note?.text).toBe(
    'Agrees with quickstats from 2026-02-01 to 2026-02-28 for the same accounts',
  );
  expect(line('Month')?.note?.text).toBe('2026-02: 2026-02-01 to 2026-02-28, Pacific days');
  const nets = summary.filter(({ item }) => item?.text === 'Net');
  expect(nets.length).toBeGreaterThan(3);
  for (const { currency, customersPaid } of nets) {
    expect(customersPaid).toMatchObject({ type: 'currency', currency: currency?.text });
  }
}

function expectHostileText(sheets: Sheets): void {
  const rows = sheets.get('Transactions')?.map(byField) ?? [];
  expect(rows).toHaveLength(hostile.length);
  for (const [index, sent] of hostile.entries()) {
    const { receipt, product, customerPaid, youEarn, fees, ...row } = rows[index] ?? {};
    expect(receipt).toMatchObject({ type: 'string', text: sent.receipt });
    expect(product).toMatchObject({ type: 'string' });
    expect(shownOf(product?.text)).toBe(shownOf(sent.fullName));
    expect(customerPaid).toMatchObject({ type: 'currency', currency: 'EUR' });
    expect(youEarn).toMatchObject({ type: 'currency', currency: 'USD', value: '1.05' });
    expect(fees?.type).toBeUndefined();
    const day = index + 1;
    expect(row['time (pacific)']).toMatchObject({
      type: 'date',
      value: `2026-02-0${day}T23:59:58`,
    });
    expect(row.date).toMatchObject({ type: 'date', value: `2026-02-0${day}` });
  }
  const cells = [...sheets.values()].flat().flatMap((row) => Object.values(row));
  expect(cells.filter(({ formula }) => formula !== undefined)).toEqual([]);
}

test('opens hostile text in LibreOffice as typed, without running it, and numbers as numbers', async (own) => {
  own.skip(!hasOffice, 'needs soffice');
  const at = await sandboxHome(900);
  const { env } = await serve((reply) => reply.end(JSON.stringify({ orderData: hostile })));
  const flags = "--text-ids --delimiter ';'";
  const ran = await at.cb(`${february} ${flags} --bom --crlf --out hostile.csv`, { env });
  expect(ran).toMatchObject({ code: 0 });
  const fields = '--dates both --fields transactionTime,receipt,totalOrderAmount';
  const dated = await at.cb(`--sandbox ${february} ${flags} ${fields} --out dates.csv`);
  expect(dated).toMatchObject({ code: 0 });
  const files = ['hostile.csv', 'dates.csv'];
  const [texts, dates] = (await sheetsInEach(at.folder, files, ';')).map((sheets) =>
    [...sheets.values()].flat(),
  );
  expectTexts(texts ?? []);
  expectDates(dates ?? []);
});

function expectTexts(rows: readonly OfficeRow[]): void {
  expect(rows).toHaveLength(hostile.length);
  for (const [index, sent] of hostile.entries()) {
    const row = rows[index] ?? {};
    expect(row.receipt?.text).toBe(sent.receipt);
    expect(row.postalCode?.text).toBe(sent.postalCode);
    const runs = /^\s*[=+@-]/.test(sent.lastName);
    expect(shownOf(row.lastName?.text)).toBe(`${runs ? "'" : ''}${shownOf(sent.lastName)}`);
    expect(row.totalOrderAmount?.type).toBe('float');
    expect(Number(row.totalOrderAmount?.value)).toBe(Number(sent.totalOrderAmount));
    for (const cell of Object.values(row)) {
      if (cell.formula !== undefined) expect(cell.formula).toBe(`of:="${cell.text}"`);
    }
  }
}

function expectDates(rows: readonly OfficeRow[]): void {
  expect(rows.length).toBeGreaterThan(100);
  for (const { transactionTime, date, receipt } of rows) {
    const types = [transactionTime, date, receipt].map((cell) => cell?.type);
    expect(types).toEqual(['date', 'date', 'string']);
    expect(transactionTime?.value).toMatch(/^2026-02-\d\dT\d\d:\d\d:\d\d$/);
    expect(date?.value).toBe(transactionTime?.value?.slice(0, 10));
  }
}
