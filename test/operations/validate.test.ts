/** The findings of the rules of the catalogue. Its fields are compared by test/sandbox/codec/wire.test.ts. */
import { expect, test } from 'vitest';
import { analytics, answerOnlyFigures } from '../../src/operations/analytics.ts';
import { catalogue } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { orders } from '../../src/operations/orders.ts';
import { products } from '../../src/operations/products.ts';
import { quickstats } from '../../src/operations/quickstats.ts';
import { notices3, shipping3 } from '../../src/operations/shipping.ts';
import { tickets } from '../../src/operations/tickets.ts';
import { fittingValues, validate } from '../../src/operations/validate.ts';

const today = '2026-03-18';

type Args = Readonly<Record<string, unknown>>;

/** Each finding as `code parameter`, or as its code without a parameter. */
function found(operation: Operation, args: Args): string[] {
  return validate(operation, args, today).map(({ code, param = '' }) => `${code} ${param}`.trim());
}

const refund = { receipt: 'DIGITAL1', type: 'rfnd', reason: 'ticket.type.refund.2' };
const partial = { ...refund, refundType: 'PARTIAL_AMOUNT' };
const percent = { ...refund, refundType: 'PARTIAL_PERCENT' };
const support = { receipt: 'DIGITAL1', type: 'tech', reason: 'ticket.type.tech_support.2' };
const cancel = { receipt: 'MONTHLY1', type: 'cncl', reason: 'ticket.type.cancel.5' };
const saved = {
  ...{ sku: 'NEW-01', site: 'GREENLEAF', currency: 'USD', price: '19.00', language: 'EN' },
  ...{ title: 'A new guide', thankYouPage: 'https://example.com/thanks' },
  pitchPage: 'https://example.com/pitch',
};
const days = { startDate: '2026-03-01', endDate: '2026-03-02' };
const figures = { role: 'VENDOR', account: 'GREENLEAF', dimension: 'TRACKING_ID' };
const affiliate = { role: 'AFFILIATE', account: 'A' };
const unpaused = ['missing receipt', 'missing restartDate'];
const billing = ['rule rebillPrice', 'rule trialPeriod', 'rule frequency', 'rule duration'];

