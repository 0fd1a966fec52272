/** The texts of `cb help TOPIC`. */
import { catalogue } from '../../operations/index.ts';
import type { Role } from '../../operations/operation.ts';
import { reasonsOf } from '../../operations/tickets.ts';
import { formats } from '../../output/registry.ts';
import { commonFlags } from '../argv.ts';
import { exitCodeMeanings } from '../failure.ts';
import type { Block } from './blocks.ts';
import type { Topic } from './topics.ts';

const dates: readonly Block[] = [
  'A day is a Pacific day, because ClickBank counts days in Pacific time. With --tz, a day is the day in that time zone, and lists, counts and exports have exactly its rows. Figures that ClickBank counts by Pacific day, such as those of cb summary, quickstats and analytics, refuse --tz. Case does not matter, and a space can stand for a hyphen: last-7-days or "last 7 days".',
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
  'For an option that needs a future day, such as --restart-date, the words 20 Nov, friday and 10d mean the next such day.',
  'Forms of a <period>:',
  {
    'last-7-days': 'the last N days up to today; also last-N-weeks, last-N-months, last-N-years',
    '7d, 2w, 3m, 1y': 'short forms of these',
    'this-week, last-week': 'weeks begin on Monday; every this- period ends today',
    'this-month, last-month': 'calendar months',
    'this-quarter, last-quarter': 'calendar quarters',
    'this-year, last-year': 'calendar years',
    '2026, 2026-Q1, 2026-03': 'a year, a quarter or a month',
    'today, 2026-11-20': 'one day, in any form of a <date>',
  },
  '--period sets both ends of a period; both days are included. --since and --until set them one by one, and --since alone runs to today.',
  'A period that is longer than ClickBank accepts is split into several requests. No row is returned twice. Without dates, cb orders list returns yesterday and today.',
  'Durations, as in --max-wait, are written 200ms, 30s, 2m or 1h.',
  'Examples:',
  [
    'cb orders list --period last-month',
    'cb orders list --since -30d --until yesterday',
    'cb orders list --period 2026-Q1 --limit 3',
    'cb orders count --period today --tz Europe/Berlin',
  ],
];

