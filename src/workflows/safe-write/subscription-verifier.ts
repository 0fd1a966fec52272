/** Verifiers of the writes that change the subscription of a sale, as its line item shows it. */

import type { Client as Api } from '../../api/client.ts';
import { orders } from '../../operations/orders.ts';
import {
  type Fields,
  type Snapshot,
  unlessRefused,
  type Values,
  type WriteVerifier,
} from './verifier.ts';

/** The service shows this number of future payments for a subscription without an end. */
const endless = 999;

/** `isSeen` compares what the line item shows now with what it showed before. */
function changeSubscription(
  isSeen: (now: Fields, before: Fields, args: Values) => boolean,
): WriteVerifier {
  return {
    async look(api, args) {
      const line = await unlessRefused(() => lineItemOf(api, args as Values));
      if (!line) return undefined;
      return {
        snapshot: snapshotOf(line),
        find(wanted, before) {
          const isKnown = before !== null && typeof before === 'object';
          return isKnown && isSeen(line, before as Fields, wanted as Values) ? {} : undefined;
        },
      };
    },
  };
}

const isPayment = /(SALE|BILL)$/;

async function lineItemOf(api: Api, values: Values): Promise<Fields | undefined> {
  const { receipt, sku, oldSku, newSku } = values;
  const found = await api.call(orders.get, { receipt: String(receipt) });
  // A refund of the same receipt has line items, too, and may come between two looks.
  const sale =
    found.find(({ transactionType }) => isPayment.test(transactionType ?? '')) ?? found[0];
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

export const pauseSubscription = changeSubscription((now, before, { restartDate }) =>
  isMoved(now, before, restartDate),
);

export const changePaymentDate = changeSubscription((now, before, { changeDate }) =>
  isMoved(now, before, changeDate),
);

export const reinstateSubscription = changeSubscription(
  (now, before) => now.status === 'ACTIVE' && before.status !== 'ACTIVE',
);

/** An endless subscription looks the same before and after. */
export const extendSubscription = changeSubscription(
  (now, before, { numPeriods }) =>
    before.futurePayments !== endless &&
    now.futurePayments === Number(before.futurePayments) + Number(numPeriods),
);

/**
 * A sale may keep the item that was sold; then only a new rebill amount, or the requested day of the next
 * payment, shows that its subscription has another product.
 */
export const changeProduct = changeSubscription((now, before, { newSku, nextRebillDate }) => {
  if (now.itemNo === newSku && before.itemNo !== newSku) return true;
  if (isRebilled(now, before)) return false;
  const amount = ({ rebillAmount }: Fields) => JSON.stringify(rebillAmount ?? null);
  if (amount(now) !== amount(before)) return true;
  return nextRebillDate !== undefined && isMoved(now, before, nextRebillDate);
});
