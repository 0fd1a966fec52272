/** Reads what the accounts of one or several keys earn. */
import { Option } from 'commander';
import { pacificDay } from '../../dates/pacific.ts';
import { countOf } from '../../decimals/decimals.ts';
import { text } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { exitCodes } from '../../shell/exit-codes.ts';
import { Failure, failureFrom, usage } from '../../shell/failure.ts';
import { helpGroups, type Typed } from '../../shell/options/flags.ts';
import { nearest } from '../../shell/options/nearest.ts';
import { choiceFrom } from '../../shell/options/values.ts';
import { nowFor } from '../../shell/session/service-clock.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import {
  type Account,
  accountContexts,
  askEach,
  serviceOf,
  withAccounts,
} from '../lists/accounts.ts';
import { argumentsFrom } from '../mirror/arguments.ts';
import { type CompareWith, comparisons, type Plan, planOf } from './comparison.ts';
import { type Summary, summarize } from './summary.ts';
import { accountsOf, type Dimension, type EarningRole } from './transaction.ts';

const { check: _, ...list } = orders.list;
const { startDate, endDate, role } = list.params;
const own = { role, account: text('Include only this account', { names: 'account' }) };

/** What can be asked for, as an operation so that periods and choices are read as in every list. */
export const withPeriod = {
  ...list,
  check: orders.list.check,
  params: { startDate, endDate, ...own },
};
/** `cb today` has no period. */
export const withoutPeriod = { ...list, params: own };

export const compareOption = (): Option =>
  new Option(
    '--compare <with>',
    `Compare with: ${comparisons.join(', ')} (default: previous; for today: week-before)`,
  ).helpGroup(helpGroups.filters);

export function byOption(summary: string, values: readonly string[]): Option {
  return new Option('--by <field>', `${summary}: ${values.join(', ')}`).helpGroup(
    helpGroups.filters,
  );
}

export interface EarningFlags extends Typed {
  readonly period?: string;
  readonly compare?: string;
  readonly by?: string;
}

export interface Asked {
  readonly plan: Plan;
  readonly role: EarningRole | undefined;
  readonly account: string | undefined;
}

/** Reads the options with the clock of the service. Days are always Pacific days. */
export async function readAsked(
  cmd: CommandContext,
  flags: EarningFlags,
  defaultPeriod: string | undefined,
): Promise<Asked> {
  requirePacific(cmd);
  // If there are several profiles, the clock of the first one counts.
  const [first] = await accountContexts(cmd);
  const now = Math.floor((await nowFor(first)).getTime() / 1000);
  const today = pacificDay(now);
  const compare: CompareWith | undefined = choiceFrom('--compare', flags.compare, comparisons);
  const operation = defaultPeriod === undefined ? withoutPeriod : withPeriod;
  const { period, startDate, endDate, role, account } = flags;
  const isOpen = [period, startDate, endDate].every((one) => one === undefined);
  const typed = { role, account, startDate, endDate, period: isOpen ? defaultPeriod : period };
  const { args } = await argumentsFrom(first, operation, typed, today);
  const given = args as {
    readonly startDate?: string;
    readonly endDate?: string;
    readonly role?: EarningRole;
    readonly account?: string;
  };
  const start = given.startDate ?? today;
  if (start > today) {
    throw usage(`The period begins on ${start}, which is after today.`, {
      hint: 'Use a period that has begun, such as last-30-days.',
    });
  }
  return {
    plan: planOf({ first: start, last: given.endDate ?? today }, now, {
      compare,
      typed: typed.period,
    }),
    role: given.role,
    account: given.account?.toUpperCase(),
  };
}

/** What one profile has earned. */
interface Earned {
  readonly profile: string | undefined;
  readonly summary: Summary;
}

export interface AllEarned {
  /** In the order of the profiles; those that failed are left out. */
  readonly each: readonly Earned[];
  /** The nicknames of all accounts that were read. */
  readonly accounts: readonly string[];
}