const output: readonly Block[] = [
  'Results go to stdout. Notes, prompts and errors go to stderr; with -o json, an error is one JSON object.',
  'Formats (-o, --output):',
  Object.fromEntries(formats.map(({ name, summary }) => [name, summary])),
  "A table shows the most important columns that fit, some of them computed, such as youEarn; --fields and --sort accept their names in every format. Numbers in json and csv keep the digits that ClickBank sent. In csv, text that a spreadsheet would treat as a formula gets a leading apostrophe. In xlsx, times are dates, amounts have their currency, IDs are text, and orders have a sheet of line items and one of totals, and a workbook can't be resumed. In parquet, columns have types, and nothing is rounded.",
  'Choose and shape rows:',
  {
    '--fields a,b.c': 'these columns in this order; in a narrow terminal, tables become cards',
    '--fields help': 'lists the columns of a command, without a request',
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

const reasons: readonly Block[] = [
  'A ticket needs a reason that matches its type. Pass its code, its number, or words that match only one meaning to --reason.',
  'Refunds (--type rfnd):',
  Object.fromEntries(reasonsOf('rfnd')),
  'Cancellations (--type cncl):',
  Object.fromEntries(reasonsOf('cncl')),
  'Technical support (--type tech):',
  Object.fromEntries(reasonsOf('tech')),
  'On a terminal, cb tickets create asks for a missing reason.',
  'Examples:',
  [
    'cb tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 --dry-run',
    'cb tickets create PARCEL01 --type tech --reason ticket.type.tech_support.10 --dry-run',
  ],
];

const environment: readonly Block[] = [
  'Environment variables that cb reads:',
  {
    CB_API_KEY: 'API key to use; overrides stored profiles, but not --profile',
    CB_BASE_URL: 'service that CB_API_KEY belongs to (default: ClickBank)',
    CB_PROFILE: 'profile to use, if --profile is not given',
    CB_INS_SECRET: 'secret of instant notifications; tried before the stored ones',
    HTTPS_PROXY: 'proxy for requests; ALL_PROXY and lower-case names work too',
    NO_PROXY: 'hosts and domains to reach without a proxy, separated by commas; * for all',
    NODE_EXTRA_CA_CERTS: 'PEM file with the CA certificates of your company',
    CI: 'if set, cb never prompts',
    ACCESSIBLE: 'if set, the same as --plain',
    NO_COLOR: 'if set, color is disabled; CLICOLOR, CLICOLOR_FORCE and FORCE_COLOR are obeyed too',
    CB_PAGER: 'the pager (default: PAGER, otherwise less); cat for none',
    XDG_CONFIG_HOME: 'folder for profiles and settings (default on Linux: ~/.config)',
    XDG_DATA_HOME:
      'folder for the sandbox, copies, the ledger and the state of --since-last (default on Linux: ~/.local/share)',
    XDG_STATE_HOME: 'folder for the shared rate limit (default on Linux: ~/.local/state)',
  },
  'cb doctor checks the keys, URLs, folders and proxies. cb config path prints the file that holds profiles and settings.',
];

const credentials: readonly Block[] = [
  'Create an API key on the ClickBank website under Settings, API Management; a key belongs to one account. cb login prompts for it without showing it, or reads it from stdin. No option takes a key, because other users of the machine could see it.',
  'The key is stored as a profile, bound to its service, in a file that only you can read. With --keychain it is stored in the keychain of the operating system, and with --key-command it stays in your password manager.',
  'cb uses the first of these:',
  {
    '--sandbox': 'the built-in sandbox, which needs no key',
    '--profile name':
      'a stored profile, or the built-in sandbox; cb sandbox status lists others, such as sandbox:read-only',
    CB_API_KEY: 'a key in the environment, with CB_BASE_URL if it is not for ClickBank',
    CB_PROFILE: 'the same as --profile',
    'current profile': 'selected with cb profiles use; at first, the first one stored',
  },
  'Permissions are chosen when a key is created. The help of each command names those that it requires, and cb whoami shows those of your key:',
  Object.fromEntries(
    catalogue.flatMap(({ roles }) => roles).map((role) => [role, commandsWith(role)]),
  ),
  'Examples:',
  [
    'cb login',
    'cb login --profile shop2 --with-key < key.txt',
    'cb profiles list',
    'cb whoami --profile shop2',
    'cb orders list --profile work,shop2 --period yesterday',
  ],
];

/** Lists the commands by group, as in `orders list, count`. */
function commandsWith(role: Role): string {
  const groups = new Map<string, Set<string>>();
  for (const { command, roles } of catalogue) {
    if (!roles.includes(role)) continue;
    const [group = '', name = ''] = command.split(' ');
    groups.set(group, (groups.get(group) ?? new Set()).add(name));
  }
  return [...groups].map(([group, names]) => `${group} ${[...names].join(', ')}`).join('; ');
}

const safety: readonly Block[] = [
  'Reads are retried after connection failures, 429 and 5xx responses. A write is sent once, and only after you confirm it.',
  {
    '--dry-run': 'check everything and print the request, but do not send it',
    '--yes': 'send without asking; required outside a terminal, with --no-input and if CI is set',
    '--allow-refund': 'with --yes, allow a command whose name does not say so to refund a sale',
    '--allow-duplicate': 'send even if an equal ticket or ship notice exists',
    '--verify-wait': 'maximum time to look for a write whose response was lost (default: 10s)',
    '--retry-unknown': 'send rows of an import with unknown outcome again, after looking for them',
  },
  'Before it asks, cb reads the order and states what happens to it, how much money moves, and in which account. It warns when a command has a side effect: canceling a one-time sale refunds it, and closing a refund ticket cancels the refund.',
  'A dry run reads and warns like the real command and ends with the exit code that the command would have before it sends anything. With -o json it prints one object with the request, the warnings, and any equal tickets or notices. "Not checked" means that your key may not read what cb needed.',
  'A write is done if a 2xx response shows it, and not done if ClickBank refused it (4xx) or if it never left this machine. After anything else, such as a 502 or a lost connection, cb looks for it and reports it as done or, with exit code 8, as unknown. cb does not send it again: check before you repeat it.',
  'An import checks every row before it sends the first one, and keeps a journal beside the file. You can stop it at any time and run it again: no row is sent twice. Rows with unknown outcome are listed, and sent again only with --retry-unknown.',
  'Examples:',
  [
    'cb tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 --dry-run',
    'cb orders pause MONTHLY1 --restart-date +45d --dry-run',
    'cb ship notice import shipped.csv --carrier USPS --date today --dry-run',
  ],
];

const sandbox: readonly Block[] = [
  'The sandbox is the whole service on this machine: real HTTP on a loopback port, the responses of ClickBank, and sample orders. It needs no account. Add --sandbox to any command, or make it the current profile with cb profiles use sandbox.',
  'It starts with 5,000 orders of the last year, among them:',
  {
    MONTHLY1: 'an active monthly subscription',
    CANCEL01: 'a canceled subscription that can be reinstated',
    LIMITED1: 'a subscription with few payments left',
    SHIPBOX1: 'a subscription of physical goods',
    CART0003: 'an order with several line items',
    UPSELL01: 'an order with upsells',
    DIGITAL1: 'one digital item that can be refunded',
    PARCEL01: 'one physical item without a ship notice',
    REFUND01: 'a refunded sale',
    CHARGE01: 'a sale with a chargeback',
    '1001 to 1005':
      'tickets: open, closed, open, one for an item to be returned, and one that was reopened',
  },
  'New sales, rebills, refunds and chargebacks appear as time passes; cb sandbox clock advance skips ahead. cb sandbox faults makes it fail on demand, cb sandbox ins sends instant notifications to your receiver, and cb sandbox reset restores it.',
  'Examples:',
  [
    'cb --sandbox orders list --period last-7-days',
    'cb --profile sandbox:affiliate orders count --period last-month',
    'cb sandbox status',
    'cb sandbox clock advance 30d',
    "cb sandbox faults 'latency=200ms,503=10%'",
    'cb sandbox faults off',
    'cb sandbox exec -- ./nightly-export.sh',
    'cb sandbox reset',
  ],
];

export const topicBlocks: Readonly<Record<Topic, readonly Block[]>> = {
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
