/** `--dates`: spreadsheets read the times of csv as dates. */
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';
import { hasOffice, type OfficeRow, sheetsIn } from '../../support/spreadsheet.ts';

const february = 'orders list --sandbox --period 2026-02';

/** How many cells of a column LibreOffice took for each type. */
function typesOf(rows: readonly OfficeRow[], column: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) {
    const type = row[column]?.type ?? 'empty';
    counts[type] = (counts[type] ?? 0) + 1;
  }
  return counts;
}

test.skipIf(!hasOffice)(
  'makes LibreOffice read every time as a date, also with --text-ids (needs soffice)',
  async () => {
    const at = await sandboxHome(5000);
    const flags = '--dates both --text-ids --fields transactionTime,receipt,totalOrderAmount';
    expect((await at.cb(`${february} ${flags} --out dates.csv`)).code).toBe(0);
    const [rows = []] = (await sheetsIn(at.folder, 'dates.csv')).values();
    expect(rows.length).toBeGreaterThan(100);
    expect(typesOf(rows, 'transactionTime')).toEqual({ date: rows.length });
    expect(typesOf(rows, 'date')).toEqual({ date: rows.length });
    for (const { transactionTime, date, receipt } of rows) {
      expect(transactionTime?.value).toMatch(/^2026-02-\d\dT\d\d:\d\d:\d\d$/);
      expect(date?.value).toBe(transactionTime?.value?.slice(0, 10));
      expect(receipt?.type).toBe('string');
    }
  },
);

/** One order at a quarter to six in the evening, Pacific time. */
async function evening() {
  const sent = {
    receipt: 'A1B2C3D4',
    transactionTime: '2026-11-21T17:44:05-08:00',
    fullName: 'at noon',
    lineItemData: [{ itemNo: '1', nextPaymentDate: null }],
  };
  const { env } = await serve((reply) => reply.end(JSON.stringify({ orderData: [sent] })));
  const { cb } = home();
  return async (flags: string) =>
    (await cb(`orders list --period 2026-11 --fields transactionTime,receipt ${flags}`, { env }))
      .out;
}

test('writes ISO 8601 by default, and the clock of the asked zone with --dates', async () => {
  const csv = await evening();
  expect(await csv('-o csv')).toBe('transactionTime,receipt\n2026-11-21T17:44:05-08:00,A1B2C3D4\n');
  expect(await csv('-o csv --dates iso')).toBe(await csv('-o csv'));
  expect(await csv('-o csv --dates spreadsheet')).toContain('\n2026-11-21 17:44:05,A1B2C3D4\n');
  expect(await csv('-o tsv --dates both')).toBe(
    'transactionTime\tdate\treceipt\n2026-11-21 17:44:05\t2026-11-21\tA1B2C3D4\n',
  );
  expect(await csv('-o csv --dates both --tz Europe/Berlin')).toContain(
    '\n2026-11-22 02:44:05,2026-11-22,A1B2C3D4\n',
  );
});
