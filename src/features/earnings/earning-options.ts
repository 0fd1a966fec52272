/** The options of `cb summary`, `cb today` and `cb check`: which transactions count, and how they are grouped. */
import { Option } from 'commander';
import { pacificDay } from '../../dates/pacific.ts';
import { text } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { usage } from '../../shell/failure.ts';
import { helpGroups, type Typed } from '../../shell/options/flags.ts';
import { nearest } from '../../shell/options/nearest.ts';
import { nowFor } from '../../shell/session/service-clock.ts';
import { requirePacific } from '../../shell/terminal/zone.ts';
import { accountContexts } from '../lists/accounts.ts';
import { argumentsFrom } from '../mirror/arguments.ts';
import { type CompareWith, comparisons, type Plan, planOf } from './comparison.ts';
import type { EarningRole } from './read-transactions.ts';

const { check: _, ...list } = orders.list;
const { startDate, endDate, role } = list.params;
const own = { role, account: text('Only this account of the key', { names: 'account' }) };

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

/** Returns the value that was typed for an option, in any case. Throws a usage failure that names the choices. */
export function choiceFrom<T extends string>(
  flag: string,
  typed: string | undefined,
  values: readonly T[],
): T | undefined {
  if (typed === undefined) return undefined;
  const words = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const found = values.find((value) => value === words || `${value}s` === words);
  if (found) return found;
  const near = nearest(words, values);
  throw usage(`Invalid ${flag} '${typed}'.`, {
    hint: near ? `Did you mean ${near}?` : `Use one of ${values.join(', ')}.`,
  });
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
  const typed = typedOf(flags, defaultPeriod);
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

function typedOf(
  { period, startDate, endDate, role, account }: EarningFlags,
  defaultPeriod: string | undefined,
): Typed & { readonly period?: string | undefined } {
  const isOpen = [period, startDate, endDate].every((one) => one === undefined);
  return { role, account, startDate, endDate, period: isOpen ? defaultPeriod : period };
}
