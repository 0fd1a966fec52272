/** Writes that change the subscription of a sale: their sentences, warnings and verifiers. */
import type { Client } from '../../client/client.ts';
import { orders } from '../../operations/orders.ts';
import { paymentIn, type Reader } from './reads.ts';
import { dayOf, money, type Subject, subjectOf } from './sentence.ts';
import {
  type Fields,
  type Snapshot,
  unlessRefused,
  type Values,
  type WriteRules,
  type WriteVerifier,
} from './verifier.ts';
import type { Warning } from './warnings.ts';

async function subscriptionOf(reader: Reader, { receipt, sku, oldSku }: Values) {
  const subject = await subjectOf(reader, String(receipt), sku ?? oldSku);
  return { ...subject, words: `the subscription of ${subject.name}${subject.at}` };
}

/** "The next payment, 29.00 USD, is due on 2026-03-26." */
function nextPayment({ order, items }: Subject): string[] {
  const [item] = items;
  if (!item?.nextPaymentDate) return [];
  const amount = money(item.rebillAmount, order?.payment.currency);
  return [
    `The next payment${amount && `, ${amount},`} is currently due on ${dayOf(item.nextPaymentDate)}.`,
  ];
}

async function describeReinstate(reader: Reader, args: Values) {
  const { words, gaps, items, order } = await subscriptionOf(reader, args);
  const amount = money(items[0]?.rebillAmount, order?.payment.currency);
  const details = [`The customer is billed again${amount && `, ${amount} each time`}.`];
  return { action: `Reinstate ${words}`, details, gaps };
}

async function describePause(reader: Reader, args: Values) {
  const subject = await subscriptionOf(reader, args);
  const action = `Pause ${subject.words} until ${args.restartDate}`;
  return { action, details: nextPayment(subject), gaps: subject.gaps };
}

async function describeExtend(reader: Reader, args: Values) {
  const { words, gaps, items, order } = await subscriptionOf(reader, args);
  const amount = money(items[0]?.rebillAmount, order?.payment.currency);
  const payments = args.numPeriods === 1 ? '1 payment' : `${args.numPeriods} payments`;
  return { action: `Add ${payments}${amount && ` of ${amount}`} to ${words}`, gaps };
}

async function describeChangeProduct(reader: Reader, args: Values) {
  const { words, gaps } = await subscriptionOf(reader, args);
  const { oldSku, newSku, nextRebillDate, applyProratedRefund } = args;
  const details = [
    ...(nextRebillDate ? [`The next payment is taken on ${nextRebillDate}.`] : []),
    ...(applyProratedRefund === false ? ['Nothing is refunded.'] : []),
  ];
  return { action: `Change ${words} from ${oldSku} to ${newSku}`, details, gaps };
}

async function describeChangeAddress(reader: Reader, args: Values) {
  const { words, gaps } = await subscriptionOf(reader, args);
  const name = [args.firstName, args.lastName].filter(Boolean).join(' ');
  const { address1, address2, city, county, province, postalCode, countryCode } = args;
  const lines = [name, address1, address2, city, county, province, postalCode, countryCode];
  const address = lines.filter(Boolean).join(', ');
  return { action: `Change the shipping address of ${words} to '${address}'`, gaps };
}

async function describeChangeDate(reader: Reader, args: Values) {
  const subject = await subscriptionOf(reader, args);
  const action = `Move the next payment of ${subject.words} to ${args.changeDate}`;
  return { action, details: nextPayment(subject), gaps: subject.gaps };
}

/** The service refunds by default: without the parameter nobody has said that money may move. */
async function warnOfProratedRefund(_: Reader, args: Values): Promise<Warning[]> {
  const { receipt, applyProratedRefund: asked } = args;
  if (asked === false) return [];
  const message = `Changing the product of ${receipt} refunds the unused part of the current period; pass --no-apply-prorated-refund to prevent it`;
  const requires = asked === true ? undefined : 'allow-refund';
  return [
    { kind: 'prorated-refund', message, receipt: String(receipt), ...(requires && { requires }) },
  ];
}

/** The service shows this number of future payments for a subscription without an end. */
const endless = 999;

