/** Searching transactions: the filters of list and count, read page by page by key. */
import type { Database, Value } from './driver.ts';
import { TRANSACTION, type Transaction } from './transaction.ts';

const PAGE_SIZE = 100;

/** What a search may ask for; patterns know `%`. */
export interface OrderFilter {
  /** The nicknames of the caller: one of them must be the vendor or the affiliate. */
  readonly accounts: readonly string[];
  /** Instants; the end is exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  readonly type?: string | undefined;
  readonly vendor?: string | undefined;
  /** `null` finds transactions without an affiliate. */
  readonly affiliate?: string | null | undefined;
  readonly lastName?: string | undefined;
  readonly item?: string | undefined;
  readonly email?: string | undefined;
  readonly trackingId?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly role?: string | undefined;
  readonly totalCents?: number | undefined;
}

interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

const MINE = '(SELECT value FROM json_each(?))';

/** The role of the asked accounts in a transaction; an account can be one of both. */
const ROLES: Readonly<Record<string, string>> = {
  VENDOR: `t.vendor IN ${MINE}`,
  AFFILIATE: `t.affiliate IN ${MINE}`,
};

function access(accounts: string, role: string | undefined): Condition {
  if (role === undefined) {
    return { sql: `(${ROLES.VENDOR} OR ${ROLES.AFFILIATE})`, values: [accounts, accounts] };
  }
  const sql = Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
  return sql ? { sql, values: [accounts] } : { sql: '0', values: [] };
}

/** `%` is the only wildcard: LIKE's own `_` is taken literally. */
function like(column: string, pattern: string | undefined): Condition | undefined {
  if (pattern === undefined) return undefined;
  const escaped = pattern.replaceAll(/[\\_]/g, '\\$&');
  return { sql: `${column} LIKE ? ESCAPE '\\'`, values: [escaped] };
}

function compare(sql: string, value: Value | undefined): Condition | undefined {
  return value === undefined || value === null ? undefined : { sql, values: [value] };
}

function affiliated(pattern: string | null | undefined): Condition | undefined {
  if (pattern === null) return { sql: 't.affiliate IS NULL', values: [] };
  return like('t.affiliate', pattern);
}

/** A field of the customer: only the vendor sees it, so nobody else finds anything by it. */
function customerLike(column: string, pattern: string | undefined, filter: OrderFilter) {
  const found = like(column, pattern);
  if (!found) return undefined;
  const seen = access(JSON.stringify(filter.accounts), 'VENDOR');
  const isHidden = filter.role !== undefined && filter.role !== 'VENDOR';
  return {
    sql: isHidden ? '0' : `${seen.sql} AND ${found.sql}`,
    values: isHidden ? [] : [...seen.values, ...found.values],
  };
}

/** A sale has the items that were sold with it, a rebill the item that it was for. */
const HAS_ITEM = `EXISTS (SELECT 1 FROM line_item l
  WHERE l.purchase_id = t.purchase_id AND l.item_no = ?
    AND iif(t.line_item_id IS NULL, l.replaces IS NULL, t.line_item_id = l.id))`;

function conditionsOf(filter: OrderFilter): Condition {
  const parts = [
    access(JSON.stringify(filter.accounts), filter.role),
    compare('t.time >= ?', filter.from),
    compare('t.time < ?', filter.until),
    compare('t.type = ?', filter.type),
    like('t.vendor', filter.vendor),
    affiliated(filter.affiliate),
    customerLike('p.last_name', filter.lastName, filter),
    compare(HAS_ITEM, filter.item),
    customerLike('p.email', filter.email, filter),
    compare('p.tracking_id = ?', filter.trackingId),
    customerLike('p.postal_code', filter.postalCode, filter),
    compare('t.total_cents = ?', filter.totalCents),
  ].filter((part) => part !== undefined);
  return {
    sql: parts.map((part) => part.sql).join(' AND '),
    values: parts.flatMap((part) => part.values),
  };
}

export function countTransactions(db: Database, filter: OrderFilter): number {
  const { sql, values } = conditionsOf(filter);
  // SQLite leaves a LEFT JOIN out when no filter needs it.
  const row = db.first<{ n: number }>(
    `SELECT count(*) n FROM txn t LEFT JOIN purchase p ON p.id = t.purchase_id WHERE ${sql}`,
    values,
  );
  return row?.n ?? 0;
}

type Key = Pick<Transaction, 'time' | 'id'>;

/** Where pages begin: the last row of the page before, by page number. */
interface Walk {
  readonly version: string;
  readonly before: Map<number, Key>;
}

const KEPT_WALKS = 64;
const walks = new WeakMap<Database, Map<string, Walk>>();

/** The known beginnings of a search's pages, forgotten when the store has changed since. */
function walkOf(db: Database, search: string): Walk {
  const known = walks.get(db) ?? new Map<string, Walk>();
  walks.set(db, known);
  const version = db.version();
  let walk = known.get(search);
  if (walk?.version !== version) walk = { version, before: new Map() };
  // Taken out and put back, so that the first of the map is the one that was used longest ago.
  known.delete(search);
  known.set(search, walk);
  const [oldest] = known.keys();
  if (known.size > KEPT_WALKS && oldest !== undefined) known.delete(oldest);
  return walk;
}

/** The nearest page at or before the asked one whose beginning is known. */
function nearest(walk: Walk, page: number): { page: number; before: Key | undefined } {
  for (let p = page; p > 1 && p > page - 1000; p -= 1) {
    const before = walk.before.get(p);
    if (before) return { page: p, before };
  }
  return { page: 1, before: undefined };
}

/**
 * One page, newest first, and whether there are more. Skipping rows costs more the deeper the
 * page lies, so pages continue after the last row of the page before, where that is known.
 */
export function findTransactions(
  db: Database,
  filter: OrderFilter,
  page: number,
): { rows: Transaction[]; more: boolean } {
  const { sql, values } = conditionsOf(filter);
  const walk = walkOf(db, JSON.stringify([sql, values]));
  const start = nearest(walk, page);
  const after = start.before ? 'AND (t.time, t.id) < (?, ?)' : '';
  const rows = db.all<Transaction>(
    `${TRANSACTION} WHERE ${sql} ${after} ORDER BY t.time DESC, t.id DESC LIMIT ? OFFSET ?`,
    [
      ...values,
      ...(start.before ? [start.before.time, start.before.id] : []),
      PAGE_SIZE + 1,
      (page - start.page) * PAGE_SIZE,
    ],
  );
  const more = rows.length > PAGE_SIZE;
  const last = rows[PAGE_SIZE - 1];
  if (more && last) walk.before.set(page + 1, { time: last.time, id: last.id });
  return { rows: rows.slice(0, PAGE_SIZE), more };
}
