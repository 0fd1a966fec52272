/** Exports open in a real spreadsheet with the values that the service sent. */
import { expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';
import { hasOffice, sheetsIn } from '../../support/spreadsheet.ts';

const hostile = [
  { receipt: '1E234567', lastName: '=HYPERLINK("http://x","y")', postalCode: '01067' },
  { receipt: '00123456', lastName: '+1+cmd|"/C calc"!A0', postalCode: '1-2' },
  { receipt: '12E5', lastName: '@SUM(1,2)', postalCode: '3/4' },
  { receipt: 'MAR1', lastName: '-A1+3', postalCode: '10:30' },
  {
    receipt: '12345678901234567890',
    lastName: 'Zoë "Q" Müller; Söhne, 👩‍🌾 日本',
    postalCode: 'TRUE',
  },
  { receipt: '4F6TAE4U', lastName: 'a\nb', postalCode: '5%' },
  { receipt: 'COOK-02', lastName: ' =1+1', postalCode: '1.2.' },
].map((row, index) => ({
  ...row,
  totalOrderAmount: ['11.90', '-5.00', '0', '1234567.89', '-0.01', '100', '2.50'][index],
  transactionTime: '2026-02-18T15:11:38-08:00',
}));

test.skipIf(!hasOffice)(
  'opens hostile text in LibreOffice as typed, without running it, and numbers as numbers (needs soffice)',
  async () => {
    const at = home();
    const { env } = await serve((reply) => reply.end(JSON.stringify({ orderData: hostile })));
    const { code, err } = await at.cb(
      "orders list --period 2026-02 --text-ids --bom --crlf --delimiter ';' --out hostile.csv",
      { env },
    );
    expect({ code, err }).toMatchObject({ code: 0 });

    const [rows = []] = (await sheetsIn(at.folder, 'hostile.csv', ';')).values();
    expect(rows).toHaveLength(hostile.length);
    for (const [index, sent] of hostile.entries()) {
      const row = rows[index] ?? {};
      expect(row.receipt?.text).toBe(sent.receipt);
      expect(row.postalCode?.text).toBe(sent.postalCode);
      const runs = /^\s*[=+@-]/.test(sent.lastName);
      expect(row.lastName?.text).toBe(runs ? `'${sent.lastName}` : sent.lastName);
      expect(row.totalOrderAmount?.type).toBe('float');
      expect(Number(row.totalOrderAmount?.value)).toBe(Number(sent.totalOrderAmount));
      for (const cell of Object.values(row)) {
        if (cell.formula !== undefined) expect(cell.formula).toBe(`of:="${cell.text}"`);
      }
    }
  },
);

test('writes items as columns without a header, and notes items that have no column', async () => {
  const at = await sandboxHome();
  const fields = '--fields receipt,lineItemData.itemNo --spread lineItemData:1 --no-header';
  const { code, out, err } = await at.cb(`--sandbox orders get CART0003 -o csv ${fields}`);
  expect(code).toBe(0);
  expect(out).toMatch(/^CART0003,3,[^,\n]+\n/);
  expect(err).toMatch(/more than 1 element\. Use --spread lineItemData:3 to keep all/);
});
