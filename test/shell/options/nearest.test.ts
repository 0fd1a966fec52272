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
  ['last-24-hours', ['last-24-years', 'last-24-days'], undefined],
  ['last-7-days', ['last-8-days'], undefined],
  ['--sort', ['--out', '--spread'], undefined],
  ['--period', ['--version'], undefined],
  ['--to', ['--tz', '--totals', '--out'], undefined],
  ['frob', ['help', 'api'], undefined],
  ['', ['help', 'api'], undefined],
])("finds for '%s' among %j the similar word %s, if there is one", (typed, known, similar) => {
  expect(nearest(typed, known)).toBe(similar);
});
