/** Lists of orders from a copy, as the service would answer them. */
import { addDays } from '../../../dates/day.ts';
import type { Arguments } from '../../../operations/operation.ts';
import type { orders } from '../../../operations/orders.ts';
import type { SqlReader } from '../database/sql.ts';
import type { Days } from '../tables/source.ts';
import { type Condition, given, joined, like, oneOf } from './condition.ts';

export type OrderArguments = Arguments<typeof orders.list.params>;

/** If the account both sold and referred a transaction, the service lists only the sale, unless a role is asked for. */
const listedOnce: Condition = {
  sql: `o.role IS NULL OR o.role <> 'AFFILIATE' OR NOT EXISTS (SELECT 1 FROM orders sold
    WHERE sold.account = o.account
      AND sold.transaction_id = replace(o.transaction_id, '.AFFILIATE', '.VENDOR'))`,
  values: [],
};

function hasItem(sku: unknown): Condition | undefined {
  return given(
    `EXISTS (SELECT 1 FROM order_items i WHERE i.account = o.account
      AND i.transaction_id = o.transaction_id AND i.item_no = ?)`,
    sku,
  );
}

/** The filters of a list besides its period. */
export function orderFilter(copy: SqlReader, account: string, args: OrderArguments): Condition {
  const { role, affiliate, amount } = args;
  return joined([
    given('o.account = ?', account),
    role === undefined ? listedOnce : given('o.role = ?', role),
    oneOf('o.transaction_type', args.type),
    like(copy, 'o.vendor', args.vendor),
    affiliate === 'none'
      ? { sql: 'o.affiliate IS NULL', values: [] }
      : like(copy, 'o.affiliate', affiliate),
    like(copy, 'o.last_name', args.lastName),
    hasItem(args.item),
    like(copy, 'o.email', args.email),
    given('o.tracking_id = ?', args.tid),
    like(copy, 'o.postal_code', args.postalCode),
    given('o.total_order_amount = CAST(? AS NUMERIC)', amount),
  ]);
}

/** All transactions of a receipt; that of a sale includes its rebills. */
export function receiptFilter(account: string, receipt: string): Condition {
  const isRebill = receipt.includes('-');
  return joined([
    given('o.account = ?', account),
    listedOnce,
    isRebill
      ? given('o.receipt = ?', receipt)
      : joined(
          [given('o.receipt = ?', receipt), given("o.receipt LIKE ? || '-B%'", receipt)],
          'OR',
        ),
  ]);
}

/** Without dates, the service lists yesterday and today. */
export function periodOf({ startDate, endDate }: OrderArguments, today: string): Days {
  return { first: startDate ?? addDays(today, -1), last: endDate ?? today };
}

/** Latest first, as the service lists them: rows of one list are stored in its order. */
export function latestFirst({ dialect }: SqlReader): string {
  const next = dialect === 'sqlite' ? 'o.rowid' : 'o.transaction_id DESC';
  return `o.transaction_day DESC, o.transaction_time DESC NULLS LAST, ${next}`;
}

export function earliestFirst({ dialect }: SqlReader): string {
  const next = dialect === 'sqlite' ? 'o.transaction_day, o.rowid DESC' : 'o.transaction_id';
  return `o.transaction_time NULLS FIRST, ${next}`;
}
