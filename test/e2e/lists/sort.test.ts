/** --sort: whole lists sorted by their fields. */
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';

const moment = (day: string, time = '10:00:00-08:00') => `2026-${day}T${time}`;
const orderData = [
  ['A10', '9.50', moment('03-01'), 'x'],
  ['A9', '100.00', moment('03-01', '09:30:00-07:00'), 'x'],
  ['A2', { '@nil': 'true' }, moment('02-01'), 'y'],
  ['A1', '-20.00', moment('01-01'), 'x'],
].map(([receipt, totalOrderAmount, transactionTime, vendor]) => ({
  ...{ receipt, totalOrderAmount, transactionTime, vendor },
}));

async function serving() {
  const { cb, asked } = await servedHome((reply) => reply.end(JSON.stringify({ orderData })));
  return { list: (options: string) => cb(`orders list --period today ${options}`), asked };
}

test.each([
  ['numbers by value, missing ones last', 'totalOrderAmount', 'A1 A10 A9 A2'],
  ['descending, missing ones still last', 'totalOrderAmount:desc', 'A9 A10 A1 A2'],
  ['times by moment, not by their text', 'transactionTime:desc', 'A10 A9 A2 A1'],
  ['text with numbers in natural order', 'receipt', 'A1 A2 A9 A10'],
  ['by several fields', 'vendor:desc,receipt', 'A2 A1 A9 A10'],
  ['equal rows in the order of the service', 'vendor', 'A10 A9 A1 A2'],
  ['by a heading, in any case', 'AMOUNT:DESC', 'A9 A10 A1 A2'],
])('sorts %s', async (_, fields, expected) => {
  const { out } = await (await serving()).list(`-o tsv --fields receipt --sort ${fields}`);
  expect(linesOf(out).slice(1)).toEqual(expected.split(' '));
});

test('refuses to sort by an unknown field after one request, and in another direction at once', async () => {
  const { list, asked } = await serving();
  expectExit(await list('--sort totalOrderAmuont:desc'), 2, 'Did you mean totalOrderAmount?');
  expect(asked).toHaveLength(1);
  const says = "Invalid --sort 'receipt:up'. Use a field, or a field with :asc or :desc.";
  expectExit(await list('--sort receipt:up'), 2, says);
  expect(asked).toHaveLength(1);
});

test('sorts a list of many pages, with every row once', async () => {
  const { cb } = await sandboxHome(900);
  const list = '--sandbox orders list --period last-12-months -o tsv --no-header --fields';
  const rows = async (options = '') =>
    linesOf((await cb(`${list} receipt,totalOrderAmount ${options}`)).out);
  const plain = await rows();
  const sorted = await rows('--sort totalOrderAmount');
  expect(plain.length).toBeGreaterThan(500);
  expect(sorted.toSorted()).toEqual(plain.toSorted());
  const amounts = sorted.map((row) => Number(row.split('\t')[1]));
  expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
  expect(await rows('--sort totalOrderAmount --limit 7')).toEqual(sorted.slice(0, 7));
});
