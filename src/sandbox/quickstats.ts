/** The service quickstats (section 4.5 of the specification). */

import { addDays } from '../dates/day.ts';
import { instantOf, pacificTime } from '../dates/pacific.ts';
import { account, quickStat, type quickstats } from '../operations/quickstats.ts';
import type { Row } from '../operations/resource.ts';
import type { Context, Handlers, Sent } from './handlers.ts';
import { moneyText } from './money.ts';
import { requireAccount } from './own-account.ts';
import { insist } from './refusal.ts';
import { type QuickStat, type QuickStatFilter, sumQuickStats } from './store/quickstat.ts';

const DEFAULT_DAYS = 45;

interface Search {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly account?: string | undefined;
}

function filterOf(search: Search, { caller, today }: Context): Omit<QuickStatFilter, 'byDay'> {
  const { startDate, endDate } = search;
  const backwards = startDate !== undefined && endDate !== undefined && endDate < startDate;
  insist(!backwards, 400, 'The parameter endDate must not lie before startDate.');
  return {
    accounts:
      search.account === undefined ? caller.accounts : [requireAccount(caller, search.account)],
    firstDay: startDate ?? addDays(today, -DEFAULT_DAYS),
    lastDay: endDate ?? today,
  };
}

function answerStat({ day, sale, refund, chargeback }: QuickStat) {
  return {
    quickStatDate: day === null ? null : pacificTime(instantOf(day)),
    sale: moneyText(sale),
    refund: moneyText(refund),
    chargeback: moneyText(chargeback),
  };
}

function answerAccount(nickName: string, stats: readonly QuickStat[]): Sent<Row<typeof account>> {
  return { nickName, quickStats: stats.map(answerStat) };
}

const NOTHING = { day: null, sale: 0, refund: 0, chargeback: 0 };

export const quickstatsHandlers: Handlers<typeof quickstats> = {
  /** Accounts and days without transactions are left out. */
  list({ db }, { args }, context) {
    const filter = filterOf(args, context);
    const stats = sumQuickStats(db, { ...filter, byDay: true });
    return filter.accounts
      .map((name) => ({ name, own: stats.filter((stat) => stat.account === name) }))
      .filter(({ own }) => own.length > 0)
      .map(({ name, own }) => answerAccount(name, own));
  },

  /** Every account has its sum, be it zero. */
  count({ db }, { args }, context) {
    const filter = filterOf(args, context);
    const stats = sumQuickStats(db, { ...filter, byDay: false });
    return filter.accounts.map((name) => {
      const sum = stats.find((stat) => stat.account === name);
      return answerAccount(name, [sum ?? { account: name, ...NOTHING }]);
    });
  },

  accounts: (_state, _call, { caller }) => caller.accounts.map((nickName) => ({ nickName })),

  schema: () => [account, quickStat],
};
