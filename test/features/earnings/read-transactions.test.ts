/** The shares of all accounts of a key agree with quickstats, to the cent. */
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import {
  type EarningRole,
  earningAccount,
  kindOf,
  readTransactions,
  youEarn,
} from '../../../src/features/earnings/transaction.ts';
import { quickstats } from '../../../src/operations/quickstats.ts';
import { clientOf } from '../../support/client.ts';
import { serveSandbox } from '../../support/sandbox.ts';

const days = { first: '2026-02-01', last: '2026-02-28' };

const quickstatOf = { sale: 'sale', rebill: 'sale', refund: 'refund', chargeback: 'chargeback' };

async function sumsOf(keyName: string, role?: EarningRole) {
  const { sandbox, key } = await serveSandbox({ orders: 1500, keyName });
  const client = clientOf(sandbox.url, { apiKey: key });
  const sums = new Map<string, string>();
  for await (const rows of readTransactions(client, { days, role })) {
    for (const row of rows) {
      const kind = kindOf(row.transactionType);
      const amount = youEarn(row);
      if (!Object.hasOwn(quickstatOf, kind) || amount === undefined) continue;
      const name = `${earningAccount(row)} ${quickstatOf[kind as keyof typeof quickstatOf]}`;
      sums.set(name, addDecimals([sums.get(name) ?? '0', amount]) ?? 'not a number');
    }
  }
  const period = { startDate: days.first, endDate: days.last };
  const totals = await client.call(quickstats.count, period);
  return { sums, totals, sandbox };
}

test.each(['full', 'affiliate'])('agrees with quickstats for the key %s', async (keyName) => {
  const { sums, totals } = await sumsOf(keyName);
  const expected = totals.flatMap(({ nickName, quickStats }) =>
    (['sale', 'refund', 'chargeback'] as const).map((name) => {
      const amount = Number(quickStats?.[0]?.[name] ?? 0);
      return [`${nickName} ${name}`, name === 'sale' || amount === 0 ? amount : -amount] as const;
    }),
  );
  const found = expected.map(([name]) => [name, Number(sums.get(name) ?? 0)]);
  expect(found).toEqual(expected);
  expect(expected.some(([, amount]) => amount !== 0)).toBe(true);
});

test('reads only the shares of one role', async () => {
  const { sums } = await sumsOf('full', 'AFFILIATE');
  expect(new Set([...sums.keys()].map((name) => name.split(' ')[0]))).toEqual(new Set(['TOPAFF1']));
});

test('names kinds of transactions, also unknown ones', () => {
  const types = ['SALE', 'BILL', 'RFND', 'CGBK', 'FEE', 'TEST_BILL', 'INSF', null];
  expect(types.map(kindOf)).toEqual([
    ...['sale', 'rebill', 'refund', 'chargeback', 'fee', 'test', 'other', 'other'],
  ]);
});

test('does not invent earnings of a fee', () => {
  expect(youEarn({ lineItemData: [{ accountAmount: null }] })).toBeUndefined();
  expect(youEarn({ lineItemData: [{ accountAmount: '16.61' }, { accountAmount: '-1' }] })).toBe(
    '15.61',
  );
});
