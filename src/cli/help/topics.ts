/** The topics of `cb help`. */
import { dayForms, periodForms } from '../../dates/forms.ts';
import { catalogue } from '../../operations/index.ts';
import type { Role } from '../../operations/operation.ts';
import { exitCodeMeanings } from '../runtime/exit-codes.ts';
import type { Block } from './blocks.ts';

const dates: readonly Block[] = [
  `A day is a Pacific day, because the service counts days in Pacific time. Write a day as ${dayForms}. With --tz, words such as today mean the day in another time zone.`,
  `--period sets both the first and the last day: ${periodForms}.`,
  'Both ends count. A period that is longer than the service takes at once is asked for in parts, and no row comes twice. Orders without a period are those of yesterday and today.',
  'Examples:',
  [
    'cb orders list --period last-month',
    'cb orders list --start-date -30d --end-date yesterday',
    'cb orders list --period 2026-Q1 --limit 3',
    'cb orders count --period today --tz Europe/Berlin',
  ],
];

const output: readonly Block[] = [
  'Results go to stdout; notes, questions and errors go to stderr (errors as one JSON object with -o json). Formats (-o, --output):',
  {
    table: 'for people: the telling columns, as many as fit; the default on a terminal',
    json: 'one valid document; numbers keep the digits that the service sent',
    ndjson: 'a JSON object a line',
    csv: 'a row an order; text that a spreadsheet would run as a formula gets a leading apostrophe',
    tsv: 'tab-separated with a header line; the default in a pipe',
    xml: 'what the service sent',
  },
  'To pick and shape:',
  {
    '--fields a,b.c':
      'these columns, in this order; in a table all of them, or cards where there is no room',
    '--expand LIST': 'a row for each element, as in lineItemData: a row an item',
    '--spread LIST:2': 'csv and tsv: columns for the first 2 elements',
    '--query EXPR': 'a JMESPath expression over the whole list',
    '--limit N': 'at most so many rows',
    '--text-ids': 'csv: 007 and 3/4 stay as typed in a spreadsheet, written as ="007"',
    '--no-header': 'csv and tsv: without the first line, as for >>',
    '--raw': 'the answer as received',
    '--chart': 'quickstats and analytics: a drawing in place of the rows',
  },
  'Columns of csv and tsv stand in the same order in every run: the fields as the service documents them, objects opened, then fields that it does not document. These can be named in --fields, --expand and --spread too: names that cb does not know are checked against the first rows that come. On a terminal, csv, tsv, json and xml show control characters as \\u001b; pipes and files get them as sent (json escapes them there too).',
  'To write files and keep at it:',
  {
    '--out FILE': 'a file, whole or not at all; its ending picks the format',
    '--resume': 'Continue an export that was stopped: the same command with --out',
    '--since-last NAME':
      'Only rows that earlier runs of this name did not return. Each name is for one account and one set of filters.',
    '--append FILE':
      'Add the rows of --since-last to a csv, tsv or ndjson file. Each row is in the file exactly once, even if a run is killed. Without --append, rows that were printed just before cb was killed may be printed again.',
    '--profile a,b': 'the rows of several accounts in one table; --all-profiles takes all',
  },
  'Examples:',
  [
    'cb orders list --period last-month --out orders.csv',
    'cb orders list --period this-year --out year.csv --resume',
    'cb orders list --since-last sheet --append sheet.csv',
    'cb orders list --period last-7-days --expand lineItemData --fields receipt,lineItemData.itemNo',
    "cb orders list --period last-month -o json --query '[].receipt'",
  ],
];

const exitCodes: readonly Block[] = [
  'What scripts can rely on:',
  Object.fromEntries(
    // JavaScript would move keys that are integers to the front.
    Object.entries(exitCodeMeanings).map(([code, meaning]) => [code.padStart(4), meaning]),
  ),
  'With -o json an error is one JSON object on stderr: {code, message, hint, status, next}.',
  'Examples:',
  ['cb orders active MONTHLY1 || echo ended'],
];

const environment: readonly Block[] = [
  'What cb reads of the environment:',
  {
    CB_API_KEY: 'the key to use; goes before stored profiles, not before --profile',
    CB_BASE_URL: 'the service that CB_API_KEY belongs to (default: the live one)',
    CB_PROFILE: 'the profile to use; sandbox is built in',
    CB_NO_HISTORY: 'when set, nothing is kept for completion in the shell',
    HTTPS_PROXY: 'the proxy on the way to the service; ALL_PROXY and small letters work too',
    NO_PROXY: 'hosts and domains that need no proxy, with commas between them; * for all',
    NODE_EXTRA_CA_CERTS: 'a file with the certificate of your company, in PEM form',
    CI: 'when set, nothing is ever asked',
    NO_COLOR: 'disables color when set; CLICOLOR, CLICOLOR_FORCE and FORCE_COLOR are obeyed too',
    CB_PAGER: 'the pager for long lists (default: PAGER, else less); cat for none',
    XDG_CONFIG_HOME:
      'where profiles and settings are (on Linux by default ~/.config); cb config path tells the file',
    XDG_DATA_HOME:
      'where the sandbox and the state of --since-last are (on Linux by default ~/.local/share)',
    XDG_STATE_HOME:
      'where recently seen receipts and the shared request pace are stored (on Linux by default ~/.local/state)',
  },
  'cb doctor looks at all of it, and tells what is wrong.',
];

