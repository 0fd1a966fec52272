import { expect, test } from 'vitest';
import { addDecimals, grouped, negated } from '../../src/decimals/decimals.ts';
import { divide } from '../../src/decimals/divide.ts';

test('adds amounts without losing a digit', () => {
  expect(addDecimals(['0.1', '0.2'])).toBe('0.3');
  expect(addDecimals(['11.90', '-0.1'])).toBe('11.80');
  expect(addDecimals(['9007199254740993', '1'])).toBe('9007199254740994');
  expect(addDecimals(['1e3'])).toBeUndefined();
});

test('changes the sign of an amount, except of zero', () => {
  expect([negated('1.50'), negated('-1.50'), negated('0.00')]).toEqual(['-1.50', '1.50', '0.00']);
});

test('divides with half a cent away from zero', () => {
  expect([divide('1', 3), divide('0.05', 2), divide('-0.05', 2)]).toEqual([
    '0.33',
    '0.03',
    '-0.03',
  ]);
  expect(divide('10', 0)).toBeUndefined();
});

test('groups thousands', () => {
  expect([grouped('12480.50'), grouped('-1234567'), grouped('999.9999')]).toEqual([
    '12,480.50',
    '-1,234,567',
    '999.9999',
  ]);
});
