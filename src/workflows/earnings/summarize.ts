/** Reads the transactions of a plan with one key, and adds them up. */
import type { Client } from '../../client/client.ts';
import { listsOf } from './comparison.ts';
import { type EarningRole, readTransactions } from './read-transactions.ts';
import { Summary, type SummaryQuery } from './summary.ts';
import { earningAccount, type Transaction } from './transaction.ts';

export interface Reading {
  readonly role?: EarningRole | undefined;
  /** The accounts of the key, if they are known. */
  readonly own?: readonly string[] | undefined;
  /** Whether the shares of an account are counted with this key, and not with another one that reads them, too. */
  isOwn?(account: string | undefined): boolean;
  /** Called for each page, with its number of transactions. */
  onPage?(rows: number): void;
}

/** Reads days that follow each other in one list, and other days at the same time in a second one. */
export async function summarize(
  client: Client,
  query: SummaryQuery,
  { role, own, isOwn = () => true, onPage }: Reading,
): Promise<Summary> {
  const summary = new Summary(query);
  const stop = new AbortController();
  const isCounted = (row: Transaction) => isOwn(earningAccount(row));
  const reads = listsOf(query.plan).map(async (days) => {
    const pages = readTransactions(client, { days, role, accounts: own, signal: stop.signal });
    for await (const rows of pages) {
      for (const row of rows.filter(isCounted)) summary.add(row);
      onPage?.(rows.length);
    }
  });
  try {
    await Promise.all(reads);
  } finally {
    // If one list fails, the other one is useless.
    stop.abort();
    await Promise.allSettled(reads);
  }
  return summary;
}
