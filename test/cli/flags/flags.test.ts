/** Parameters as flags: how they are offered, read, and named in messages. */
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addParameters, holdsDays, type Typed } from '../../../src/cli/flags/flags.ts';
import { messageOf, problemWith, readArguments } from '../../../src/cli/flags/values.ts';
import { analytics } from '../../../src/operations/analytics.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import { orders } from '../../../src/operations/orders.ts';
import { products } from '../../../src/operations/products.ts';
import { tickets } from '../../../src/operations/tickets.ts';

const today = '2026-03-18';

function messages(operation: Operation, typed: Typed): string[] {
  const { findings } = readArguments(operation, typed, today);
  return findings.map((finding) => messageOf(operation, finding));
}

function offered(operation: Operation): string[] {
  const command = new Command();
  addParameters(command, operation);
  const places = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  return [...places, ...command.options.map(({ flags }) => flags)];
}

test.each<[string, Operation, readonly string[]]>([
  ['parts of the path are arguments', orders.get, ['<receipt>', '--sku <text>']],
  ['a constant is not offered', tickets.close, ['<id>', '--comment <text>']],
  [
    'a part of the path can be an option, and a period sets both days',
    analytics.trends,
    [
      ...['--role <value>', '--account <text>', '--group-by <value>', '--product-id <text>'],
      ...['--period <period>', '--start-date <date>', '--end-date <date>'],
    ],
  ],
  [
    'a boolean has an option for false',
    orders.changeProduct,
    [
      ...['<receipt>', '--old-sku <text>', '--new-sku <text>'],
      ...['--carry-affiliate', '--no-carry-affiliate'],
      ...['--apply-prorated-refund', '--no-apply-prorated-refund', '--next-rebill-date <date>'],
    ],
  ],
])('%s', (_, operation, flags) => {
  expect(offered(operation)).toEqual(flags);
});

test.each<[Operation, Typed, Typed]>([
  [
    orders.list,
    { type: 'sale', period: 'yesterday' },
    { type: 'SALE', startDate: '2026-03-17', endDate: '2026-03-17' },
  ],
  [orders.pause, { receipt: 'A', restartDate: '+7d' }, { receipt: 'A', restartDate: '2026-03-25' }],
  [orders.extend, { receipt: 'A', numPeriods: '007' }, { receipt: 'A', numPeriods: 7 }],
  [orders.list, { amount: '19.90', limit: '3' }, { amount: '19.90' }],
  [products.list, { site: 'A', type: 'recurring' }, { site: 'A', type: 'RECURRING' }],
  [products.save, { digital: true, physical: 'FALSE' }, { digital: true, physical: false }],
  [products.save, { categories: ['ebook', 'Audio'] }, { categories: ['EBOOK', 'AUDIO'] }],
])('reads what was typed as the values of the parameters: %#', (operation, typed, args) => {
  expect(readArguments(operation, typed, today).args).toEqual(args);
});

test.each<[Operation, Typed, RegExp]>([
  [orders.get, { receipt: '' }, /^<receipt> must not be empty$/],
  [orders.get, {}, /^<receipt> is missing$/],
  [orders.get, { receipt: '../x' }, /^<receipt> must be letters, digits .*, not '\.\.\/x'$/],
  [orders.list, { email: 'a\nb' }, /^--email must not hold a line break/],
  [
    orders.list,
    { type: 'SAL' },
    /^--type must be one of SALE, .*, not 'SAL'; did you mean SALE\?$/,
  ],
  [orders.list, { amount: 'ten' }, /^--amount must be a number like 19\.90, not 'ten'$/],
  [
    orders.list,
    { startDate: '2026-02-30', endDate: 'today' },
    /^--start-date must be a date \(.*\), not '2026-02-30'$/,
  ],
  [orders.list, { startDate: 'yestreday', endDate: 'today' }, /did you mean yesterday\?$/],
  [
    orders.list,
    { period: 'last-7-dais' },
    /^--period must be a period \(.*\), not 'last-7-dais'; did you mean last-7-days\?$/,
  ],
  [
    orders.list,
    { period: 'today', startDate: 'today' },
    /^--period can't be given together with --start-date$/,
  ],
  [orders.list, { startDate: 'today' }, /^--end-date is needed with --start-date$/],
  [
    orders.list,
    { startDate: 'today', endDate: '-1d' },
    /^--end-date must not be before --start-date$/,
  ],
  [orders.list, {}, /^Without dates, .* Use --period for more\.$/],
  [
    orders.extend,
    { receipt: 'A', numPeriods: '1.5' },
    /^--num-periods must be a whole number, not '1\.5'$/,
  ],
  [orders.extend, { receipt: 'A', numPeriods: '0' }, /^--num-periods must be 1 or more, not 0$/],
  [
    orders.changeProduct,
    { receipt: 'A', oldSku: 'B', newSku: 'B' },
    /^--new-sku must differ from --old-sku$/,
  ],
])('names the flag and what is wrong with it: %#', (operation, typed, message) => {
  expect(messages(operation, typed)).toEqual([expect.stringMatching(message)]);
});

test('reads a long period without a word, since lists are read in parts', () => {
  expect(messages(tickets.list, { createPeriod: 'last-30-days' })).toEqual([]);
});

test('checks the answer to a question as it checks a flag', () => {
  const { type, startDate } = orders.list.params;
  expect(problemWith(type, 'sale', today)).toBeUndefined();
  expect(problemWith(startDate, 'last monday', today)).toMatch(
    /^must be a date \(.*\), not 'last monday'/,
  );
});

test('knows whether a day or a period was typed', () => {
  expect(holdsDays(orders.list, { type: 'SALE' })).toBe(false);
  expect(holdsDays(orders.list, { period: 'today' })).toBe(true);
  expect(holdsDays(orders.list, { endDate: 'today' })).toBe(true);
});
