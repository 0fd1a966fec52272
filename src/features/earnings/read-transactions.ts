/** Reads the transactions of a period once for each share that the accounts of the key have in them. */

import type { Days } from '../../client/argument-period.ts';
import type { Client } from '../../client/client.ts';
import { orders } from '../../operations/orders.ts';
import { quickstats } from '../../operations/quickstats.ts';
import { isOwnReferral, type Transaction } from './transaction.ts';

export type EarningRole = 'VENDOR' | 'AFFILIATE';

export interface TransactionQuery {
  readonly days: Days;
  /** Only shares with this role; default: all. */
  readonly role?: EarningRole | undefined;
  /** The accounts of the key, if they are known; otherwise they are read unless there is a role. */
  readonly accounts?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields pages of transactions, latest first. A key can read several accounts; if one sold and another referred a
 * transaction, ClickBank may list it only with the role of the vendor. The shares of such affiliates follow at
 * the end, from a second list, so that the sums agree with quickstats.
 */
export async function* readTransactions(
  client: Client,
  { days, role, accounts: known, signal }: TransactionQuery,
): AsyncGenerator<readonly Transaction[]> {
  const period = { startDate: days.first, endDate: days.last };
  const accounts = role === undefined ? (known ?? (await accountsOf(client))) : [];
  const isOwn = (row: Transaction) => isOwnReferral(row, accounts);
  let isShared = false;
  const args = { ...period, ...(role && { role }) };
  for await (const { rows } of client.pages(orders.list, args, { signal })) {
    isShared ||= rows.some((row) => isOwn(row) || accounts.includes(row.affiliate ?? ''));
    yield rows.filter((row) => !isOwn(row));
  }
  if (!isShared) return;
  const again = { ...period, role: 'AFFILIATE' } as const;
  for await (const { rows } of client.pages(orders.list, again, { signal })) {
    const shares = rows.filter(isOwn);
    if (shares.length > 0) yield shares;
  }
}

/** The nicknames of the accounts that the key may read. */
export async function accountsOf(client: Client): Promise<readonly string[]> {
  const rows = await client.call(quickstats.accounts, {});
  return rows.flatMap(({ nickName }) => nickName ?? []);
}
