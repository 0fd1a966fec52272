/** `-o xlsx`: lists as workbooks that open without repair. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { emptyHome, cb as program } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';
import { hasOffice, type OfficeRow, sheetsInEach } from '../../support/spreadsheet.ts';
import { readWorkbook } from '../../support/workbook.ts';

const february = 'orders list --period 2026-02';

interface Order {
  readonly receipt: string;
  readonly currency: string;
  readonly transactionType: string;
  readonly totalOrderAmount: number;
  readonly lineItemData: readonly { readonly itemNo: string }[];
}

test.skipIf(!hasOffice)(
  'writes orders, their line items and totals by currency, and other lists on one sheet, with typed cells (needs soffice)',
  async () => {
    const at = await sandboxHome(900);
    const sent: Order[] = await sandboxJson(at, february);
    expect((await at.cb(`--sandbox ${february} --out orders.xlsx`)).code).toBe(0);
    const list = 'quickstats list --period 2026-02 --account GREENLEAF';
    expect((await at.cb(`--sandbox ${list} --out list.xlsx`)).code).toBe(0);
    const files = ['orders.xlsx', 'list.xlsx'];
    const [sheets = new Map(), other = new Map()] = await sheetsInEach(at.folder, files);
    checkStats([...other.values()][0] ?? []);
    expect([...sheets.keys()]).toEqual(['Orders', 'Line items', 'Totals']);
    const orders: OfficeRow[] = sheets.get('Orders') ?? [];
    const items: OfficeRow[] = sheets.get('Line items') ?? [];
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
    checkTotals(sheets.get('Totals') ?? [], sent);
  },
);

/** Test transactions and fees are in no sum. */
function isReal({ transactionType }: Order): boolean {
  return !/^TEST_|^FEE$/.test(transactionType);
}

function checkTotals(totals: readonly OfficeRow[], sent: readonly Order[]): void {
  const paid = totals.filter(({ amount }) => amount?.text === 'totalOrderAmount');
  expect(paid.length).toBeGreaterThan(3);
  for (const { currency, total, rows } of paid) {
    const some = sent.filter((order) => order.currency === currency?.text && isReal(order));
    const sum = addDecimals(some.map((order) => order.totalOrderAmount.toFixed(2)));
    expect(Number(total?.value).toFixed(2)).toBe(sum);
    expect(rows?.value).toBe(String(some.length));
  }
  const earned = totals.filter(({ amount }) => amount?.text === 'youEarn');
  expect(earned.map(({ currency }) => currency?.text)).toEqual(['USD']);
  const of = (type: string) => sent.filter((one) => one.transactionType.startsWith(type)).length;
  const tests = of('TEST_');
  expect(tests).toBeGreaterThan(0);
  expect(totals.map(({ note }) => note?.text).filter(Boolean)).toEqual([
    expect.stringMatching(`^The totals are without (.* and )?${tests} test transactions\\.$`),
    expect.stringMatching(
      `^The totals are less ${of('RFND')} refunds and ${of('CGBK')} chargebacks\\.$`,
    ),
    expect.stringMatching(
      '^Except what you earn, amounts of orders in another currency than USD may',
    ),
    expect.stringMatching(
      '^The list leaves out what TOPAFF1 earned as the affiliate of your own sales.',
    ),
  ]);
}

function checkStats(days: readonly OfficeRow[]): void {
  expect(days.length).toBeGreaterThan(20);
  for (const { quickStatDate, sale, nickName } of days) {
    expect(quickStatDate?.type).toBe('date');
    expect(sale).toMatchObject({ type: 'currency', currency: 'USD' });
    expect(nickName?.type).toBe('string');
  }
}

