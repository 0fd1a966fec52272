/** `cb sync check`: prints the days in which the copy differs from the service, and nothing if it agrees. */
import { addDays } from '../../../dates/day.ts';
import { pacificDay } from '../../../dates/pacific.ts';
import { groupedCount } from '../../../decimals/decimals.ts';
import type { Row } from '../../../output/rows/rows.ts';
import {
  type CopiedAccount,
  continuedAccount,
  isPartialKey,
} from '../../../workflows/sync/access.ts';
import { accountsIn, factsOf, requireService } from '../../../workflows/sync/database/copy.ts';
import type { SqlReader } from '../../../workflows/sync/database/sql.ts';
import { stateOf } from '../../../workflows/sync/database/sql-destination.ts';
import { DestinationError } from '../../../workflows/sync/destination.ts';
import type { Days } from '../../../workflows/sync/tables/source.ts';
import { sources } from '../../../workflows/sync/tables/sources.ts';
import { checkCopy as compare, type Difference } from '../../../workflows/sync/upkeep/check.ts';
import { onePage, showPages, showValue } from '../../display/show.ts';
import { numeral } from '../../earnings/summary-values.ts';
import { argumentsFrom } from '../../endpoint/arguments.ts';
import { searchPeriod } from '../../find/search-period.ts';
import type { Typed } from '../../flags/flags.ts';
import type { OutputOptions } from '../../flags/show-flags.ts';
import type { CommandContext } from '../../runtime/command-context.ts';
import { exitCodes } from '../../runtime/exit-codes.ts';
import { serviceNow } from '../../session/clock-difference.ts';
import { withApi } from '../../session/session.ts';
import { requirePacific } from '../../terminal/zone.ts';
import { withCopyAt } from '../open-copy.ts';
import { serviceLabel } from '../place.ts';
import { nicknamesOf } from '../sync-account.ts';
import { checkResource } from '../sync-resources.ts';
import { type CopyFlags, placeNamed, requireCopy } from './copy-to-change.ts';

export async function checkCopy(
  cmd: CommandContext,
  flags: CopyFlags & Typed,
  output: OutputOptions,
): Promise<void> {
  requirePacific(cmd);
  const place = await placeNamed(cmd, flags);
  const { args } = await argumentsFrom(cmd, searchPeriod, flags);
  const { startDate, endDate } = args as { startDate?: string; endDate?: string };
  let requests = 0;
  const onRequest = () => {
    requests += 1;
  };
  await withCopyAt(place, async (sql) => {
    await requireCopy(sql);
    await withApi(cmd, { onRequest }, async (client, session) => {
      const facts = await factsOf(sql);
      if (facts) requireService(sql, facts, serviceLabel(session));
      const nicknames = await nicknamesOf(client);
      const account = await accountIn(sql, nicknames);
      const today = pacificDay(serviceNow(cmd.context).getTime() / 1000);
      const days = { first: startDate ?? account.firstDay, last: endDate ?? addDays(today, -1) };
      const { differences, comparedDays } = await compare({
        ...{ sql, sources, days, account: account.account },
        reader: {
          ...{ client, nicknames, today, signal: cmd.context.signal },
          isPartial: isPartialKey(account, nicknames),
        },
        state: await stateOf(sql, account.account),
      });
      await show(
        cmd,
        output,
        differences.map((one) => rowOf(account.account, one)),
      );
      cmd.messages.say(sentenceOf({ differences, comparedDays, days, requests }));
      if (differences.length > 0) cmd.endWith(exitCodes.incomplete);
    });
  });
}

async function accountIn(sql: SqlReader, nicknames: readonly string[]): Promise<CopiedAccount> {
  const account = continuedAccount(await accountsIn(sql), nicknames, { label: sql.label });
  if (account) return account;
  throw new DestinationError('missing', `The copy in ${sql.label} does not have this account.`, {
    hint: 'Copy it with `cb sync`.',
  });
}

/** Nothing is printed if all agree, except a complete document. */
async function show(
  cmd: CommandContext,
  output: OutputOptions,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length > 0 || output.out !== undefined) {
    await showPages(cmd, output, { resource: checkResource }, onePage(rows));
  } else if (output.format === 'json') await showValue(cmd, output, []);
}

function rowOf(account: string, { table, figure, first, last, copy, service }: Difference): Row {
  const written = (value: number) => numeral(figure === 'rows' ? value : value.toFixed(2));
  return {
    ...{ account, table, figure, firstDay: first, lastDay: last },
    ...{ copy: written(copy), service: written(service), difference: written(copy - service) },
  };
}

interface Checked {
  readonly differences: readonly Difference[];
  readonly comparedDays: number;
  readonly days: Days;
  readonly requests: number;
}

function sentenceOf({ differences, comparedDays, days, requests }: Checked): string {
  const costs = `with ${groupedCount(requests, 'request')}`;
  const period = `from ${days.first} to ${days.last}`;
  if (comparedDays === 0)
    return `note: The copy has no complete days ${period}. Nothing was compared.`;
  if (differences.length === 0) {
    return `The copy agrees with ClickBank ${period}. Compared ${groupedCount(comparedDays, 'day')} ${costs}.`;
  }
  const windows = groupedCount(differences.length, 'window');
  const listed = differences.filter(({ isListed }) => isListed);
  const remedy =
    listed.length === differences.length
      ? ''
      : ' To read such days again, use cb sync --look-back.';
  const notes = listed.map(
    ({ table, first, last, copy, service }) =>
      ` The copy has all ${copy} ${table} that ClickBank lists from ${first} to ${last}; ClickBank counts ${service}.`,
  );
  return `The copy differs from ClickBank in ${windows} ${period}. Compared ${groupedCount(comparedDays, 'day')} ${costs}.${notes.join('')}${remedy}`;
}
