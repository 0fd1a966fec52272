/** The commands for a copy that exists: `cb sync status`, `check`, `forget` and `reset`. */

import { existsSync } from 'node:fs';
import { addDays, type Day, daysFrom, earlier, pacificDay } from '../../../dates/day.ts';
import { groupedCount } from '../../../decimals/decimals.ts';
import { withoutPerson } from '../../../ledger/entry.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { catalogue } from '../../../operations/index.ts';
import { orders } from '../../../operations/orders.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { onePage } from '../../../output/stream.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { command } from '../../../shell/define.ts';
import { showFound, showPages } from '../../../shell/display/show.ts';
import { exitCodes, usage } from '../../../shell/failure.ts';
import { connectionOptions } from '../../../shell/help/help-text.ts';
import { ledgerOf } from '../../../shell/lock.ts';
import { nowFor, serviceDayOf, withApi } from '../../../shell/session/session.ts';
import { confirm } from '../../../shell/terminal/ask.ts';
import { requirePacific } from '../../../shell/terminal/zone.ts';
import { numeral } from '../../earnings/summary-values.ts';
import { searchPeriod } from '../../find/find-command.ts';
import { journalFile, waitingForCopy } from '../../ins/journal/own-journal.ts';
import { argumentsFrom } from '../../mirror/arguments.ts';
import { continuedAccount, endedSentence, isPartialKey } from '../access.ts';
import { accountsIn, aMoment, factsOf, stateOf, updateCopy } from '../database/copy.ts';
import { DestinationError, type Sql } from '../destination.ts';
import {
  type CopyPlace,
  openForSync,
  placeOfCopy,
  serviceLabel,
  withCopyAt,
} from '../open-copy.ts';
import { readerFor } from '../sync-account.ts';
import { checkResource, statusResource } from '../sync-report.ts';
import { sources } from '../tables/sources.ts';
import type { Days } from '../tables/table.ts';
import { type CheckResult, checkCopy, type Difference } from './check.ts';
import { findCustomer, forgetCustomer } from './forget.ts';
import { emptyCopy, statusOf } from './status.ts';

const place = {
  database: ['--database <db>', 'File or URL of the copy (default: the file of cb sync)'],
  schema: ['--schema <name>', 'Schema in PostgreSQL (default: clickbank)'],
} as const;

const yes = ['-y, --yes', 'Do not ask for confirmation'] as const;
const obeys = ['--profile', '--sandbox'] as const;
const unchanged = { unchanged: 'Nothing was changed.', hint: '' };

export const status = command({
  words: 'sync status',
  summary: 'Show what the copy holds and how old it is',
  options: place,
  shows: { rows: true, shape: () => statusResource },
  help: {
    notes: [
      'Sends no request. The oldest refresh shows when the day that has waited longest was read. Missing days have not been read yet; each run adds some of them. The lag is the time since the table was last read.',
    ],
    examples: ['cb sync status', 'cb sync status -o json'],
    obeys,
    topics: ['output'],
  },
  async run(cmd, flags, output) {
    const place = await placeOfCopy(cmd, flags.database, flags.schema);
    const now = await nowFor(cmd);
    await withCopyAt(place, async (copy) => {
      const tables = await statusOf(copy, pacificDay(now.getTime() / 1000));
      const minutesSince = (time: string) =>
        Math.floor((now.getTime() - Date.parse(time)) / 60_000);
      const rows = tables.map((table) => ({
        ...table,
        lagMinutes: table.lastRead === null ? null : minutesSince(table.lastRead),
      }));
      await showPages(cmd, output, { resource: statusResource }, onePage(rows));
      for (const account of await accountsIn(copy)) {
        const ended = endedSentence(account);
        if (ended !== undefined) cmd.messages.say(`note: ${ended}`);
      }
      const waiting = await waitingForCopy(cmd);
      if (waiting > 0) {
        cmd.messages.say(
          `note: Events of cb ins listen --sync that are not copied yet: ${waiting}.`,
        );
      }
      cmd.messages.tell(`The copy is in ${copy.label}.`);
    });
  },
});

