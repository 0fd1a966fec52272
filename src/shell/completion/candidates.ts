/** The values of options and arguments that completion offers. */

import { agentNames } from '../../features/agents/agent-names.ts';
import type { CompareWith } from '../../features/earnings/comparison.ts';
import { checkGroups, type SummaryGroup } from '../../features/earnings/transaction.ts';
import { presetNames } from '../../features/import/columns.ts';
import { eventTypes } from '../../features/ins/event-types.ts';
import { sources } from '../../features/sync/tables/sources.ts';
import { metricName, views } from '../../features/sync/views/views.ts';
import { origins } from '../../ledger/entry.ts';
import type { Operation, Param } from '../../operations/operation.ts';
import { formats } from '../../output/registry.ts';
import { settings } from '../session/settings.ts';
import { shells } from './shells.ts';

/** The meaning can be empty. */
export type Candidate = readonly [word: string, meaning: string];

export type Source =
  | {
      readonly kind: 'values';
      readonly values: readonly Candidate[];
      readonly several: boolean;
      readonly follows?: Param['follows'];
    }
  | { readonly kind: 'profiles' }
  /** Fields of the command's rows: any, those that are lists, or any with an order such as `receipt:desc`. */
  | { readonly kind: 'fields'; readonly of: 'any' | 'lists' | 'order' }
  | { readonly kind: 'files' }
  /** SQL: the names of tables and columns of the copy. */
  | { readonly kind: 'sql' }
  | { readonly kind: 'free' };

const free: Source = { kind: 'free' };
const profiles: Source = { kind: 'profiles' };
const files: Source = { kind: 'files' };
const lists: Source = { kind: 'fields', of: 'lists' };
const sql: Source = { kind: 'sql' };
const settingNames = values(fieldOf(settings, 'summary'));

const groups: Readonly<Record<SummaryGroup, string>> = {
  ...{ day: '', product: '', affiliate: '', 'tracking-id': '', country: '' },
  currency: 'what the customer paid with',
};
const comparisons: Readonly<Record<CompareWith, string>> = {
  previous: 'the month, quarter or year before, or the same weekdays before',
  'week-before': 'the same weekdays a week earlier',
  'month-before': 'the same dates a month earlier',
  'year-before': 'the same dates a year earlier',
};

/** For what is no parameter of an operation. A key names an option of every command, or a place of one command. */
export const ownPlaces: Readonly<Record<string, Source>> = {
  '--output': values(formats.map(({ name, summary }) => [name, summary])),
  '--profile': profiles,
  '--fields': { kind: 'fields', of: 'any' },
  '--sort': { kind: 'fields', of: 'order' },
  '--expand': lists,
  '--spread': lists,
  '--layout': values({
    orders: 'one row per transaction, without JSON',
    items: 'one row per line item',
    accounting: 'what a bookkeeper books',
    raw: 'the fields as ClickBank sends them',
  }),
  '--dates': values({
    iso: 'default',
    spreadsheet: '2026-11-21 17:44:00',
    both: 'with a column for the day',
  }),
  'export month <month>': values({ 'last-month': '', 'this-month': 'up to today' }),
  '--wire': values({ json: 'default', xml: '' }),
  '--origin': values(origins),
  '--forward': values({ plain: 'decrypted (default)', 'as-received': '' }),
  '--preset': values(presetNames),
  '--generation': values([
    ['1', 'one row per item'],
    ['2', 'one row per order'],
    ['3', 'with phone numbers (default)'],
  ]),
  '--compare': values(comparisons),
  ...earningFilters('summary', groups),
  ...earningFilters('today', groups),
  ...earningFilters('check', checkGroups),
  'api <method>': values(['GET', 'HEAD', 'POST', 'PUT', 'DELETE']),
  'completion install <shell>': values(fieldOf(shells, 'title')),
  'mcp install <program>': values(agentNames),
  'sync --tables': values(
    sources.map(({ name }) => name),
    true,
  ),
  'metrics <name>': values(views.map((view) => [metricName(view), view.summary])),
  'ins decrypt <file>': files,
  'ins verify <file>': files,
  'ins trigger <type>': values(fieldOf(eventTypes, 'meaning')),
  '--event-version': values(['6', '7', ['8', 'default']]),
  'config get <name>': settingNames,
  'config set <name>': settingNames,
  'config unset <name>': settingNames,
  'profiles remove <name>': profiles,
  'profiles use <name>': profiles,
  'sandbox exec <program>': files,
  'sql <query>': sql,
  'sql <values>': sql,
};

/** Sources by the placeholder of an option, as in `--out <file>`. */
const placeholders: Readonly<Record<string, Source>> = {
  file: files,
  date: values({
    today: 'in Pacific time',
    yesterday: '',
    tomorrow: '',
    monday: 'the last Monday, or any other weekday',
    '-7d': '7 days ago; also w, m, y',
    '+30d': 'in 30 days',
  }),
  period: values([
    ...['today', 'yesterday'],
    ['last-7-days', 'any number of days, weeks or months'],
    ...['last-30-days', 'this-week', 'last-week', 'this-month', 'last-month', 'last-3-months'],
    ...['this-quarter', 'last-quarter', 'this-year', 'last-year'],
  ]),
};

export interface Where {
  readonly command: string;
  /** `--since`, or `<receipt>` for an argument. */
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
  const found = new Map(params.flatMap((param) => Object.entries(param.values ?? {})));
  if (found.size === 0) return undefined;
  const several = params.some(({ repeatable, splits }) => repeatable || splits);
  return { ...values([...found], several), follows: params.find((one) => one.follows)?.follows };
}

/** `cb summary` and its like read the orders, but are no operations. */
function earningFilters(command: string, by: Parameters<typeof values>[0]) {
  return {
    [`${command} --by`]: values(by),
    [`${command} --role`]: values({ VENDOR: 'you sold it', AFFILIATE: 'you referred it' }),
  };
}

/** One field of each of these, by its name. */
function fieldOf<F extends string>(of: Readonly<Record<string, Record<F, string>>>, field: F) {
  return Object.entries(of).map(([name, { [field]: text }]): Candidate => [name, text]);
}

function values(
  words: Readonly<Record<string, string>> | readonly (string | Candidate)[],
  several = false,
): Extract<Source, { kind: 'values' }> {
  const all = Array.isArray(words) ? words : Object.entries(words);
  const pairs = all.map((one): Candidate => (typeof one === 'string' ? [one, ''] : one));
  return { kind: 'values', values: pairs, several };
}