/** Each with its findings. */
const given: readonly (readonly [Operation, Args, ...string[]])[] = [
  [orders.list, days],
  [orders.get, { receipt: 'MONTHLY1-B002' }],
  [orders.get, { receipt: 'MONTHLY1', sku: undefined }],
  [orders.extend, { receipt: 'LIMITED1', numPeriods: 2 }],
  [orders.pause, { receipt: 'MONTHLY1', restartDate: '2026-05-17' }],
  [orders.changeProduct, { receipt: 'MONTHLY1', oldSku: 'A', newSku: 'B', carryAffiliate: false }],
  [tickets.create, { ...refund, refundType: 'FULL' }],
  [tickets.create, { ...percent, refundAmount: '80.00' }],
  [tickets.create, { ...cancel, retainSubscription: false }],
  [tickets.refundAmounts, { receipt: 'A', refundType: 'FULL' }],
  [products.save, { ...saved, digital: true, categories: ['EBOOK', 'AUDIO'] }],
  [shipping3.list, { status: 'notshipped', days: 90 }],
  [shipping3.list, { receipt: 'PARCEL01' }],
  [shipping3.list, { status: 'notshipped' }, 'rule'],
  [shipping3.list, { receipt: 'PARCEL01', status: 'shipped' }, 'rule'],
  [shipping3.count, { receipt: 'PARCEL01', ...days }, 'rule'],
  [shipping3.count, { ...days, days: 5 }, 'rule'],
  [notices3.add, { receipt: 'PARCEL01', date: today, carrier: 'USPS' }],
  [analytics.dimension, { ...figures, select: ['SALE_COUNT'] }],
  [analytics.dimension, { ...figures, sortAscending: true, orderBy: 'HOP_COUNT' }],
  [orders.get, {}, 'missing receipt'],
  [orders.pause, { reciept: 'A' }, 'unknown-parameter reciept', ...unpaused],
  [orders.get, { receipt: '' }, 'empty receipt'],
  [orders.get, { receipt: ' ' }, 'empty receipt'],
  [orders.get, { receipt: 'A\nB' }, 'control-character receipt'],
  [orders.get, { receipt: '../x' }, 'wrong-pattern receipt'],
  [orders.get, { receipt: 7 }, 'wrong-kind receipt'],
  [orders.get, { receipt: ['A', 'B'] }, 'wrong-kind receipt'],
  [orders.get, { receipt: null }, 'wrong-kind receipt'],
  [orders.list, { type: 'sale' }, 'not-a-choice type'],
  [orders.list, { type: 'constructor' }, 'not-a-choice type'],
  [orders.list, { amount: 'ten' }, 'wrong-kind amount'],
  [orders.list, { amount: '1e3' }, 'wrong-kind amount'],
  [orders.list, { amount: 19.9 }, 'wrong-kind amount'],
  [orders.list, { startDate: '2026-02-30', endDate: today }, 'wrong-kind startDate'],
  [orders.extend, { receipt: 'A', numPeriods: '2' }, 'wrong-kind numPeriods'],
  [orders.extend, { receipt: 'A', numPeriods: 1.5 }, 'wrong-kind numPeriods'],
  [orders.extend, { receipt: 'A', numPeriods: Number.NaN }, 'wrong-kind numPeriods'],
  [orders.extend, { receipt: 'A', numPeriods: 0 }, 'out-of-range numPeriods'],
  [products.save, { ...saved, price: '-1' }, 'out-of-range price'],
  [products.save, { ...saved, purchaseCommission: '100.01' }, 'out-of-range purchaseCommission'],
  [products.save, { ...saved, physical: 'yes' }, 'wrong-kind physical'],
  [products.save, { ...saved, categories: ['EBOOK', 'ebook', ''] }, 'not-a-choice categories'],
  [orders.list, { startDate: '2026-03-01' }, 'rule endDate'],
  [orders.list, { endDate: '2026-03-01' }, 'rule startDate'],
  [orders.list, { startDate: '2026-03-02', endDate: '2026-03-01' }, 'reversed-period endDate'],
  [tickets.list, { closeDateFrom: '2026-03-01' }, 'rule closeDateTo'],
  [quickstats.list, { endDate: '2026-02-01' }],
  [quickstats.count, { endDate: '2026-01-31' }, 'rule startDate'],
  [analytics.dimension, { ...figures, endDate: '2026-03-17' }],
  [analytics.dimension, { ...figures, endDate: '2026-03-16' }, 'rule startDate'],
  [tickets.list, { receipt: '%AB' }, 'wrong-pattern receipt'],
  [orders.pause, { receipt: 'A', restartDate: today }, 'rule restartDate'],
  [orders.pause, { receipt: 'A', restartDate: '2026-05-18' }, 'rule restartDate'],
  [orders.changeProduct, { receipt: 'A', oldSku: 'B', newSku: 'B' }, 'rule newSku'],
  [notices3.add, { receipt: 'A', date: '2026-03-19', carrier: 'USPS' }, 'rule date'],
  [tickets.create, refund, 'rule refundType'],
  [tickets.create, partial, 'rule refundAmount'],
  [tickets.create, { ...percent, refundAmount: '81' }, 'rule refundAmount'],
  [tickets.create, { ...percent, refundAmount: '1.005' }, 'rule refundAmount'],
  [tickets.create, { ...partial, refundAmount: '0' }, 'rule refundAmount'],
  [tickets.create, { ...refund, refundType: 'FULL', refundAmount: '5' }, 'rule refundAmount'],
  [tickets.create, { ...support, refundAmount: '5' }, 'rule refundAmount'],
  [tickets.refundAmounts, { receipt: 'A', refundType: 'FULL', refundAmount: '5' }, 'rule'],
  [tickets.create, { ...cancel, refundAmount: '5' }, 'rule refundAmount'],
  [tickets.create, { ...cancel, retainSubscription: true }, 'rule retainSubscription'],
  [tickets.create, { ...refund, refundType: 'FULL', reason: cancel.reason }, 'rule reason'],
  [products.save, { ...saved, digital: true }, 'rule categories'],
  [products.save, { ...saved, categories: ['EBOOK'] }, 'rule categories'],
  [products.save, { ...saved, mobilePitchPage: 'example.com' }, 'wrong-pattern mobilePitchPage'],
  [tickets.close, { id: 'abc' }, 'wrong-pattern id'],
  [tickets.list, { receipt: 'AB%C' }, 'wrong-pattern receipt'],
  [analytics.dimension, { ...figures, role: 'AFFILIATE', dimension: 'PRODUCT_SKU' }, 'rule role'],
  [analytics.subscriptions, { ...affiliate, orderBy: 'CUSTOMER_EMAIL' }, 'rule orderBy'],
  [products.save, { ...saved, physical: true }, 'rule description'],
  [products.save, { ...saved, pitchPage: undefined }, 'rule pitchPage'],
  [products.save, { ...saved, trialPeriod: 2 }, 'rule trialPeriod'],
  [analytics.dimension, { ...figures, dimension: 'VENDOR_PRODUCT_SKU' }, 'rule role'],
  [products.save, { ...saved, physicalRecurring: true, description: 'A box' }, ...billing],
];

