/** The service quickstats (section 4.5 of the specification). */
import { addDays } from '../../dates/day.ts';
import { instantOf } from '../../dates/pacific.ts';
import { account, quickStat, type quickstats } from '../../operations/quickstats.ts';
import type { Row } from '../../operations/resource.ts';
import { assertOrder } from '../http/arguments.ts';
import type { Call, Context, Handlers, Sent } from '../http/handlers.ts';
import { requireAccount } from '../http/keys.ts';
import { type QuickStat, sumQuickStats } from '../store/analytics.ts';

const DEFAULT_DAYS = 45;

type Search = Call<typeof quickstats.list.params>['args'];

function filterOf(search: Search, { caller, today }: Context) {
  const { startDate, endDate, account: name } = search;
  assertOrder(startDate, endDate);
  return {
    accounts: name === undefined ? caller.accounts : [requireAccount(caller, name)],
    firstDay: startDate ?? addDays(today, -DEFAULT_DAYS),
    lastDay: endDate ?? today,
  };
}

function accountRow(nickName: string, stats: readonly QuickStat[]): Sent<Row<typeof account>> {
  const quickStats = stats.map(({ day, ...stat }) => {
    return { ...stat, quickStatDate: day === null ? null : instantOf(day) };
  });
  return { nickName, quickStats };
}

const NOTHING = { day: null, sale: 0, refund: 0, chargeback: 0 };

export const quickstatsHandlers: Handlers<typeof quickstats> = {
  /** Omits accounts and days without transactions. */
  list({ db }, { args }, context) {
    const filter = filterOf(args, context);
    const stats = sumQuickStats(db, filter, true);
    return filter.accounts
      .map((name) => ({ name, own: stats.filter((stat) => stat.account === name) }))
      .filter(({ own }) => own.length > 0)
      .map(({ name, own }) => accountRow(name, own));
  },

  /** Includes accounts whose sums are 0. */
  count({ db }, { args }, context) {
    const filter = filterOf(args, context);
    const stats = sumQuickStats(db, filter, false);
    return filter.accounts.map((name) => {
      const sum = stats.find((stat) => stat.account === name);
      return accountRow(name, [sum ?? { account: name, ...NOTHING }]);
    });
  },

  accounts: (_state, _call, { caller }) => caller.accounts.map((nickName) => ({ nickName })),

  schema: () => [account, quickStat],
};
