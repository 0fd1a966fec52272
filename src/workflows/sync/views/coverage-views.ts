/** Which months a copy has as a whole, for people who write SQL. `missing-days.ts` is the same for `cb metrics`. */
import {
  accountColumn,
  type CopyView,
  type DialectWords,
  monthColumn,
  viewColumn,
} from './view.ts';

/** A day or a list that was read with all nicknames of its account. */
const hasNicknames = (sql: DialectWords, table: string) =>
  `NOT EXISTS (SELECT 1 FROM sync_accounts WHERE sync_accounts.account = ${table}.account
    AND sync_accounts.nicknames <> ${table}.nicknames
    AND NOT ${sql.hasAll(`${table}.nicknames`, 'sync_accounts.nicknames')})`;

const completeMonths: CopyView = {
  name: 'complete_months',
  summary: 'Months of which every day was read after it ended, with all nicknames of the account',
  columns: [
    accountColumn,
    viewColumn('source', 'text', 'orders, analytics_days or another table that is read by day'),
    monthColumn,
  ],
  select: (sql) => `WITH RECURSIVE listed AS (
  SELECT subscriptions.account, sync_reads.source, ${sql.monthOf('min(start_day)')} AS month,
    ${sql.pacificDayOf('sync_reads.synced_at')} AS read_day
  FROM subscriptions
  JOIN sync_reads ON sync_reads.account = subscriptions.account AND sync_reads.source = 'subscriptions'
  WHERE start_day IS NOT NULL AND ${hasNicknames(sql, 'sync_reads')}
  GROUP BY subscriptions.account, sync_reads.source, sync_reads.synced_at
  UNION ALL
  SELECT account, source, ${sql.nextMonth('month')}, read_day FROM listed
  WHERE ${sql.nextMonth('month')} < read_day
)
SELECT account, source, month
FROM (SELECT account, source, day, ${sql.monthOf('day')} AS month,
    ${sql.pacificDayOf('synced_at')} AS read_day
  FROM sync_days
  WHERE ${hasNicknames(sql, 'sync_days')}) AS days
WHERE day < read_day
GROUP BY account, source, month
HAVING count(*) = ${sql.daysIn('month')}
UNION ALL
SELECT account, source, month FROM listed WHERE ${sql.nextMonth('month')} <= read_day`,
  order: 'source, month, account',
  charts: [],
};

export const coverageViews: readonly CopyView[] = [completeMonths];
