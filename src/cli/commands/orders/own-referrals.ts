/**
 * The shares that `cb orders list` leaves out: what an account of the key earned as the affiliate of a sale that
 * another one of its accounts made. ClickBank lists such a transaction once, with the role of the vendor.
 */
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { quickstats } from '../../../operations/quickstats.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { accountsOf } from '../../../workflows/earnings/read-transactions.ts';
import { isOwnReferral, withoutOrder } from '../../../workflows/earnings/transaction.ts';
import type { LeftOut, View } from '../../display/view.ts';

/** Notes the affiliates of sales; if one is an account of the key, its shares are missing. */
export function ownReferrals(): LeftOut {
  const found = new Map<Client, { readonly own: Promise<string[]>; readonly seen: Set<string> }>();
  const missing = new Set<string>();
  return {
    see(api, rows) {
      const names = rows.flatMap(({ role, affiliate }) =>
        role === 'VENDOR' && typeof affiliate === 'string' ? [affiliate] : [],
      );
      if (names.length === 0) return;
      const { own, seen } = found.get(api) ?? { own: accountsOnce(api), seen: new Set() };
      for (const name of names) seen.add(name);
      found.set(api, { own, seen });
    },
    async end(api) {
      const { own, seen } = found.get(api) ?? {};
      for (const name of (await own) ?? []) if (seen?.has(name)) missing.add(name);
    },
    sentences() {
      if (missing.size === 0) return [];
      const names = [...missing].sort().join(', ');
      return [
        `The list leaves out what ${names} earned as the affiliate of your own sales. Add --role AFFILIATE to list that, or use --layout accounting for both.`,
      ];
    },
  };
}

/** Asks once, while the list goes on: a note is not worth a failure or a wait. */
async function accountsOnce(api: Client): Promise<string[]> {
  const rows = await api.call(quickstats.accounts, {}, { retries: false }).catch(() => []);
  return rows.flatMap(({ nickName }) => nickName ?? []);
}

/** Reads the shares that the list leaves out after its rows. */
export function withOwnReferrals(): NonNullable<View['requests']> {
  return async (api, args) => {
    const own = await accountsOf(api).catch(onlyThisAccount);
    if (own.length < 2) return [{ args }];
    const isShare = (row: Row) => isOwnReferral(row, own);
    return [
      { args, take: (rows) => rows.filter((row) => !isShare(row)) },
      {
        args: { ...args, role: 'AFFILIATE' },
        take: (rows) => rows.filter(isShare).map(withoutOrder),
      },
    ];
  };
}

/** A key that may not list its accounts still reads its orders. */
function onlyThisAccount(error: unknown): readonly string[] {
  if (error instanceof ApiError && error.kind === 'refused') return [];
  throw error;
}