const credentials: readonly Block[] = [
  'A key is made on the website under Settings, API Management, for one account. cb login asks for it, hidden, or reads it from stdin; there is no flag that takes a key, since other users of the machine could read it there. It is stored as a profile, bound to its service, and never shown again: in a file that only you can read, or with --keychain in the keychain of the system. Neither the file nor its folder may be a link.',
  'Which key is used, the first that is there:',
  {
    '--sandbox': 'the built-in sandbox, which needs none',
    '--profile NAME': 'a stored profile; sandbox, or sandbox:read-only, is built in',
    CB_API_KEY: 'a key in the environment, with CB_BASE_URL where it is not for the live service',
    CB_PROFILE: 'a stored profile',
    'the profile in use': 'chosen with cb profiles use; at first the one that was stored first',
  },
  'What a key may do is chosen when it is made. Each command tells in its help what it needs; cb whoami tells what your key has:',
  Object.fromEntries(rolesInUse().map((role) => [role, commandsWith(role)])),
  'Examples:',
  [
    'cb login',
    'cb login --profile shop2 --with-key < key.txt',
    'cb profiles list',
    'cb whoami --profile shop2',
    'cb orders list --profile work,shop2 --period yesterday',
  ],
];

function rolesInUse(): Role[] {
  return [...new Set(catalogue.flatMap(({ roles }) => roles))];
}

/** By group, as in `orders list, count`. */
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
  'Reads are tried again after lost connections, 429 and 5xx. Writes are sent once, and only after a confirmation.',
  {
    '--dry-run': 'read and check everything, print the request and send nothing',
    '--yes':
      'send without asking; required without a terminal, with --no-input and where CI is set',
    '--allow-refund':
      'with --yes, send even if the command refunds a sale though its name does not say so',
    '--allow-duplicate': 'send even if an equal ticket or ship notice exists',
    '--verify-wait': 'how long to look for a write whose response was lost (default: 10s)',
    '--retry-unknown':
      'send rows of an import whose outcome is unknown again, after looking for them',
  },
  'Before it asks, cb reads the order and says in a sentence what happens to it, how much money moves and of which account. It warns when a command does more than its name says: a cancellation refunds a one-time sale, and closing a refund ticket cancels the refund.',
  'A dry run ends with the exit code that the real command would reach before sending. With -o json it prints one object with the request, the warnings and equal tickets or notices that exist. It says "Not checked" where the key may not read.',
  'A write is done after a 2xx. It is not done after a 4xx, or if it never left this machine. After anything else, such as a 502, a lost connection or a time-out, cb looks for it for 10 seconds and says done, or unknown with exit code 8. It never sends it again by itself: look before you repeat it.',
  'An import checks every row before the first is sent, and keeps a journal beside the file: stop it anywhere and run it again, and no row is sent twice. Rows of unknown outcome are named, and sent again only with --retry-unknown.',
  'Examples:',
  [
    'cb tickets create DIGITAL1 --type rfnd --reason ticket.type.refund.2 --refund-type FULL --dry-run',
    'cb orders pause MONTHLY1 --restart-date +45d --dry-run',
    'cb ship notice import shipped.csv --carrier USPS --date today --dry-run',
  ],
];

const sandbox: readonly Block[] = [
  'The whole service on this machine: real HTTP on a loopback port, its state in your data folder, the answers of the live service with all their quirks, and no account needed. Any command takes --sandbox; cb profiles use sandbox makes it the service for all that comes.',
  'It begins with 5,000 orders of the last year. These are always there:',
  {
    MONTHLY1: 'a monthly subscription, active',
    CANCEL01: 'a subscription that was cancelled, and can be reinstated',
    LIMITED1: 'a subscription with few payments left',
    SHIPBOX1: 'a subscription that is shipped',
    CART0003: 'an order with several items',
    UPSELL01: 'an order with upsells',
    DIGITAL1: 'one digital item, which can be refunded',
    PARCEL01: 'one parcel, waiting for its ship notice',
    REFUND01: 'a sale that was refunded',
    CHARGE01: 'a sale that was charged back',
    '1001 to 1005':
      'tickets: open, closed, open, one for a parcel that is to come back, and one that was reopened',
  },
  'Time brings new sales, rebills, refunds and chargebacks, and cb sandbox clock advance brings them sooner. The sandbox fails on demand, and cb sandbox reset makes it as new.',
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

const texts = {
  dates,
  output,
  'exit-codes': exitCodes,
  environment,
  credentials,
  safety,
  sandbox,
} as const;

export type Topic = keyof typeof texts;

export const topics = Object.keys(texts) as Topic[];

export function isTopic(word: string): word is Topic {
  return Object.hasOwn(texts, word);
}

export function topicBlocks(topic: Topic): readonly Block[] {
  return texts[topic];
}
