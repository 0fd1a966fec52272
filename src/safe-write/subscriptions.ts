/** Rules for writes that change a subscription: descriptions, warnings, and verifiers. */
import type { Client } from '../client/client.ts';
import { countOf } from '../decimals/decimals.ts';
import { endless, orders } from '../operations/orders.ts';
import { paymentIn, type Reader, soldSku } from './reads.ts';
import { dayOf, orderMoney, type Sentence, subjectOf, type Undo } from './sentence.ts';
import { unlessRefused, type Values, type WriteRules, type WriteVerifier } from './verifier.ts';
import { itemProblems, refusedIf, type Warning } from './warnings.ts';

/** A subscription in words; `amount` and `due` are empty if they can't be read. */
async function subscriptionOf(reader: Reader, { receipt, sku, oldSku }: Values) {
  const { name, at, gaps, order, items } = await subjectOf(reader, String(receipt), sku ?? oldSku);
  const subscriptions = items.filter(({ recurring }) => recurring !== false);
  // Nothing shows which of several is meant if none is named, or by the product that it was changed to.
  const item = subscriptions.length === 1 ? subscriptions[0] : undefined;
  const isSale = items.length > 0 && subscriptions.length === 0;
  const unclear = order && !isSale ? itemProblems(order, (sku ?? oldSku)?.toString()) : [];
  const amount = orderMoney(item?.rebillAmount, order?.payment.currency);
  const day = dayOf(item?.nextPaymentDate);
  const due = day && `The next payment${amount && `, ${amount},`} is currently due on ${day}.`;
  const undo: Undo | undefined = day
    ? {
        operation: orders.changeDate,
        args: { receipt: String(receipt), changeDate: day, sku: soldSku(subscriptions, sku) },
      }
    : undefined;
  return {
    words: `the subscription of ${name}${at}`,
    amount,
    day,
    status: item?.status,
    due: due ? [due] : [],
    undo,
    gaps: [...gaps, ...refusedIf(isSale, `${receipt} is not a subscription`), ...unclear],
  };
}

type Subscription = Awaited<ReturnType<typeof subscriptionOf>>;

/** `refused` is the status in which ClickBank refuses the change; undefined if there is none. */
function describe(
  refused: 'ACTIVE' | 'CANCELED' | undefined,
  say: (subscription: Subscription, args: Values) => Sentence,
) {
  return async (reader: Reader, args: Values): Promise<Sentence> => {
    const subscription = await subscriptionOf(reader, args);
    const { gaps: own = [], ...said } = say(subscription, args);
    const { gaps, status } = subscription;
    const message = `${args.receipt} is ${status === 'ACTIVE' ? 'not ' : ''}canceled`;
    const state = refusedIf(status !== undefined && status === refused, message);
    return { ...said, gaps: [...gaps, ...state, ...own] };
  };
}

/** The state of a subscription; as JSON, it is the snapshot. */
type Line = NonNullable<Awaited<ReturnType<typeof lineOf>>>;

/** `isSeen` compares the current line item with the earlier one. */
function seenWhere(
  isSeen: (now: Line, before: Line, args: Values) => boolean,
  isThere: (line: Line, args: Values) => boolean = () => false,
  refusedIfThere?: RegExp,
): WriteVerifier {
  return {
    ...(refusedIfThere && { refusedIfThere }),
    async look(client, args: Values) {
      const line = await unlessRefused(() => lineOf(client, args));
      if (!line) return undefined;
      return {
        snapshot: line,
        isThere: isThere(line, args),
        find(wanted: Values, before) {
          const isKnown = before !== null && typeof before === 'object';
          return isKnown && isSeen(line, before as Line, wanted) ? {} : undefined;
        },
      };
    },
  };
}

