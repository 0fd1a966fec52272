/** `--dates`: spreadsheets read the times of csv as dates. */
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

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
