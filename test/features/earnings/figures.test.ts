/** Sums, rates and changes, exact to the cent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addTally,
  addTo,
  changeOf,
  changePercentOf,
  figuresOf,
  type Tally,
} from '../../../src/features/earnings/figures.ts';
import type { TransactionKind } from '../../../src/features/earnings/transaction.ts';

const kinds = ['sale', 'rebill', 'refund', 'chargeback', 'fee', 'test', 'other'] as const;

const entries = fc.array(
  fc.record({
    kind: fc.constantFrom<TransactionKind>(...kinds),
    cents: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  }),
);

const text = (cents: number) => (cents / 100).toFixed(2);

function tallyOf(some: readonly { readonly kind: TransactionKind; readonly cents: number }[]) {
  const tally: Tally = new Map();
  for (const { kind, cents } of some) addTo(tally, kind, text(cents));
  return tally;
}

test('adds amounts to the cent, and counts only sales and rebills as such', () => {
  fc.assert(
    fc.property(entries, (some) => {
      const sum = (...wanted: readonly string[]) =>
        some.reduce((all, { kind, cents }) => all + (wanted.includes(kind) ? cents : 0), 0);
      const count = (wanted: string) => some.filter(({ kind }) => kind === wanted).length;
      const figures = figuresOf(tallyOf(some));
      expect(figures.earned).toBe(text(sum('sale', 'rebill')));
      expect(figures.net).toBe(text(sum('sale', 'rebill', 'refund', 'chargeback')));
      expect(Number(figures.refunded)).toBe(-sum('refund') / 100 || 0);
      expect(figures).toMatchObject({ sales: count('sale'), refunds: count('refund') });
    }),
  );
});

test('merges tallies as if all had been added to one', () => {
  fc.assert(
    fc.property(entries, entries, (one, other) => {
      const merged = tallyOf(one);
      addTally(merged, tallyOf(other));
      expect(figuresOf(merged)).toEqual(figuresOf(tallyOf([...one, ...other])));
    }),
  );
});

test('has no rate and no average without a sale', () => {
  expect(figuresOf(new Map())).toMatchObject({
    earned: '0.00',
    averageEarned: undefined,
    refundRatePercent: undefined,
    chargebackRatePercent: undefined,
  });
});

const earning = (...amounts: readonly string[]) =>
  figuresOf(tallyOf(amounts.map((amount) => ({ kind: 'sale', cents: Number(amount) * 100 }))));

test.each([
  ['150', '100', '50.0', '50.00'],
  ['99.95', '100', '-0.1', '-0.05'],
  ['1', '3', '-66.7', '-2.00'],
  ['5', '-10', '150.0', '15.00'],
])('changes to %s from %s by %s%%', (value, base, percent, change) => {
  expect(changePercentOf(earning(value), earning(base), 'earned')).toBe(percent);
  expect(changeOf(earning(value), earning(base), 'earned')).toBe(change);
});

test('has no percentage of nothing', () => {
  expect(changePercentOf(earning('5'), earning(), 'earned')).toBeUndefined();
  expect(changePercentOf(earning('5'), earning(), 'refundRatePercent')).toBeUndefined();
  expect(changeOf(earning('5'), earning(), 'earned')).toBe('5.00');
});