async function lineOf(client: Client, { receipt, sku, oldSku, newSku }: Values) {
  const found = await client.call(orders.get, { receipt: String(receipt) });
  // A refund of the same receipt has line items too, and may happen between two reads.
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

/** A payment between two reads changes the next payment date, and may end a trial. */
function isRebilled(now: Line, before: Line): boolean {
  return now.processedPayments > before.processedPayments;
}

/** Whether the next payment was moved to the day, other than by a rebill. */
function isMoved(now: Line, before: Line, day: unknown): boolean {
  const isDue = ({ nextPaymentDate }: Line) => (nextPaymentDate ?? '').startsWith(String(day));
  return isDue(now) && !isDue(before) && !isRebilled(now, before);
}

/** A sale may keep its item; then only a new rebill amount or the requested day shows that its product has changed. */
function isChanged(now: Line, before: Line, { newSku, nextRebillDate }: Values): boolean {
  if (now.itemNo === newSku && before.itemNo !== newSku) return true;
  if (isRebilled(now, before)) return false;
  if (now.rebillAmount !== (before.rebillAmount ?? null)) return true;
  return nextRebillDate !== undefined && isMoved(now, before, nextRebillDate);
}

export const subscriptionRules = {
  'orders pause': {
    describe: describe('CANCELED', ({ words, due, day, undo }, { restartDate }) => ({
      action: `Pause ${words} until ${restartDate}`,
      details: due,
      effects: [`The next payment is due on ${restartDate}.`],
      undo,
      gaps: refusedIf(
        String(restartDate) < day,
        `The restart date ${restartDate} is before the next payment on ${day}`,
      ),
    })),
    verify: seenWhere((now, before, { restartDate }) => isMoved(now, before, restartDate)),
  },
  'orders change-date': {
    describe: describe('CANCELED', ({ words, due, undo }, { changeDate }) => ({
      action: `Move the next payment of ${words} to ${changeDate}`,
      details: due,
      effects: [],
      undo,
    })),
    verify: seenWhere((now, before, { changeDate }) => isMoved(now, before, changeDate)),
  },
  'orders reinstate': {
    describe: describe('ACTIVE', ({ words, amount }) => ({
      action: `Reinstate ${words}`,
      details: [`The customer is billed again${amount && `, ${amount} each time`}.`],
    })),
    verify: seenWhere(
      (now, before) => now.status === 'ACTIVE' && before.status !== 'ACTIVE',
      ({ status }) => status === 'ACTIVE',
      /already|not cancell?ed/i,
    ),
  },
  'orders extend': {
    describe: describe('CANCELED', ({ words, amount }, { numPeriods }) => {
      const payments = countOf(Number(numPeriods), 'payment');
      return { action: `Add ${payments}${amount && ` of ${amount}`} to ${words}` };
    }),
    // An unlimited subscription looks the same before and after.
    verify: seenWhere(
      (now, before, { numPeriods }) =>
        before.futurePayments !== endless &&
        now.futurePayments === before.futurePayments + Number(numPeriods),
    ),
  },
  'orders change-product': {
    describe: describe('CANCELED', ({ words }, args) => ({
      action: `Change ${words} from ${args.oldSku} to ${args.newSku}`,
      details: [
        `The next payment is taken ${args.nextRebillDate ? `on ${args.nextRebillDate}` : 'the day after the change'}.`,
        ...(args.applyProratedRefund === false ? ['Nothing is refunded.'] : []),
      ],
    })),
    /** The service refunds by default, so a missing parameter is not consent to a refund. */
    async warn(_: Reader, { receipt, applyProratedRefund }: Values) {
      if (applyProratedRefund === false) return [];
      const message = `Changing the product of ${receipt} refunds the unused part of the current period`;
      const warning: Warning = { kind: 'prorated-refund', message, receipt: String(receipt) };
      return [applyProratedRefund === true ? warning : { ...warning, requires: 'allow-refund' }];
    },
    verify: seenWhere(
      isChanged,
      ({ itemNo }, { oldSku }) => itemNo !== oldSku,
      /already|current product/i,
    ),
  },
  'orders change-address': {
    describe: describe(undefined, ({ words }, args) => {
      const name = [args.firstName, args.lastName].filter(Boolean).join(' ');
      const { address1, address2, city, county, province, postalCode, countryCode } = args;
      const lines = [name, address1, address2, city, county, province, postalCode, countryCode];
      const address = lines.filter(Boolean).join(', ');
      return { action: `Change the shipping address of ${words} to '${address}'` };
    }),
    verify: 'orders do not show the shipping address',
  },
} satisfies Record<string, WriteRules>;
