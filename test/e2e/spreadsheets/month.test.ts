/** `cb export month`: a month as a workbook, compared with quickstats. What LibreOffice holds of it is checked in office.test.ts. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home, now, sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

/** A service with one order, whose quickstats say that sales were this much. */
async function service(sale: string) {
  const { env } = await serve((reply, _, { url }) => {
    const stats = [{ quickStatDate: null, sale, refund: '0.00', chargeback: '0.00' }];
    if (url.includes('/quickstats/accounts')) reply.end('{"accountData":[{"nickName":"SHOP"}]}');
    else if (url.includes('/quickstats')) {
      reply.end(JSON.stringify({ accountData: [{ nickName: 'SHOP', quickStats: stats }] }));
    } else reply.end(JSON.stringify({ orderData: sold }));
  });
  return env;
}

const sold = {
  ...{ receipt: 'A1', transactionType: 'SALE', transactionTime: '2026-02-01T10:00:00-08:00' },
  ...{ currency: 'USD', role: 'VENDOR', vendor: 'SHOP', totalOrderAmount: '10.00' },
  lineItemData: [{ itemNo: '1', accountAmount: '7.35' }],
};

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
    else reply.writeHead(206).end(JSON.stringify({ orderData: sold }));
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