/** The nicknames that a key may read, as far as they had to be read. */
interface Readable {
  readonly account: Account;
  readonly own: readonly string[] | undefined;
}

/** Reads all profiles at the same time. An account that several of their keys may read counts for the first one. */
export async function readEarnings(
  cmd: CommandContext,
  asked: Asked,
  by: readonly Dimension[],
): Promise<AllEarned> {
  const { role, account: only } = asked;
  let all: AllEarned = { each: [], accounts: [] };
  await withAccounts(await accountContexts(cmd), {}, async (opened) => {
    const isNeeded = role === undefined || only !== undefined || opened.length > 1;
    const answers = isNeeded
      ? await askEach(cmd, opened, ({ api }) => accountsOf(api))
      : opened.map((account) => ({ account, answer: undefined }));
    const readable = answers.map(({ account, answer: own }) => ({ account, own }));
    const names = [...new Set(readable.flatMap(({ own = [] }) => own))];
    if (only !== undefined) requireAccount(only, names);
    const each = await readEach(cmd, asked, by, readable);
    const earning = [...new Set(each.flatMap(({ summary }) => summary.accounts))];
    const isFiltered = role !== undefined || names.length === 0;
    all = { each, accounts: only ? [only] : isFiltered ? earning : names };
  });
  return all;
}

async function readEach(
  cmd: CommandContext,
  { plan, role, account: only }: Asked,
  by: readonly Dimension[],
  readable: readonly Readable[],
): Promise<Earned[]> {
  const progress = cmd.messages.watched ? startProgress(cmd, async () => undefined) : undefined;
  const read = (account: Account) => {
    const own = readable.find((one) => one.account === account)?.own;
    const query = { plan, by, account: only, accounts: namesOn(account, readable) };
    const others = othersOf(account, readable);
    return whole((onPage) =>
      summarize(account.api, query, {
        ...{ role, own },
        isOwn: (name = '') => !others.has(name),
        onPage: (rows) => {
          onPage(rows);
          progress?.add(rows);
        },
      }),
    );
  };
  try {
    const accounts = readable.map(({ account }) => account);
    const answers = await askEach(cmd, accounts, read);
    return answers.map(({ account: { profile }, answer }) => ({ profile, summary: answer }));
  } finally {
    progress?.stop();
  }
}

/** The accounts that an earlier key of the same service reads. */
function othersOf(account: Account, readable: readonly Readable[]): ReadonlySet<string> {
  const at = readable.findIndex((one) => one.account === account);
  const earlier = readable.slice(0, at);
  const alike = earlier.filter((one) => serviceOf(one.account) === serviceOf(account));
  return new Set(alike.flatMap(({ own = [] }) => own));
}

/** All accounts that the keys of the same service read. */
function namesOn(account: Account, readable: readonly Readable[]): string[] {
  const alike = readable.filter((one) => serviceOf(one.account) === serviceOf(account));
  return alike.flatMap(({ own = [] }) => own);
}

function requireAccount(only: string, names: readonly string[]): void {
  if (names.length === 0 || names.includes(only)) return;
  const near = nearest(only, names);
  throw usage(`The key can't read the account '${only}'.`, {
    hint: near ? `Did you mean ${near}?` : `Use one of ${names.join(', ')}.`,
  });
}

/** If a list breaks off after its first page, days are missing: the exit code is then `incomplete`. */
async function whole<T>(read: (onPage: (rows: number) => void) => Promise<T>): Promise<T> {
  let rows = 0;
  try {
    return await read((more) => {
      rows += more;
    });
  } catch (error) {
    const { code, message, hint, status } = failureFrom(error);
    const isOwn = code === exitCodes.interrupted || code === exitCodes.internal;
    if (rows === 0 || isOwn) throw error;
    const what = `No figures: the list stopped after ${countOf(rows, 'transaction')}. ${message}`;
    throw new Failure(exitCodes.incomplete, what, { hint, status, cause: error });
  }
}