/** `isSeen` compares what the line item shows now with what it showed before. */
function changeSubscription(
  isSeen: (now: Fields, before: Fields, args: Values) => boolean,
): WriteVerifier {
  return {
    async look(api, args: Values) {
      const line = await unlessRefused(() => lineItemOf(api, args));
      if (!line) return undefined;
      return {
        snapshot: snapshotOf(line),
        find(wanted: Values, before) {
          const isKnown = before !== null && typeof before === 'object';
          return isKnown && isSeen(line, before as Fields, wanted) ? {} : undefined;
        },
      };
    },
  };
}

async function lineItemOf(api: Client, values: Values): Promise<Fields | undefined> {
  const { receipt, sku, oldSku, newSku } = values;
  const found = await api.call(orders.get, { receipt: String(receipt) });
  // A refund of the same receipt has line items too, and may come between two looks.
  const sale = paymentIn(found, String(receipt));
  const lines = (sale?.lineItemData ?? []) as readonly Fields[];
  const wanted = [sku, oldSku, newSku].filter((one) => one !== undefined);
  const line = lines.find(({ itemNo }) => wanted.includes(String(itemNo))) ?? lines[0];
  const count = (value: unknown) => Number(String(value ?? 0));
  return (
    line && {
      ...line,
      futurePayments: count(line.futurePayments),
      processedPayments: count(line.processedPayments),
    }
  );
}

function snapshotOf(line: Fields): Snapshot {
  const { itemNo, status, nextPaymentDate, futurePayments, processedPayments, rebillAmount } = line;
  return JSON.parse(
    JSON.stringify({
      ...{ itemNo, status, nextPaymentDate },
      ...{ futurePayments, processedPayments, rebillAmount },
    }),
  ) as Snapshot;
}

/** A payment between two looks moves the date of the next one, and may end a trial, all by itself. */
function isRebilled(now: Fields, before: Fields): boolean {
  return Number(now.processedPayments) > Number(before.processedPayments);
}

function isDue({ nextPaymentDate }: Fields, day: unknown): boolean {
  return String(nextPaymentDate ?? '').startsWith(String(day));
}

/** The next payment was moved to the day, and not by a payment. */
function isMoved(now: Fields, before: Fields, day: unknown): boolean {
  return isDue(now, day) && !isDue(before, day) && !isRebilled(now, before);
}

const pauseSubscription = changeSubscription((now, before, { restartDate }) =>
  isMoved(now, before, restartDate),
);

const changePaymentDate = changeSubscription((now, before, { changeDate }) =>
  isMoved(now, before, changeDate),
);

const reinstateSubscription = changeSubscription(
  (now, before) => now.status === 'ACTIVE' && before.status !== 'ACTIVE',
);

/** An endless subscription looks the same before and after. */
const extendSubscription = changeSubscription(
  (now, before, { numPeriods }) =>
    before.futurePayments !== endless &&
    now.futurePayments === Number(before.futurePayments) + Number(numPeriods),
);

/**
 * A sale may keep the item that was sold; then only a new rebill amount, or the requested day of the next
 * payment, shows that its subscription has another product.
 */
const changeProduct = changeSubscription((now, before, { newSku, nextRebillDate }) => {
  if (now.itemNo === newSku && before.itemNo !== newSku) return true;
  if (isRebilled(now, before)) return false;
  const amount = ({ rebillAmount }: Fields) => JSON.stringify(rebillAmount ?? null);
  if (amount(now) !== amount(before)) return true;
  return nextRebillDate !== undefined && isMoved(now, before, nextRebillDate);
});

export const subscriptionRules = {
  'orders pause': { describe: describePause, verify: pauseSubscription },
  'orders change-date': { describe: describeChangeDate, verify: changePaymentDate },
  'orders reinstate': { describe: describeReinstate, verify: reinstateSubscription },
  'orders extend': { describe: describeExtend, verify: extendSubscription },
  'orders change-product': {
    describe: describeChangeProduct,
    warn: warnOfProratedRefund,
    verify: changeProduct,
  },
  'orders change-address': {
    describe: describeChangeAddress,
    verify: { unverifiable: 'orders do not show the shipping address' },
  },
} satisfies Record<string, WriteRules>;
