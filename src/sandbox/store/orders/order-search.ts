/** Searches transactions with the filters of list and count. */
import type { Database } from '../../../storage/sqlite.ts';
import { dollarsSql } from '../../money/money.ts';
import {
  type Condition,
  countRows,
  findPage,
  given,
  joined,
  like,
  ONE_OF,
  type Rows,
} from '../statements.ts';
import { TRANSACTION, type Transaction } from './transaction.ts';

/** The filters of a search; patterns can contain `%`. */
export interface OrderFilter {
  /** The nicknames of the caller: one of them must be the vendor or the affiliate. */
  readonly accounts: readonly string[];
  /** Instants; the end is exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly type?: string | undefined;
  readonly vendor?: string | undefined;
  /** `none` finds transactions without an affiliate. */
  readonly affiliate?: string | undefined;
  readonly lastName?: string | undefined;
  readonly item?: string | undefined;
  readonly email?: string | undefined;
  readonly tid?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly role?: string | undefined;
  readonly totalCents?: number | undefined;
  /** `totalCents` are US cents, whatever the currency of the order. */
  readonly isInDollars?: boolean;
}

const NOTHING: Condition = { sql: '0', values: [] };

/** The accounts in the given role, or in either role; an unknown role matches nothing. */
function hasPart({ accounts }: OrderFilter, role: string | undefined): Condition {
  const mine = JSON.stringify(accounts);
  const isVendor = given(`t.vendor ${ONE_OF}`, mine);
  const isAffiliate = given(`t.affiliate ${ONE_OF}`, mine);
  const byRole = new Map([
    [undefined, joined([isVendor, isAffiliate], 'OR')],
    ['VENDOR', isVendor],
    ['AFFILIATE', isAffiliate],
  ]);
  return byRole.get(role) ?? NOTHING;
}

/** Only the vendor sees the customer, so only the vendor can search by the customer's fields. */
function customerLike(column: string, pattern: string | undefined, filter: OrderFilter) {
  if (pattern === undefined) return undefined;
  const isHidden = filter.role !== undefined && filter.role !== 'VENDOR';
  return isHidden ? NOTHING : joined([hasPart(filter, 'VENDOR'), like(column, pattern)]);
}

/** A sale has the items sold with it, a rebill its own item. */
const HAS_ITEM = `EXISTS (SELECT 1 FROM line_item l
  WHERE l.purchase_id = t.purchase_id AND l.item_no = ?
    AND iif(t.line_item_id IS NULL, l.replaces IS NULL, t.line_item_id = l.id))`;

/** Whether a filter needs a field of its rows besides time and item, so that it finds no row of nulls. */
export function needsFields({
  accounts,
  from,
  until,
  item,
  role,
  isInDollars,
  ...others
}: OrderFilter) {
  return Object.values(others).some((value) => value !== undefined);
}

/** SQLite omits a LEFT JOIN that no filter needs. */
function searchOf(filter: OrderFilter): Condition {
  const { affiliate } = filter;
  const { sql, values } = joined([
    hasPart(filter, filter.role),
    given('t.time >= ?', filter.from),
    given('t.time < ?', filter.until),
    given('t.type = ?', filter.type),
    like('t.vendor', filter.vendor),
    affiliate === 'none' ? given('t.affiliate IS NULL') : like('t.affiliate', affiliate),
    customerLike('p.last_name', filter.lastName, filter),
    given(HAS_ITEM, filter.item),
    customerLike('p.email', filter.email, filter),
    given('p.tracking_id = ?', filter.tid),
    customerLike('p.postal_code', filter.postalCode, filter),
    given(
      `${filter.isInDollars ? dollarsSql('t.total_cents', 'p.currency') : 't.total_cents'} = ?`,
      filter.totalCents,
    ),
  ]);
  return { sql: `FROM txn t LEFT JOIN purchase p ON p.id = t.purchase_id WHERE ${sql}`, values };
}

export function countTransactions(db: Database, filter: OrderFilter): number {
  return countRows(db, searchOf(filter));
}

/** One page, newest first. Reads complete rows only for the page itself. */
export function findTransactions(
  db: Database,
  filter: OrderFilter,
  page: number,
): Rows<Transaction> {
  const { sql, values } = searchOf(filter);
  const ids = { sql: `SELECT t.id ${sql} ORDER BY t.time DESC, t.id DESC`, values };
  const { rows, more } = findPage<{ id: number }>(db, ids, page);
  const found = db.all<Transaction>(
    `${TRANSACTION} WHERE t.id ${ONE_OF} ORDER BY t.time DESC, t.id DESC`,
    [JSON.stringify(rows.map(({ id }) => id))],
  );
  return { rows: found, more };
}
