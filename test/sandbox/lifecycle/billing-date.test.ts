import { expect, test } from 'vitest';
import { addPeriods } from '../../../src/sandbox/services/billing-date.ts';

test('bills a subscription of the 31st on the last days of shorter months', () => {
  const due = [1, 2, 3].map((periods) => addPeriods('2026-01-31', 'MONTHLY', periods));
  expect(due).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
  expect(addPeriods('2026-02-28', 'MONTHLY', 1, 31)).toBe('2026-03-31');
});

test('computes the billing step of every frequency', () => {
  const steps = ['WEEKLY', 'BI_WEEKLY', 'MONTHLY', 'QUARTERLY', 'HALF_YEARLY', 'YEARLY'];
  expect(steps.map((frequency) => addPeriods('2026-01-15', frequency, 1))).toEqual([
    '2026-01-22',
    '2026-01-29',
    '2026-02-15',
    '2026-04-15',
    '2026-07-15',
    '2027-01-15',
  ]);
});
