/**
 * What was sold, refunded, charged back and earned: every way to ask gives the answer of an independent program, to the
 * cent, or says what it leaves out.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { isLong, tier } from '../../support/tier.ts';
import { byField, readWorkbook } from '../../support/workbook.ts';
import { type Answer, type Expected, expectedAnswers, type Order, shareOf } from './answers.ts';
import { type Days, openShop, type Shop } from './shops.ts';
import { today, type WayAnswer, ways, waysOfDays } from './ways.ts';

const month = { period: '2026-02', first: '2026-02-01', last: '2026-02-28' };
const thisDay = { period: 'today', first: '2026-03-18', last: '2026-03-18' };

const keys = ['vendor', 'affiliate', 'full'];

const leavesOut = 'leaves out what TOPAFF1 earned as the affiliate of your own sales';
const countsRoles = 'add up the amounts of the rows, but not their counts';

/**
 * What another key than `full` is asked in `npm test`: it has nothing to leave out, so only how figures are read for a role
 * can differ, not how they are written in each format and layout or added up in the copy.
 */
const sharp =
  /^(?!.*(?:layout (?:items|raw)|rows$|-o csv|sql|metrics|query_copy|Line items|Refunds and|tracking-id|country|currency))/;

const waysOf = (keyName: string) =>
  keyName === 'full' || isLong
    ? ways
    : Object.fromEntries(Object.entries(ways).filter(([way]) => sharp.test(way)));

/** Which answer a way must give follows from what it says. */
function meaningOf({ notes = '', counts }: WayAnswer): keyof Expected {
  if (notes.includes(leavesOut)) return 'listed';
  return notes.includes(countsRoles) ? 'eachRole' : (counts ?? 'whole');
}

test.each(tier([7], [7, 8, 9]).flatMap((seed) => keys.map((key) => [seed, key] as const)))(
  'gives one answer to one question, asked in every way (seed %i, key %s)',
  async (seed, keyName) => {
    const shop = await openShop(seed, keyName, tier(350, 700));
    if (keyName === 'full' || isLong) {
      // Analytics of at most 31 days are read in a run.
      for (const options of [`--since ${month.first}`, ''])
        await shop.run(`sync --tables orders,analytics_days ${options}`);
    }
    const expected = await askAll({ ...shop, ...month }, waysOf(keyName));
    expect(expected.whole.earned).toBeGreaterThan(0);
    // Only a key of both roles has something to leave out.
    const isSame = expected.whole.net === expected.listed.net;
    expect(isSame).toBe(keyName !== 'full');
    await askAll({ ...shop, ...thisDay }, { ...waysOfDays, today });
  },
);

async function askAll(shop: Shop, some: typeof ways): Promise<Expected> {
  const { sandbox, key, first, last } = shop;
  const expected = await expectedAnswers({ url: sandbox.url, key, first, last });
  for (const [way, ask] of Object.entries(some)) {
    const told = await ask(shop);
    const meaning = meaningOf(told);
    const names = Object.keys(told.answer) as (keyof Answer)[];
    const right = Object.fromEntries(names.map((name) => [name, expected[meaning][name]]));
    expect({ way, meaning, ...told.answer }).toEqual({ way, meaning, ...right });
    // A note without a reason would be wrong, too.
    if (told.counts === undefined && meaning !== 'whole')
      expect({ way, ...expected[meaning] }).not.toEqual({ way, ...expected.whole });
  }
  return expected;
}

test('says on the last line and in the workbook what the sums of a list leave out', async () => {
  const days: Days = month;
  const shop: Shop = { ...(await openShop(7, 'full')), ...days };
  const list = `orders list --period ${month.period}`;
  const orders: Order[] = await shop.json(list);
  const tests = orders.filter(({ transactionType }) => transactionType.startsWith('TEST_'));
  const real = orders.filter(({ transactionType }) => !/^TEST_|FEE/.test(transactionType));
  const sum = addDecimals(real.map((one) => (shareOf(one) / 100).toFixed(2))) ?? '';
  const { out, err } = await shop.all(list, { columns: 400 });
  const text = out.trimEnd().split('\n').at(-1)?.replaceAll(',', '') ?? '';
  expect(text).toContain(`you earn ${Number(sum).toFixed(2)} USD`);
  expect(text).toContain(`${tests.length} test transaction`);
  expect(err).toContain('The list leaves out what TOPAFF1 earned as the affiliate of your own');
  const both = await shop.all(`${list} --layout accounting -o csv`);
  expect(both.err).toBe('');
  const sheetOf = async (line: string, sheet: string) => {
    await shop.all(`${line} --out notes.xlsx`);
    return readWorkbook(join(shop.folder, 'notes.xlsx')).get(sheet) ?? [];
  };
  const count = (type: string) => real.filter((one) => one.transactionType === type).length;
  const disputed = expect.stringContaining('which it is, is disputed.');
  expect((await sheetOf(list, 'Totals')).map(({ note }) => note).filter(Boolean)).toEqual([
    expect.stringContaining(`${tests.length} test transaction`),
    `The totals are less ${count('RFND')} refunds and ${count('CGBK')} chargeback.`,
    disputed,
    expect.stringContaining('The list leaves out what TOPAFF1 earned'),
  ]);
  const summary = await sheetOf(`export month ${month.period}`, 'Summary');
  expect(summary.map(byField).find(({ item }) => item === 'Currencies')?.note).toEqual(disputed);
  const asVendor = await shop.all(`${list} --role VENDOR -o csv`);
  expect(asVendor.err).toBe('');
});
