/** Parameters of operations as options, and the word that is suggested for a mistyped one; the reference has the declarations. */
import { expect, test } from 'vitest';
import type { Operation } from '../../../src/operations/operation.ts';
import { orders } from '../../../src/operations/orders.ts';
import { products } from '../../../src/operations/products.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { holdsDays, type Typed } from '../../../src/shell/options/flags.ts';
import { nearest } from '../../../src/shell/options/nearest.ts';
import { problemWith, readArguments } from '../../../src/shell/options/values.ts';

const today = '2026-03-18';

test.each<[Operation, Typed, Typed]>([
  [orders.list, { type: 'sale', amount: '1' }, { type: 'SALE', amount: '1' }],
  [orders.list, { period: 'yesterday' }, { startDate: '2026-03-17', endDate: '2026-03-17' }],
  [orders.pause, { receipt: 'A', restartDate: '+7d' }, { receipt: 'A', restartDate: '2026-03-25' }],
  [orders.extend, { receipt: 'A', numPeriods: '007' }, { receipt: 'A', numPeriods: 7 }],
  [orders.list, { amount: '19.90', limit: '3' }, { amount: '19.90' }],
  [products.list, { site: 'A', type: 'recurring' }, { site: 'A', type: 'RECURRING' }],
  [products.save, { digital: true, physical: 'FALSE' }, { digital: true, physical: false }],
  [products.save, { categories: ['ebook', 'Audio'] }, { categories: ['EBOOK', 'AUDIO'] }],
  // Words, spaces and lower case.
  [orders.list, { type: ['refund', 'chargebacks'] }, { type: ['RFND', 'CGBK'] }],
  [orders.list, { type: ['Refund', 'RFND'] }, { type: 'RFND' }],
  [orders.list, { type: 'test sale' }, { type: 'TEST_SALE' }],
  [orders.list, { type: 'rebill', role: 'Vendor' }, { type: 'BILL', role: 'VENDOR' }],
  [tickets.list, { type: 'tech-support' }, { type: 'tech' }],
  [orders.get, { receipt: ' monthly1-b002 ' }, { receipt: 'MONTHLY1-B002' }],
  [tickets.list, { receipt: 'month%' }, { receipt: 'MONTH%' }],
  [orders.list, { startDate: '7d' }, { startDate: '2026-03-11', endDate: '2026-03-18' }],
  [orders.list, { startDate: 'today' }, { startDate: '2026-03-18', endDate: '2026-03-18' }],
  [orders.pause, { restartDate: 'Apr 1' }, { restartDate: '2026-04-01' }],
])('reads typed text as parameter values: case %#', (operation, typed, args) => {
  expect(readArguments(operation, typed, today).args).toEqual(args);
});

const ticket = { receipt: 'DIGITAL1', type: 'refund' };
const half = { refundType: 'PARTIAL_PERCENT', refundAmount: '50' };

test.each<[Typed, Typed]>([
  [{ reason: '2' }, { reason: 'ticket.type.refund.2' }],
  [{ reason: 'refund.2' }, { reason: 'ticket.type.refund.2' }],
  [{ reason: 'Not satisfied' }, { reason: 'ticket.type.refund.2' }],
  [{ reason: 'never received' }, { reason: 'ticket.type.refund.1' }],
  [{ reason: 'mobile device' }, { reason: 'ticket.type.refund.not.mobile' }],
  [{ refundType: 'percent', refundAmount: '50' }, half],
  [{ refundType: 'partial', refundAmount: '50 %' }, half],
  [{ refundAmount: '50%' }, half],
])('reads a reason by words or number, and an amount with a percent sign: %j', (typed, read) => {
  const { args } = readArguments(tickets.create, { ...ticket, ...typed }, today);
  expect(args).toEqual({ receipt: 'DIGITAL1', type: 'rfnd', ...read });
});

test('validates an answer to a prompt like the value of an option', () => {
  const { type, startDate } = orders.list.params;
  expect(problemWith(type, 'sale', today)).toBeUndefined();
  const forms = 'Use YYYY-MM-DD, today, yesterday, a weekday, or an offset such as -7d.';
  expect(problemWith(startDate, 'mondya', today)).toBe(`Did you mean monday? ${forms}`);
  const both = "'1/2/2026' is ambiguous. Use 2026-01-02 or 2026-02-01.";
  expect(problemWith(startDate, '1/2/2026', today)).toBe(both);
});

test('detects whether a day or a period was typed', () => {
  expect(holdsDays(orders.list, { type: 'SALE' })).toBe(false);
  expect(holdsDays(orders.list, { period: 'today' })).toBe(true);
  expect(holdsDays(orders.list, { endDate: 'today' })).toBe(true);
});

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
