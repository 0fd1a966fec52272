/** The texts of `cb help TOPIC`; here those about the command line: dates, output, global options, exit codes. */

import { formats } from '../../../output/registry.ts';
import { commonFlags } from '../../runtime/argv.ts';
import { exitCodeMeanings } from '../../runtime/exit-codes.ts';
import type { Block } from '../blocks.ts';
import { credentials, environment, reasons, safety, sandbox } from './service-topics.ts';
import type { Topic } from './topics.ts';

const dates: readonly Block[] = [
  'A day is a Pacific day, because ClickBank counts days in Pacific time. With --tz, a day is the day in that time zone, and lists, counts and exports have exactly its rows. Figures that ClickBank counts by Pacific day, such as those of cb summary, quickstats and analytics, refuse --tz. Upper and lower case are the same, and so are spaces and hyphens: last-7-days and "last 7 days".',
  'Forms of a <date>:',
  {
    '2026-11-20': 'a calendar day; also 2026/11/20, 20 Nov 2026 or "Nov 20, 2026"',
    '11/20/2026': 'also a calendar day; 03/04/2026 is an error, because it could be two days',
    '20 Nov': 'without a year, the latest such day',
    'today, yesterday, tomorrow': 'counted from today',
    monday: 'any weekday: the latest one, which can be today',
    '-7d, -2w, -3m, -1y': 'days, weeks, months or years ago; also 7d or "7 days ago"',
    '+10d, +2w, +1m, +1y': 'days, weeks, months or years from now',
  },
  'Where a day must be in the future, such as --restart-date, 20 Nov, friday and 10d mean the next one.',
  'Forms of a <period>:',
  {
    'last-7-days': 'the last N days up to today; also last-N-weeks, last-N-months, last-N-years',
    '7d, 2w, 3m, 1y': 'the same in short',
    'this-week, last-week': 'weeks begin on Monday; every this- period ends today',
    'this-month, last-month': 'calendar months',
    'this-quarter, last-quarter': 'calendar quarters',
    'this-year, last-year': 'calendar years',
    '2026, 2026-Q1, 2026-03': 'a year, a quarter or a month',
    'today, 2026-11-20': 'one day, in any form of a <date>',
  },
  '--period sets both ends of a period; both days are included. --since and --until are other names for --start-date and --end-date, and a start without an end runs to today.',
  'A period that is longer than ClickBank accepts is split into several requests. No row is returned twice. Without dates, orders are those of yesterday and today.',
  'A duration, such as --max-wait, is written 200ms, 30s, 2m or 1h.',
  'Examples:',
  [
    'cb orders list --period last-month',
    'cb orders list --start-date -30d --end-date yesterday',
    'cb orders list --period 2026-Q1 --limit 3',
    'cb orders count --period today --tz Europe/Berlin',
  ],
];

const output: readonly Block[] = [
  'Results go to stdout. Notes, prompts and errors go to stderr; with -o json, an error is one JSON object.',
  'Formats (-o, --output):',
  Object.fromEntries(formats.map(({ name, summary }) => [name, summary])),
  'A table shows the most important columns that fit, some of them computed, such as youEarn; --fields and --sort accept their names in every format. Numbers in json and csv keep the digits that ClickBank sent. In csv, text that would run as a formula gets a leading apostrophe. In xlsx, times are dates, amounts have their currency, IDs are text, and orders have a sheet of line items and one of totals; it is a file that no later run can continue.',
  'Choose and shape rows:',
  {
    '--fields a,b.c': 'these columns in this order; in a narrow terminal, tables become cards',
    '--limit n': 'at most n rows',
    '--query expr': 'a JMESPath expression, applied to the whole list',
    '--expand list': 'one row for each element: --expand lineItemData gives one row per line item',
    '--spread list:2': 'csv and tsv: columns for the first 2 elements',
    '--layout name':
      'orders list: rows and columns of a file: orders (csv, xlsx), items, accounting or raw (others)',
    '--dates form':
      'csv and tsv: iso, spreadsheet (2026-11-21 17:44:00 in the zone of --tz), or both with a column for the day',
    '--text-ids': 'csv: spreadsheets keep 007 and 3/4 as text, written as ="007"',
    '--no-header': 'csv and tsv: no header line, for appending with >>',
    '--raw': 'the response as received',
    '--chart': 'quickstats and analytics: a chart instead of rows',
  },
  'csv and tsv have the same columns in every run: first the documented fields, with objects flattened, then any others. --fields, --expand and --spread accept undocumented fields too and are checked against the first rows received.',
  'On a terminal, control characters in csv, tsv, json and xml are shown as \\u001b. Pipes and files get csv, tsv and xml unchanged.',
  'Write files:',
  {
    '--out file': 'write the complete file or none; the extension selects the format',
    '--resume': 'continue an interrupted export: repeat the command with the same --out',
    '--since-last name':
      'only rows that earlier runs with this name did not return; one name for each account and set of filters',
    '--append file':
      'append the rows of --since-last to a csv, tsv or ndjson file, each exactly once, even if cb is killed',
    '--profile a,b': 'the rows of several accounts in one result; --all-profiles for all',
  },
  'Without --append, rows that were printed just before cb was killed may be printed again.',
  'Examples:',
  [
    'cb orders list --period last-month --out orders.xlsx',
    'cb orders list --period last-month --layout accounting --out books.csv',
    'cb orders list --period this-year --out year.csv --resume',
    'cb orders list --since-last sheet --append sheet.csv',
    'cb orders list --expand lineItemData --fields receipt,lineItemData.itemNo',
    "cb orders list --period last-month -o json --query '[].receipt'",
  ],
];

const globalOptions: readonly Block[] = [
  'Every command accepts these options, before or after its name. Those about requests have no effect on a command that sends none.',
  Object.fromEntries([
    ...commonFlags,
    ['-h, --help', 'Show the help of a command; with --all, every option'],
  ]),
  'A command line overrides the environment, and the environment overrides stored settings. See cb help environment and cb help credentials.',
  'Examples:',
  [
    'cb --sandbox orders list --limit 5 -o json',
    'cb orders list --profile work,shop2 --period yesterday',
    'cb orders list --help --all',
    'cb orders list --help -o json',
  ],
];

const exitCodes: readonly Block[] = [
  'Scripts can rely on these exit codes:',
  Object.fromEntries(
    // JavaScript would move keys that are integers to the front.
    Object.entries(exitCodeMeanings).map(([code, meaning]) => [code.padStart(4), meaning]),
  ),
  'With -o json, an error is one JSON object on stderr: {code, message, hint, status, next}.',
  'Examples:',
  ['cb orders active MONTHLY1 || echo ended'],
];

const texts: Readonly<Record<Topic, readonly Block[]>> = {
  dates,
  output,
  options: globalOptions,
  reasons,
  'exit-codes': exitCodes,
  environment,
  credentials,
  safety,
  sandbox,
};

export function topicBlocks(topic: Topic): readonly Block[] {
  return texts[topic];
}
