/** Reads what the accounts of one or several keys earn. */
import { Option } from 'commander';
import { pacificDay } from '../../dates/day.ts';
import { countOf } from '../../decimals/decimals.ts';
import { type Arguments, text } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { CommandContext } from '../../shell/context.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { exitCodes, Failure, failureFrom, usage } from '../../shell/failure.ts';
import { helpGroups, type Typed } from '../../shell/options/flags.ts';
import { suggest } from '../../shell/options/nearest.ts';
import { choiceFrom } from '../../shell/options/values.ts';
import { nowFor } from '../../shell/session/session.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import {
  type Account,
  accountContexts,
  askEach,
  serviceOf,
  withAccounts,
} from '../lists/accounts.ts';
import { argumentsFrom } from '../mirror/arguments.ts';
import { comparisons, planOf } from './comparison.ts';
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

export const compareOption = new Option(
  '--compare <with>',
  `Compare with: ${comparisons.join(', ')} (default: previous; for today: week-before)`,
).helpGroup(helpGroups.filters);

/** As in `Group by day, product or country`. */
export function byOption(summary: string, values: readonly string[]): Option {
  const names = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
  return new Option('--by <field>', `${summary} ${names}`).helpGroup(helpGroups.filters);
}

export interface EarningFlags extends Typed {
  readonly period?: string;
  readonly compare?: string;
  readonly by?: string;
}

export type Asked = Awaited<ReturnType<typeof readAsked>>;

/** Reads the options with the clock of the service. Days are always Pacific days. */
export async function readAsked(
  cmd: CommandContext,
  flags: EarningFlags,
  defaultPeriod: string | undefined,
) {
  requirePacific(cmd);
  // If there are several profiles, the clock of the first one counts.
  const [first] = await accountContexts(cmd);
  const now = Math.floor((await nowFor(first)).getTime() / 1000);
  const today = pacificDay(now);
  const compared = flags.compare?.replace(/^(?:last|previous)[- ](week|month|year)$/i, '$1-before');
  const compare = choiceFrom('--compare', compared, comparisons);
  const operation = defaultPeriod === undefined ? withoutPeriod : withPeriod;
  const { period, startDate, endDate, role, account } = flags;
  const isOpen = [period, startDate, endDate].every((one) => one === undefined);
  const typed = { role, account, startDate, endDate, period: isOpen ? defaultPeriod : period };
  const { args } = await argumentsFrom(first, operation, typed, today);
  const given: Arguments<typeof withPeriod.params> = args;
  const { startDate: start = today, endDate: last = today } = given;
  return {
    plan: planOf({ first: start, last }, now, { compare, typed: typed.period }),
    role: given.role as EarningRole | undefined,
    account: given.account?.toUpperCase(),
  };
}

/**
 * Reads all profiles at the same time. An account that several of their keys may read counts for the first one. Returns
 * what each profile has earned, in the order of the profiles without those that failed, and the nicknames of all accounts
 * that were read.
 */
export async function readEarnings(
  cmd: CommandContext,
  { plan, role, account: only }: Asked,
  by: readonly Dimension[],
) {
  let each: { readonly profile: string | undefined; readonly summary: Summary }[] = [];
  let accounts: readonly string[] = [];
  await withAccounts(await accountContexts(cmd), {}, async (opened) => {
    const isNeeded = role === undefined || only !== undefined || opened.length > 1;
    // The nicknames that each key may read, as far as they have to be read.
    const readable: readonly { account: Account; answer?: readonly string[] }[] = isNeeded
      ? await askEach(cmd, opened, ({ api }) => accountsOf(api))
      : opened.map((account) => ({ account }));
    const namesIn = (some: typeof readable) => some.flatMap(({ answer = [] }) => answer);
    const names = [...new Set(namesIn(readable))];
    if (only !== undefined && names.length > 0 && !names.includes(only)) {
      throw usage(`The key can't read the account '${only}'.`, {
        hint: suggest(only, names, `Use one of ${names.join(', ')}.`),
      });
    }
    const progress = cmd.messages.watched ? startProgress(cmd, async () => undefined) : undefined;
    const read = async (account: Account) => {
      const isAlike = (one: Account) => serviceOf(one) === serviceOf(account);
      const alike = readable.filter((one) => isAlike(one.account));
      const at = alike.findIndex((one) => one.account === account);
      const others = new Set(namesIn(alike.slice(0, at)));
      const query = { plan, by, account: only, accounts: namesIn(alike) };
      const { answer: own } = alike[at] ?? {};
      const summary = await whole((onPage) =>
        summarize(account.api, query, {
          ...{ role, own },
          isOwn: (name = '') => !others.has(name),
          onPage: (rows) => {
            onPage(rows);
            progress?.add(rows);
          },
        }),
      );
      return { profile: account.profile, summary, own: own?.filter((name) => !others.has(name)) };
    };
    const contexts = readable.map(({ account }) => account);
    const answers = await askEach(cmd, contexts, read).finally(progress?.stop);
    each = answers.map(({ answer }) => answer);
    const earning = [...new Set(each.flatMap(({ summary }) => [...summary.accounts].sort()))];
    const isFiltered = role !== undefined || names.length === 0;
    // Without those of a profile that failed.
    const counted = [...new Set(answers.flatMap(({ answer }) => answer.own ?? []))];
    accounts = only ? [only] : isFiltered ? earning : counted;
  });
  return { each, accounts };
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
