/** The service quickstats (section 4.5 of the specification). */
import { addDays, instantOf } from '../../dates/day.ts';
import { account, quickStat, type quickstats } from '../../operations/quickstats.ts';
import { assertOrder } from '../http/arguments.ts';
import type { Context, Handlers, State } from '../http/handlers.ts';
import { requireAccount } from '../http/keys.ts';
import { bindDays, PACIFIC_DAYS } from '../store/analytics.ts';
import { ONE_OF } from '../store/statements.ts';

const DEFAULT_DAYS = 45;

/** US cents, all positive; `day` is null for the sum of a whole period. */
interface QuickStat extends Readonly<Record<'sale' | 'refund' | 'chargeback', number>> {
  readonly account: string;
  readonly day: string | null;
}

/** The shares of both roles in the transactions of each day. */
const EARNINGS = ['vendor', 'affiliate']
  .map(
    (role) => `SELECT d.day, t.type, t.${role} account, t.${role}_cents cents
    FROM ${PACIFIC_DAYS} d CROSS JOIN txn t ON t.time >= d.starts AND t.time < d.ends
    WHERE t.${role} ${ONE_OF}`,
  )
  .join(' UNION ALL ');

type List = Handlers<typeof quickstats>['list'];

/** The figures of each account, excluding fees, tests, and days without transactions. */
function figuresOf(
  { db }: State,
  { args: { startDate, endDate, account: name } }: Parameters<List>[1],
  { caller, today }: Context,
  day: 'day' | 'NULL',
) {
  assertOrder(startDate, endDate);
  const names = name === undefined ? caller.accounts : [requireAccount(caller, name)];
  const days = bindDays(db, startDate ?? addDays(today, -DEFAULT_DAYS), endDate ?? today);
  const accounts = JSON.stringify(names);
  const stats = db.all<QuickStat>(
    `SELECT account, ${day} day,
       sum(iif(type IN ('SALE', 'BILL'), cents, 0)) sale,
       -sum(iif(type = 'RFND', cents, 0)) refund,
       -sum(iif(type = 'CGBK', cents, 0)) chargeback
     FROM (${EARNINGS}) WHERE type IN ('SALE', 'BILL', 'RFND', 'CGBK')
     GROUP BY 1, 2 ORDER BY 1, 2`,
    [days, accounts, days, accounts],
  );
  return names.map((nickName) => ({
    nickName,
    quickStats: stats
      .filter((stat) => stat.account === nickName)
      .map((stat) => ({ ...stat, quickStatDate: stat.day === null ? null : instantOf(stat.day) })),
  }));
}

const NOTHING = { quickStatDate: null, sale: 0, refund: 0, chargeback: 0 };

export const quickstatsHandlers: Handlers<typeof quickstats> = {
  list: (state, call, context) =>
    figuresOf(state, call, context, 'day').filter(({ quickStats }) => quickStats.length > 0),

  count: (state, call, context) =>
    figuresOf(state, call, context, 'NULL').map(({ nickName, quickStats }) => ({
      nickName,
      quickStats: quickStats.length > 0 ? quickStats : [NOTHING],
    })),

  accounts: (_state, _call, { caller }) => caller.accounts.map((nickName) => ({ nickName })),

  schema: () => [account, quickStat],
};
