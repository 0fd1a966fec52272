/** Writes that change the subscription of a sale: their sentences, warnings and verifiers. */
import type { Client } from '../../client/client.ts';
import { orders } from '../../operations/orders.ts';
import { paymentIn, type Reader } from './reads.ts';
import { dayOf, money, type Sentence, subjectOf } from './sentence.ts';
import { unlessRefused, type Values, type WriteRules, type WriteVerifier } from './verifier.ts';
import type { Warning } from './warnings.ts';

/** A subscription in words; `amount` is empty and `due` has no sentence where they can't be read. */
async function subscriptionOf(reader: Reader, { receipt, sku, oldSku }: Values) {
  const subject = await subjectOf(reader, String(receipt), sku ?? oldSku);
  const { name, at, gaps, order, items } = subject;
  const [item] = items;
  const amount = money(item?.rebillAmount, order?.payment.currency);
  const day = dayOf(item?.nextPaymentDate);
  const due = day && `The next payment${amount && `, ${amount},`} is currently due on ${day}.`;
  return { words: `the subscription of ${name}${at}`, amount, due: due ? [due] : [], gaps };
}

type Subscription = Awaited<ReturnType<typeof subscriptionOf>>;

function describe(say: (subscription: Subscription, args: Values) => Sentence) {
  return async (reader: Reader, args: Values): Promise<Sentence> => {
    const subscription = await subscriptionOf(reader, args);
    return { ...say(subscription, args), gaps: subscription.gaps };
  };
}

function addressIn(args: Values): string {
  const name = [args.firstName, args.lastName].filter(Boolean).join(' ');
  const { address1, address2, city, county, province, postalCode, countryCode } = args;
  const lines = [name, address1, address2, city, county, province, postalCode, countryCode];
  return lines.filter(Boolean).join(', ');
}

/** The service refunds by default: without the parameter nobody has said that money may move. */
async function warnOfProratedRefund(_: Reader, args: Values): Promise<Warning[]> {
  const { receipt, applyProratedRefund: asked } = args;
  if (asked === false) return [];
  const message = `Changing the product of ${receipt} refunds the unused part of the current period`;
  const warning: Warning = { kind: 'prorated-refund', message, receipt: String(receipt) };
  return [asked === true ? warning : { ...warning, requires: 'allow-refund' }];
}

/** What the service shows of a subscription; as JSON it is the snapshot. */
type Line = NonNullable<Awaited<ReturnType<typeof lineOf>>>;

/** `isSeen` compares what the line item shows now with what it showed before. */
function seenWhere(isSeen: (now: Line, before: Line, args: Values) => boolean): WriteVerifier {
  return {
    async look(api, args: Values) {
      const line = await unlessRefused(() => lineOf(api, args));
      if (!line) return undefined;
      return {
        snapshot: line,
        find(wanted: Values, before) {
          const isKnown = before !== null && typeof before === 'object';
          return isKnown && isSeen(line, before as Line, wanted) ? {} : undefined;
        },
      };
    },
  };
}

async function lineOf(api: Client, { receipt, sku, oldSku, newSku }: Values) {
  const found = await api.call(orders.get, { receipt: String(receipt) });
  // A refund of the same receipt has line items too, and may come between two looks.
  const lines = paymentIn(found, String(receipt))?.lineItemData ?? [];
  const wanted = [sku, oldSku, newSku].filter((one) => one !== undefined);
  const line = lines.find(({ itemNo }) => wanted.includes(String(itemNo))) ?? lines[0];
  if (!line) return undefined;
  return {
    itemNo: line.itemNo ?? null,
    status: line.status ?? null,
    nextPaymentDate: line.nextPaymentDate ?? null,
    futurePayments: Number(line.futurePayments ?? 0),
    processedPayments: Number(line.processedPayments ?? 0),
    rebillAmount: line.rebillAmount ?? null,
  };
}

/** The service shows this number of future payments for a subscription without an end. */
const endless = 999;

/** A payment between two looks moves the date of the next one, and may end a trial, all by itself. */
function isRebilled(now: Line, before: Line): boolean {
  return now.processedPayments > before.processedPayments;
}

function isDue({ nextPaymentDate }: Line, day: unknown): boolean {
  return (nextPaymentDate ?? '').startsWith(String(day));
}

/** The next payment was moved to the day, and not by a payment. */
function isMoved(now: Line, before: Line, day: unknown): boolean {
  return isDue(now, day) && !isDue(before, day) && !isRebilled(now, before);
}

/**
 * A sale may keep the item that was sold; then only a new rebill amount, or the requested day of the next
 * payment, shows that its subscription has another product.
 */
function isChanged(now: Line, before: Line, { newSku, nextRebillDate }: Values): boolean {
  if (now.itemNo === newSku && before.itemNo !== newSku) return true;
  if (isRebilled(now, before)) return false;
  if (now.rebillAmount !== (before.rebillAmount ?? null)) return true;
  return nextRebillDate !== undefined && isMoved(now, before, nextRebillDate);
}

export const subscriptionRules = {
  'orders pause': {
    describe: describe(({ words, due }, { restartDate }) => ({
      action: `Pause ${words} until ${restartDate}`,
      details: due,
    })),
    verify: seenWhere((now, before, { restartDate }) => isMoved(now, before, restartDate)),
  },
  'orders change-date': {
    describe: describe(({ words, due }, { changeDate }) => ({
      action: `Move the next payment of ${words} to ${changeDate}`,
      details: due,
    })),
    verify: seenWhere((now, before, { changeDate }) => isMoved(now, before, changeDate)),
  },
  'orders reinstate': {
    describe: describe(({ words, amount }) => ({
      action: `Reinstate ${words}`,
      details: [`The customer is billed again${amount && `, ${amount} each time`}.`],
    })),
    verify: seenWhere((now, before) => now.status === 'ACTIVE' && before.status !== 'ACTIVE'),
  },
  'orders extend': {
    describe: describe(({ words, amount }, { numPeriods }) => {
      const payments = numPeriods === 1 ? '1 payment' : `${numPeriods} payments`;
      return { action: `Add ${payments}${amount && ` of ${amount}`} to ${words}` };
    }),
    // An endless subscription looks the same before and after.
    verify: seenWhere(
      (now, before, { numPeriods }) =>
        before.futurePayments !== endless &&
        now.futurePayments === before.futurePayments + Number(numPeriods),
    ),
  },
  'orders change-product': {
    describe: describe(({ words }, { oldSku, newSku, nextRebillDate, applyProratedRefund }) => ({
      action: `Change ${words} from ${oldSku} to ${newSku}`,
      details: [
        ...(nextRebillDate ? [`The next payment is taken on ${nextRebillDate}.`] : []),
        ...(applyProratedRefund === false ? ['Nothing is refunded.'] : []),
      ],
    })),
    warn: warnOfProratedRefund,
    verify: seenWhere(isChanged),
  },
  'orders change-address': {
    describe: describe(({ words }, args) => ({
      action: `Change the shipping address of ${words} to '${addressIn(args)}'`,
    })),
    verify: 'orders do not show the shipping address',
  },
} satisfies Record<string, WriteRules>;
