/** What a sync says at its end, on stderr, and its rows for programs. */

import { grouped, groupedCount } from '../../decimals/decimals.ts';
import * as field from '../../operations/resource.ts';
import type { Row } from '../../output/rows/rows.ts';
import type { CommandContext } from '../../shell/context.ts';
import { exitCodes } from '../../shell/failure.ts';
import type { SyncProblem } from './run.ts';
import { requestsOfADay, type SyncedAccount } from './sync-account.ts';
import type { AskedSync } from './sync-options.ts';

/** Writes the summary of an account, and sets the exit code if something is missing. */
export function reportSync(
  cmd: CommandContext,
  { account, result, lost, requests, requestsLeftToday }: SyncedAccount,
  { maxRequests }: AskedSync,
  place: string,
): void {
  const { messages } = cmd;
  const warn = ({ source, days, error }: SyncProblem, outcome: string) => {
    const period = days ? ` from ${days.first} to ${days.last}` : '';
    const what = error.message.replace(/\.$/, '');
    messages.say(`warning: ${source}${period}: ${what}. ${outcome}`);
  };
  for (const problem of result.problems) warn(problem, 'The copy keeps what it had.');
  for (const mismatch of result.mismatches) {
    warn(mismatch, 'The copy has the listed rows. To see such days, use cb sync check.');
  }
  // Rows that are all gone are more likely an error of the service than the truth.
  for (const { source, rows, rowsBefore } of result.sources) {
    if (rows > 0 || rowsBefore === 0) continue;
    const had = groupedCount(rowsBefore, 'row');
    messages.say(
      `warning: ClickBank listed no ${source} for days of which the copy had ${had}. They are no longer in the copy.`,
    );
  }
  if (lost !== undefined) {
    messages.say(
      `warning: ${lost}. Their rows stay as they are. If this access has ended, run cb sync once with --accept-access.`,
    );
  }
  const refused = result.refusals.map(({ source }) => source).join(', ');
  if (refused !== '') {
    messages.say(`note: Not copied, because the API key lacks the permission: ${refused}.`);
  }
  const rows = groupedCount(result.rows, 'row');
  messages.say(
    `Copied ${rows} of ${account} to ${place} with ${groupedCount(requests, 'request')}.`,
  );
  if (result.outcome === 'stopped') {
    const are = result.requestsLeft === 1 ? 'is' : 'are';
    const left = `About ${groupedCount(result.requestsLeft, 'request')} ${are} left`;
    messages.say(
      maxRequests === undefined
        ? `Stopped, because ${requestsOfADay} requests were sent on this Pacific day. ${left}: the next cb sync after midnight continues.`
        : `Stopped at --max-requests ${maxRequests}. ${left}: the next cb sync continues.`,
    );
    if (maxRequests === undefined) cmd.endWith(exitCodes.incomplete);
  } else if (maxRequests === undefined) {
    const left = groupedCount(requestsLeftToday, 'request');
    messages.tell(`${left} of ${grouped(requestsOfADay)} can still be sent today.`);
  }
  if (result.outcome === 'incomplete' || lost !== undefined) cmd.endWith(exitCodes.incomplete);
}

export function rowsOfSync({ account, result, lost }: SyncedAccount): Row[] {
  const said = [...result.problems, ...result.refusals, ...result.mismatches];
  return result.sources.map(({ source, outcome, rows, windows, requests }) => ({
    ...{ account, table: source, rows, windows, requests },
    outcome: lost !== undefined && outcome === 'complete' ? 'incomplete' : outcome,
    message: said.find((one) => one.source === source)?.error.message ?? lost ?? null,
  }));
}

const { alike, decimal, headed, integer, naming, nillable, resource, text } = field;

/** A table shows all fields, in this order. */
function resourceOf(
  element: string,
  fields: Readonly<Record<string, field.Field>>,
): field.Resource {
  return { element, headline: Object.keys(fields), fields };
}

const account = { account: naming('account', text), table: text };

export const syncedResource = resourceOf('table', {
  ...account,
  outcome: text,
  ...alike(integer, 'rows', 'windows', 'requests'),
  message: nillable(text),
});

export const planResource = resourceOf('table', {
  ...account,
  reason: text,
  ...alike(nillable(field.day), 'firstDay', 'lastDay'),
  ...alike(integer, 'windows', 'rows', 'requests'),
  minutes: decimal,
});

export const statusResource = resource(
  'table',
  [
    ...(['account', 'table', 'rows', 'newestDay', 'oldestRefresh'] as const),
    ...(['missingDays', 'lastRead', 'lagMinutes', 'lastRun', 'outcome'] as const),
  ],
  {
    ...account,
    ...alike(integer, 'rows', 'missingDays'),
    newestDay: nillable(field.day),
    ...alike(nillable(field.time), 'oldestRefresh', 'lastRead', 'lastRun'),
    lagMinutes: headed('Lag (min)', nillable(integer)),
    outcome: headed('Last outcome', nillable(text)),
  },
);

export const checkResource = resourceOf('window', {
  ...account,
  figure: text,
  ...alike(field.day, 'firstDay', 'lastDay'),
  ...alike(decimal, 'copy', 'service', 'difference'),
});