export const check = command({
  words: 'sync check',
  summary: 'Compare the copy with ClickBank',
  parameters: [searchPeriod],
  options: place,
  shows: { rows: true, shape: () => checkResource },
  help: {
    notes: [
      'Compares the number of rows with what ClickBank counts, and what you earned by day with quickstats. Prints the days that differ and ends with exit code 8; prints nothing if all agree. Without a period, all days of the copy are compared. A year takes about 15 requests for each account and table; days that differ take a few more.',
    ],
    asks: true,
    examples: ['cb sync check', 'cb sync check --period last-30-days -o json'],
    roles: orders.list.roles,
    remarks: ['Tables that ClickBank does not count, such as tickets, are not compared.'],
    obeys: connectionOptions,
    topics: ['dates', 'exit-codes'],
  },
  async run(cmd, flags, output) {
    requirePacific(cmd);
    const place = await placeOfCopy(cmd, flags.database, flags.schema);
    const { args } = await argumentsFrom(cmd, searchPeriod, flags);
    const { startDate, endDate } = args as { startDate?: string; endDate?: string };
    let requests = 0;
    const onRequest = () => void requests++;
    await withCopyAt(place, async (sql) => {
      await withApi(cmd, { onRequest }, async (client, session) => {
        // Refuses a copy of another service.
        await factsOf(sql, serviceLabel(session));
        const reader = await readerFor(cmd, client);
        const { nicknames, today } = reader;
        const accounts = await accountsIn(sql);
        const account = continuedAccount(accounts, nicknames, { label: sql.label });
        if (!account) {
          const message = `The copy in ${sql.label} does not have this account.`;
          throw new DestinationError('missing', message);
        }
        const days = { first: startDate ?? account.firstDay, last: endDate ?? addDays(today, -1) };
        const result = await checkCopy({
          ...{ sql, sources, days, account: account.account },
          reader: { ...reader, isPartial: isPartialKey(account, nicknames) },
          state: await stateOf(sql, account.account),
        });
        const rows = result.differences.map((one) => rowOf(account.account, one));
        await showFound(cmd, output, { resource: checkResource }, rows);
        cmd.messages.say(sentenceOf(result, days, today, requests));
        if (result.differences.length > 0) cmd.endWith(exitCodes.incomplete);
      });
    });
  },
});

export const forget = command({
  words: 'sync forget',
  summary: "Remove a customer's personal data from the copy",
  options: {
    email: ['--email <email>', 'Email address of the customer, in any case'],
    dryRun: ['--dry-run', 'Show how many rows would be changed'],
    yes,
    ...place,
  },
  help: {
    notes: [
      "Removes the names, addresses and texts of a customer from all tables of the copy, and leaves them out of later syncs. The customer's transactions stay, without a person, so that sums still match. The Parquet files of the copy are rewritten. Nothing is changed at ClickBank.",
    ],
    examples: [
      'cb sync forget --email ada.sample@example.com --dry-run',
      'cb sync forget --email ada.sample@example.com --yes',
    ],
    obeys,
    effect: 'destroys',
  },
  async run(cmd, flags) {
    const email = emailFrom(flags.email);
    const place = await placeOfCopy(cmd, flags.database, flags.schema);
    await withCopyAt(place, async (sql) => {
      const { rows } = await findCustomer(sql, email);
      const tables = [...rows].map(
        ([{ name }, some]) => `${groupedCount(some.length, 'row')} of ${name}`,
      );
      const found = tables.length === 0 ? 'no rows of this customer' : tables.join(', ');
      cmd.messages.say(`Found ${found} in ${sql.label}.`);
    });
    if (flags.dryRun) {
      cmd.messages.say('Dry run: nothing was changed.');
      return;
    }
    const question = `Remove the personal data of ${email} from the copy, and keep it out?`;
    await confirm(cmd, question, { yes: flags.yes, ...unchanged });
    const at = (await nowFor(cmd)).toISOString();
    await withCopyToChange(cmd, place, async (sql) => {
      await updateCopy(sql);
      // Another sync may have written since the question.
      const current = await findCustomer(sql, email);
      const ids = [...current.rows].flatMap(([{ name }, rows]) =>
        name === 'tickets' ? rows.map(({ id }) => id) : [],
      );
      // First, because the copy knows the customer's orders only until they are forgotten.
      await blankWrites(ledgerOf(cmd.context), new Set([...current.receipts, ...ids]));
      // It loads the writer of Parquet, which most commands don't need.
      const { updateFolders } = await import('./parquet.ts');
      // Also if deleted text stays in the copy for a while.
      await forgetCustomer(sql, email, current, at).finally(() => updateFolders(cmd, sql));
    });
    cmd.messages.say(
      'Done. Later syncs leave this customer out. Backups and other copies are not changed.',
    );
    const journal = journalFile(cmd.context);
    if (existsSync(journal)) {
      const of = 'keeps the notifications that cb received, with names and addresses';
      cmd.messages.say(`note: ${journal} ${of}. If this customer is in it, delete the file.`);
    }
  },
});