test('obeys the options that select rows and columns', async () => {
  const at = await sandboxHome();
  const written = async (options: string) => {
    expect((await at.cb(`--sandbox ${february} ${options} --out list.xlsx`)).code).toBe(0);
    return readWorkbook(join(at.folder, 'list.xlsx'));
  };
  const fields = ['receipt', 'totalOrderAmount', 'titles'];
  const sheets = await written(`--fields ${fields} --sort totalOrderAmount:desc --limit 3`);
  expect([...sheets.keys()]).toEqual(['Orders', 'Totals']);
  const rows = sheets.get('Orders') ?? [];
  expect(rows.map((row) => Object.keys(row))).toEqual(Array(3).fill(fields));
  const amounts = rows.map(({ totalOrderAmount }) => Number(totalOrderAmount));
  expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));

  const [[, asked] = ['', []]] = await written('--query [].{receipt:receipt}');
  expect(asked.length).toBeGreaterThan(20);
  expect(Object.keys(asked[0] ?? {})).toEqual(['receipt']);

  // The amounts of an order stand in the row of each of its items, so they are not added up.
  const items = await written('--expand lineItemData');
  expect([...items.keys()]).toEqual(['Orders']);
});

test('writes a workbook to a pipe, or to a file and says how many rows it has', async () => {
  const { cb } = await sandboxHome();
  expect((await cb(`--sandbox ${february} --limit 1 -o xlsx`)).out).toMatch(/^PK/);
  const { err } = await cb(`--sandbox ${february} --limit 7 --out few.xlsx`, { columns: 80 });
  expect(err).toMatch(/Wrote 7 rows \(\d\.\d KB\) to few\.xlsx\.\n/);
});

test('tells how many texts a cell can not hold', async () => {
  const { env } = await serve((reply) => {
    reply.end(JSON.stringify({ orderData: { receipt: 'A1', fullName: 'x'.repeat(40_000) } }));
  });
  const { code, err } = await home().cb(
    'orders list --period 2026-02 --fields fullName --out x.xlsx',
    {
      env,
    },
  );
  expect(code).toBe(0);
  expect(err).toBe(
    'note: 1 text is longer than the 32,767 characters that a cell holds, and cut at the end.\n',
  );
});

/** Items that can't be compressed: more than 1 MiB of a workbook goes to a temporary file. */
function randomItems(length: number) {
  const random = (n: number) => createHash('sha512').update(String(n)).digest('base64');
  return Array.from({ length }, (_, at) => ({ itemNo: '1', status: random(at) }));
}

test('leaves neither a file nor a temporary file when it is interrupted', async () => {
  const items = randomItems(4000);
  const { env } = await serve((reply, _, { headers }) => {
    const page = Number(headers.page ?? 1);
    const body = JSON.stringify({ orderData: { receipt: `A${page}`, lineItemData: items } });
    if (page < 5) reply.writeHead(206).end(body);
  });
  const { folder } = home();
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  const words = `orders list --period today --out x.xlsx --debug`.split(' ');
  const running = program(words, { env: { ...env, TMPDIR: scratch } });
  await running.until(/> GET .* page 5/);
  running.child.kill('SIGINT');
  const ran = await running.ended();
  expect(ran.code).toBe(130);
  expect(readdirSync(running.home).filter((name) => name.includes('x.xlsx'))).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
});

test.skipIf(noSmallDisk !== undefined)(
  'ends with exit code 8 and leaves no file when the disk of temporary files is full',
  async () => {
    const home = emptyHome();
    const { folder: scratch } = smallDisk(home);
    const lineItemData = randomItems(15_000);
    const { env } = await serve((reply) =>
      reply.end(JSON.stringify({ orderData: { receipt: 'A1', lineItemData } })),
    );
    const words = 'orders list --period today --out x.xlsx'.split(' ');
    const { code, err } = await program(words, { home, env: { ...env, TMPDIR: scratch } }).ended();
    expect(code).toBe(8);
    expect(err).toBe(
      `cb: A temporary file in ${scratch} could not be written (ENOSPC: the disk is full).\n    Free some space, or set TMPDIR to a folder on another disk. Then run it again.\n`,
    );
    expect(readdirSync(home).filter((name) => name.includes('x.xlsx'))).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  },
);
