/** The values of options and arguments that completion offers. */

import type { CompareWith } from '../../features/earnings/comparison.ts';
import type { checkGroups, SummaryGroup } from '../../features/earnings/transaction.ts';
import { presetNames } from '../../features/import/columns.ts';
import { eventTypes } from '../../features/ins/event-types.ts';
import { origins } from '../../ledger/entry.ts';
import type { Operation, Param } from '../../operations/operation.ts';
import { formats } from '../../output/registry.ts';
import { settings } from '../session/settings.ts';
import { shells } from './shells.ts';

/** The meaning can be empty. */
export type Candidate = readonly [word: string, meaning: string];

export type Source =
  | { readonly kind: 'values'; readonly values: readonly Candidate[]; readonly several: boolean }
  /** The names of the stored profiles. */
  | { readonly kind: 'profiles' }
  /** Fields of the command's rows: any, those that are lists, or any with an order such as `receipt:desc`. */
  | { readonly kind: 'fields'; readonly of: 'any' | 'lists' | 'order' }
  | { readonly kind: 'files' }
  /** SQL: the names of tables and columns of the copy. */
  | { readonly kind: 'sql' }
  /** Any text. */
  | { readonly kind: 'free' };

const free: Source = { kind: 'free' };
const profiles: Source = { kind: 'profiles' };
const settingNames = valuesOf(
  Object.entries(settings).map(([name, { summary }]) => [name, summary]),
);

type CheckGroup = (typeof checkGroups)[number];

/** Only the types are imported, because completion loads as little code as possible. */
const groups: Readonly<Record<SummaryGroup, string>> = {
  ...{ day: '', product: '', affiliate: '', 'tracking-id': '', country: '' },
  currency: 'what the customer paid with',
};

/**
 * Sources for options and arguments that are not parameters of an operation. A key names an option of every
 * command, or an option or argument of one command.
 */
export const ownPlaces: Readonly<Record<string, Source>> = {
  '--output': valuesOf(formats.map(({ name, summary }) => [name, summary])),
  '--profile': profiles,
  '--fields': { kind: 'fields', of: 'any' },
  '--sort': { kind: 'fields', of: 'order' },
  '--expand': { kind: 'fields', of: 'lists' },
  '--spread': { kind: 'fields', of: 'lists' },
  '--layout': valuesOf([
    ['orders', 'one row per transaction, without JSON'],
    ['items', 'one row per line item'],
    ['accounting', 'what a bookkeeper books'],
    ['raw', 'the fields as ClickBank sends them'],
  ]),
  '--dates': valuesOf([
    ['iso', 'default'],
    ['spreadsheet', '2026-11-21 17:44:00'],
    ['both', 'with a column for the day'],
  ]),
  'export month <month>': valuesOf([
    ['last-month', ''],
    ['this-month', 'up to today'],
  ]),
  '--wire': valuesOf([
    ['json', 'default'],
    ['xml', ''],
  ]),
  '--origin': valuesOf(origins.map((name) => [name, ''])),
  '--forward': valuesOf([
    ['plain', 'decrypted (default)'],
    ['as-received', ''],
  ]),
  '--preset': valuesOf(presetNames.map((name) => [name, ''])),
  '--generation': valuesOf([
    ['1', 'one row per item'],
    ['2', 'one row per order'],
    ['3', 'with phone numbers (default)'],
  ]),
  '--compare': meaning<CompareWith>({
    previous: 'the month, quarter or year before, or the same weekdays before',
    'week-before': 'the same weekdays a week earlier',
    'month-before': 'the same dates a month earlier',
    'year-before': 'the same dates a year earlier',
  }),
  ...earningFilters('summary', meaning(groups)),
  ...earningFilters('today', meaning(groups)),
  ...earningFilters('check', meaning<CheckGroup>({ affiliate: '', product: '' })),
  'api <method>': valuesOf(['GET', 'HEAD', 'POST', 'PUT', 'DELETE'].map((name) => [name, ''])),
  'completion install <shell>': valuesOf(
    Object.entries(shells).map(([name, { title }]) => [name, title]),
  ),
  'ins decrypt <file>': { kind: 'files' },
  'ins verify <file>': { kind: 'files' },
  'ins trigger <type>': valuesOf(
    Object.entries(eventTypes).map(([type, { meaning }]) => [type, meaning]),
  ),
  '--event-version': valuesOf([
    ['6', ''],
    ['7', ''],
    ['8', 'default'],
  ]),
  'config get <name>': settingNames,
  'config set <name>': settingNames,
  'config unset <name>': settingNames,
  'profiles remove <name>': profiles,
  'profiles use <name>': profiles,
  'sandbox exec <program>': { kind: 'files' },
  'sql <query>': { kind: 'sql' },
  'sql <values>': { kind: 'sql' },
};

/** Sources by the placeholder of an option, as in `--out <file>`. */
const placeholders: Readonly<Record<string, Source>> = {
  file: { kind: 'files' },
  date: valuesOf([
    ['today', 'in Pacific time'],
    ['yesterday', ''],
    ['tomorrow', ''],
    ['monday', 'the last Monday, or any other weekday'],
    ['-7d', '7 days ago; also w, m, y'],
    ['+30d', 'in 30 days'],
  ]),
  period: valuesOf([
    ['today', ''],
    ['yesterday', ''],
    ['last-7-days', 'any number of days, weeks or months'],
    ['last-30-days', ''],
    ['this-week', ''],
    ['last-week', ''],
    ['this-month', ''],
    ['last-month', ''],
    ['last-3-months', ''],
    ['this-quarter', ''],
    ['last-quarter', ''],
    ['this-year', ''],
    ['last-year', ''],
  ]),
};

export interface Where {
  readonly command: string;
  /** `--start-date`, or `<receipt>` for an argument. */
  readonly written: string;
  /** The name of the parameter, if it is one. */
  readonly name: string;
  readonly placeholder: string;
}

/** `operations` are those of the command; a command with several has an option that selects one. */
export function sourceAt(where: Where, operations: readonly Operation[]): Source {
  const own = ownPlaces[`${where.command} ${where.written}`] ?? ownPlaces[where.written];
  const params = operations.flatMap(({ params }) => params[where.name] ?? []);
  return own ?? fromParams(params) ?? placeholders[where.placeholder] ?? free;
}

function fromParams(params: readonly Param[]): Source | undefined {
  const values = new Map(params.flatMap(({ values }) => Object.entries(values ?? {})));
  if (values.size === 0) return undefined;
  const several = params.some(({ repeatable, splits }) => repeatable || splits);
  return valuesOf([...values], several);
}

/** `cb summary` and its like read the orders, but are no operations. */
function earningFilters(command: string, by: Source): Record<string, Source> {
  return {
    [`${command} --by`]: by,
    [`${command} --role`]: meaning({ VENDOR: 'you sold it', AFFILIATE: 'you referred it' }),
  };
}

function meaning<Word extends string>(words: Readonly<Record<Word, string>>): Source {
  return valuesOf(Object.entries(words));
}

function valuesOf(values: readonly Candidate[], several = false): Source {
  return { kind: 'values', values, several };
}
