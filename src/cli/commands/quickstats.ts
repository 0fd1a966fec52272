/** `cb quickstats …` */
import type { Command } from 'commander';
import { quickstats } from '../../operations/quickstats.ts';
import { decimal, resource, text, time } from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows.ts';
import { addEndpoint } from '../endpoint-command.ts';
import type { Call } from '../shell.ts';
import type { View } from '../show.ts';
import { sumsOf } from '../sums.ts';

const amounts = ['sale', 'refund', 'chargeback'] as const;

/** A row a day and account; in a count the day is null. */
const dailyStats = resource('dailyStats', ['quickStatDate', 'nickName', ...amounts], {
  quickStatDate: time,
  nickName: text,
  sale: decimal,
  refund: decimal,
  chargeback: decimal,
});

/** An account with its days, as a row for each of them. */
function daysOf(accounts: readonly Row[]): Row[] {
  return accounts.flatMap(({ nickName, quickStats }) =>
    (quickStats as readonly Row[]).map(
      ({ quickStatDate, ...stats }): Row => ({ quickStatDate, nickName, ...stats }),
    ),
  );
}

const view = (): View => ({
  resource: dailyStats,
  reshape: daysOf,
  summing: () => sumsOf(amounts, { nickName: 'TOTAL' satisfies Value }),
});

export function addQuickstats(group: Command, call: Call): void {
  addEndpoint(group, call, quickstats.list, { view });
  addEndpoint(group, call, quickstats.count, { view });
  addEndpoint(group, call, quickstats.accounts);
  addEndpoint(group, call, quickstats.schema);
}
