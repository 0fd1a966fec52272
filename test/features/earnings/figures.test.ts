/** Changes, exact to the cent. */
import { expect, test } from 'vitest';
import {
  addTo,
  changeOf,
  changePercentOf,
  figuresOf,
  type Tally,
} from '../../../src/features/earnings/figures.ts';

function earning(amount?: string) {
  const tally: Tally = new Map();
  if (amount !== undefined) addTo(tally, 'sale', amount);
  return figuresOf(tally);
}

test.each([
  ['150', '100', '50.0', '50.00'],
  ['99.95', '100', '-0.1', '-0.05'],
  ['1', '3', '-66.7', '-2.00'],
  ['5', '-10', '150.0', '15.00'],
  ['5', undefined, undefined, '5.00'],
])('changes to %s from %s by %s%%', (value, base, percent, change) => {
  expect(changePercentOf(earning(value), earning(base), 'earned')).toBe(percent);
  expect(changeOf(earning(value), earning(base), 'earned')).toBe(change);
  expect(changePercentOf(earning(value), earning(), 'refundRatePercent')).toBeUndefined();
});
