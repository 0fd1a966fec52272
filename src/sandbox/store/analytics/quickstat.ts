/** Sums of sales, refunds, and chargebacks by account and Pacific day. */
import type { Database } from '../../../storage/sqlite.ts';
import { bindDays, PACIFIC_DAYS } from '../pacific-days.ts';

/** US cents, all positive; `day` is null for the sum of a whole period. */
export interface QuickStat {
  readonly account: string;
  readonly day: string | null;
  readonly sale: number;
  readonly refund: number;
  readonly chargeback: number;
}

export interface QuickStatFilter {
  readonly accounts: readonly string[];
  readonly firstDay: string;
  readonly lastDay: string;
  readonly byDay: boolean;
}

/** The share of one role in the transactions of each day. */
function earnings(role: 'vendor' | 'affiliate'): string {
  return `SELECT d.day, t.type, t.${role} account, t.${role}_cents cents
    FROM ${PACIFIC_DAYS} d CROSS JOIN txn t ON t.time >= d.starts AND t.time < d.ends
    WHERE t.${role} IN (SELECT value FROM json_each(?))`;
}

const BOTH_ROLES = `${earnings('vendor')} UNION ALL ${earnings('affiliate')}`;

/** Excludes fees and tests, and days and accounts without transactions. */
export function sumQuickStats(db: Database, filter: QuickStatFilter): QuickStat[] {
  const days = bindDays(db, filter.firstDay, filter.lastDay);
  const accounts = JSON.stringify(filter.accounts);
  return db.all<QuickStat>(
    `SELECT account, ${filter.byDay ? 'day' : 'NULL'} day,
       sum(iif(type IN ('SALE', 'BILL'), cents, 0)) sale,
       -sum(iif(type = 'RFND', cents, 0)) refund,
       -sum(iif(type = 'CGBK', cents, 0)) chargeback
     FROM (${BOTH_ROLES}) WHERE type IN ('SALE', 'BILL', 'RFND', 'CGBK')
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [days, accounts, days, accounts],
  );
}