test.each(
  given.map(([operation, args, ...codes]) => [operation.command, args, codes, operation] as const),
)('accepts valid arguments, and names each invalid one: %s %j: %j', (_, args, codes, operation) => {
  expect(found(operation, args)).toEqual(codes);
});

test('says what is wrong without naming an option, and returns the invalid value', () => {
  expect(validate(orders.extend, { receipt: 'A', numPeriods: 0 }, today)).toEqual([
    {
      code: 'out-of-range',
      param: 'numPeriods',
      says: 'must be 1 or more, not 0',
      accepts: '1 or more',
      weight: 'problem',
      value: 0,
    },
  ]);
  const [number] = validate(orders.list, { amount: 19.9 }, today);
  expect(number?.says).toBe('must be text, not 19.9');
  const reversed = { startDate: '2026-03-02', endDate: '2026-03-01' };
  const [period] = validate(orders.list, reversed, today);
  expect(period?.says).toBe('must not be before {startDate}');
  const every = catalogue.flatMap((operation) => validate(operation, { '': '' }, today));
  expect(every.filter(({ says }) => says.includes('--'))).toEqual([]);
});

test('marks missing values as missing, and hints as notes', () => {
  const missing = (param: string) => [{ param, isMissing: true, weight: 'problem' }];
  expect(validate(tickets.create, refund, today)).toMatchObject(missing('refundType'));
  expect(validate(orders.get, {}, today)).toMatchObject(missing('receipt'));
  const [note, ...others] = validate(orders.list, {}, today);
  expect(note).toEqual(expect.not.objectContaining({ isMissing: true }));
  expect([note?.param, note?.weight, others]).toEqual([undefined, 'note', []]);
});

// Valid ones are shown in e2e/writes/writes.
test('offers all choices if the argument that limits them is missing', () => {
  const reasons = fittingValues(tickets.create, 'reason', { receipt: 'A' }, today);
  expect(reasons).toHaveLength(25);
});

// Those that can be selected are compared with the specification.
test('lists the figures of the schema for analytics that cannot be selected', () => {
  const orders = ['INITIAL', 'TOTAL', 'UPSELL'].map((kind) => `${kind}_ORDER_IMPRESSION`);
  expect(answerOnlyFigures.toSorted()).toEqual(['EARNINGS_PER_CLICK', ...orders]);
});
