/** Finds out whether the amounts of the orders API are in US dollars or in the customer's currency (docs/figures.md). */
import type { Client } from '../../client/client.ts';
import { addDays, type Day } from '../../dates/day.ts';
import { orders } from '../../operations/orders.ts';
import { kindOf, type Transaction, youEarn } from './transaction.ts';

/** Currencies of which one unit is worth less than 0.02 US dollars. */
const small = new Set([
  ...['AMD', 'ARS', 'BDT', 'CLP', 'COP', 'CRC', 'HUF', 'IDR', 'INR', 'ISK', 'JPY', 'KES', 'KRW'],
  ...['KZT', 'LKR', 'NGN', 'PHP', 'PKR', 'PYG', 'RSD', 'RUB', 'TZS', 'UGX', 'VND'],
]);

/** An order in one of these currencies that shows which it is. */
export interface AmountCurrency {
  readonly amounts: 'dollars' | 'customer';
  readonly row: Transaction;
  /** What the account earns, in US dollars. */
  readonly earned: string;
}

/** Undefined if the order can't show it. */
function amountCurrencyIn(row: Transaction): AmountCurrency | undefined {
  const earned = youEarn(row);
  const [paid, share] = [Number(row.totalOrderAmount ?? 0), Number(earned ?? 0)];
  const isPayment = ['sale', 'rebill'].includes(kindOf(row.transactionType));
  if (!isPayment || !small.has(row.currency ?? '') || earned === undefined) return undefined;
  if (!(paid > 0 && share > 0)) return undefined;
  // Nobody earns more than the customer paid, so in a small currency it is at least 50 times the share. An amount in
  // dollars can be that much, too, if the share is small: then the order suggests the customer's currency wrongly.
  return { amounts: paid < 50 * share ? 'dollars' : 'customer', row, earned };
}

const days = 90;
const mostPages = 5;

/**
 * Looks at up to 500 transactions of the last days. An order whose amount is in dollars proves it; the customer's currency
 * is the answer only if none is.
 */
export async function findAmountCurrency(
  client: Client,
  today: Day,
): Promise<AmountCurrency | undefined> {
  const period = { startDate: addDays(today, -days), endDate: today };
  let pages = 0;
  let customers: AmountCurrency | undefined;
  for await (const { rows } of client.pages(orders.list, period, {
    expectedRows: 100 * mostPages,
  })) {
    for (const row of rows) {
      const found = amountCurrencyIn(row);
      if (found?.amounts === 'dollars') return found;
      customers ??= found;
    }
    pages += 1;
    if (pages >= mostPages) break;
  }
  return customers;
}
