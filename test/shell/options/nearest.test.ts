/** The known word that is suggested for a mistyped one, if any is similar enough. */
import { expect, test } from 'vitest';
import { nearest } from '../../../src/shell/options/nearest.ts';

test.each([
  ['recipt', ['receipt', 'role'], 'receipt'],
  ['jsn', ['json', 'ndjson', 'csv'], 'json'],
  ['fihs', ['fish', 'bash'], 'fish'],
  ['last-30-dyas', ['last-30-days', 'last-30-weeks'], 'last-30-days'],
  ['--lmit', ['--limit', '--timeout'], '--limit'],
  ['--STARTDATE', ['--start-date', '--end-date'], '--start-date'],
  ['--concur', ['--concurrency', '--columns'], '--concurrency'],
  ['lineItems', ['lineItemData', 'receipt'], 'lineItemData'],
  ['COUNTRY', ['AFFILIATE', 'CUSTOMER_COUNTRY'], 'CUSTOMER_COUNTRY'],
])("finds for '%s' among %j the similar word %s", (typed, known, similar) => {
  expect(nearest(typed, known)).toBe(similar);
});

test.each([
  ['last-24-hours', ['last-24-years', 'last-24-days']],
  ['last-7-days', ['last-8-days']],
  ['--sort', ['--out', '--spread']],
  ['--period', ['--version']],
  ['--to', ['--tz', '--totals', '--out']],
  ['frob', ['help', 'api']],
  ['', ['help', 'api']],
])("finds for '%s' no similar word among %j", (typed, known) => {
  expect(nearest(typed, known)).toBeUndefined();
});
