/** --sort: whole lists sorted by their fields. */
import { describe, expect, test } from 'vitest';
import { home, sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const moment = (day: string, time = '10:00:00-08:00') => `2026-${day}T${time}`;
const row = (
  receipt: string,
  totalOrderAmount: unknown,
  transactionTime: string,
  vendor = 'x',
) => ({
  ...{ receipt, totalOrderAmount, transactionTime, vendor },
});
const rows = [
  row('A10', '9.50', moment('03-01')),
  row('A9', '100.00', moment('03-01', '09:30:00-07:00')),
  row('A2', { '@nil': 'true' }, moment('02-01'), 'y'),
  row('A1', '-20.00', moment('01-01')),
];

async function serving(body: unknown = { orderData: rows }) {
  const { env, asked } = await serve((reply) => reply.end(JSON.stringify(body)));
  const { cb } = home();
  const list = (options: string) => cb(`orders list --period today ${options}`, { env });
  const receipts = async (options: string) => {
    const { out } = await list(`-o tsv --fields receipt ${options}`);
    return out.trimEnd().split('\n').slice(1);
  };
  return { list, receipts, asked };
}

describe('--sort', () => {
  test.each([
    ['numbers by value, missing ones last', 'totalOrderAmount', 'A1 A10 A9 A2'],
    ['descending, missing ones still last', 'totalOrderAmount:desc', 'A9 A10 A1 A2'],
    ['times by moment, not by their text', 'transactionTime:desc', 'A10 A9 A2 A1'],
    ['text with numbers in natural order', 'receipt', 'A1 A2 A9 A10'],
    ['by several fields', 'vendor:desc,receipt', 'A2 A1 A9 A10'],
    ['equal rows in the order of the service', 'vendor', 'A10 A9 A1 A2'],
    ['by a heading, in any case', 'AMOUNT:DESC', 'A9 A10 A1 A2'],
  ])('sorts %s', async (_, fields, expected) => {
    const { receipts } = await serving();
    expect(await receipts(`--sort ${fields}`)).toEqual(expected.split(' '));
  });

  test('is refused for an unknown field after one request, and for another direction at once', async () => {
    const { list, asked } = await serving();
    const typo = await list('--sort totalOrderAmuont:desc');
    expect([typo.code, asked.length]).toEqual([2, 1]);
    expect(typo.err).toContain('Did you mean totalOrderAmount?');
    const { code, err } = await list('--sort receipt:up');
    expect([code, asked.length]).toEqual([2, 1]);
    expect(err).toContain(
      "Invalid --sort 'receipt:up'. Use a field, or a field with :asc or :desc.",
    );
  });
});

test('sorts a list of many pages, with every row once', async () => {
  const { cb } = await sandboxHome(900);
  const line = '--sandbox orders list --period last-12-months -o tsv --no-header';
  const plain = (await cb(`${line} --fields receipt,totalOrderAmount`)).out.trimEnd().split('\n');
  const sorted = await cb(`${line} --fields receipt,totalOrderAmount --sort totalOrderAmount`);
  const lines = sorted.out.trimEnd().split('\n');
  expect(plain.length).toBeGreaterThan(500);
  expect(lines.toSorted()).toEqual(plain.toSorted());
  const amounts = lines.map((row) => Number(row.split('\t')[1]));
  expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
  const top = await cb(
    `${line} --fields receipt,totalOrderAmount --sort totalOrderAmount --limit 7`,
  );
  expect(top.out.trimEnd().split('\n')).toEqual(lines.slice(0, 7));
});
