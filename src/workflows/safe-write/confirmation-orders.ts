/** Sentences about changing subscriptions. */
import { orders } from '../../operations/orders.ts';
import type { Reader } from './reads.ts';
import { type Describe, dayOf, money, type Subject, subjectOf, type Values } from './sentence.ts';

export const orderSentences: readonly (readonly [unknown, Describe])[] = [
  [orders.reinstate, describeReinstate],
  [orders.pause, describePause],
  [orders.extend, describeExtend],
  [orders.changeProduct, describeChangeProduct],
  [orders.changeAddress, describeChangeAddress],
  [orders.changeDate, describeChangeDate],
];

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