function emailFrom(email: string | undefined): string {
  if (email !== undefined && /^\S+@\S+$/.test(email.trim())) return email.trim();
  const hint = 'Use the email address of the customer, such as --email ada@example.com.';
  if (email === undefined) throw usage('--email is missing.', { hint });
  throw usage(`Invalid --email '${email}'.`, { hint });
}

export const reset = command({
  words: 'sync reset',
  summary: 'Delete the copy',
  options: { yes, ...place },
  help: {
    notes: [
      'Deletes the rows of the copy, so that the next sync starts again. The list of forgotten customers stays. Nothing is changed at ClickBank.',
    ],
    examples: ['cb sync reset --yes'],
    obeys,
    effect: 'destroys',
  },
  async run(cmd, flags) {
    const place = await placeOfCopy(cmd, flags.database, flags.schema);
    const today = await serviceDayOf(cmd);
    const what = await withCopyAt(place, async (sql) => {
      const tables = await statusOf(sql, today);
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const accounts = [...new Set(tables.map(({ account }) => account))].join(', ');
      return `${sql.label} (${groupedCount(rows, 'row')}${accounts && ` of ${accounts}`})`;
    });
    await confirm(cmd, `Delete the copy in ${what}?`, { yes: flags.yes, ...unchanged });
    await withCopyToChange(cmd, place, emptyCopy);
    cmd.messages.say(`Deleted the copy in ${what}. To copy the account again, run ${place.next}.`);
  },
});

function rowOf(account: string, { table, figure, first, last, copy, service }: Difference): Row {
  const written = (value: number) => numeral(figure === 'rows' ? value : value.toFixed(2));
  return {
    ...{ account, table, figure, firstDay: first, lastDay: last },
    ...{ copy: written(copy), service: written(service), difference: written(copy - service) },
  };
}

function sentenceOf(
  { differences, comparedDays }: CheckResult,
  { first, last }: Days,
  today: Day,
  requests: number,
): string {
  const period = `from ${first} to ${last}`;
  if (comparedDays === 0) {
    return `note: The copy has no complete days ${period}. Nothing was compared.`;
  }
  const lacking = daysFrom(first, earlier(last, addDays(today, -1))).length - comparedDays;
  const rest = groupedCount(lacking, 'day');
  const lacks =
    lacking > 0 ? ` Not compared, because the copy does not have all of them: ${rest}.` : '';
  const compared = `Compared ${groupedCount(comparedDays, 'day')} with ${groupedCount(requests, 'request')}.${lacks}`;
  if (differences.length === 0) return `The copy agrees with ClickBank ${period}. ${compared}`;
  const windows = groupedCount(differences.length, 'window');
  const listed = differences.filter(({ isListed }) => isListed);
  const notes = listed.map(
    ({ table, first, last, copy, service }) =>
      ` The copy has all ${copy} ${table} that ClickBank lists from ${first} to ${last}; ClickBank counts ${service}.`,
  );
  const isAll = listed.length === differences.length;
  const remedy = isAll ? '' : ' To read such days again, use cb sync --look-back.';
  return `The copy differs from ClickBank in ${windows} ${period}. ${compared}${notes.join('')}${remedy}`;
}

/** Runs `work` with a copy that exists and that no sync writes to. */
async function withCopyToChange<T>(
  cmd: CommandContext,
  place: CopyPlace,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const sql = await openForSync(cmd, place);
  try {
    await sql.lock(aMoment);
    await sql.lockAccounts(aMoment);
    return await work(sql);
  } finally {
    await sql.close();
  }
}

/** Changes the entries about these orders, by their first receipt, and about these tickets; of `cb api`, by its path. */
async function blankWrites(ledger: Ledger, subjects: ReadonlySet<string>): Promise<void> {
  const isAbout = (subject = '') =>
    subject.split('/').some((word) => subjects.has(word.toUpperCase().split('-')[0] ?? ''));
  await ledger.alter((entry) => {
    if (!isAbout(entry.about) && !isAbout(entry.ticket)) return entry;
    const operation = catalogue.find(({ command }) => command === entry.operation);
    return withoutPerson(entry, operation?.params ?? {});
  });
}
