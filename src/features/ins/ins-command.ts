/** `cb ins …`: instant notifications. */

import { Option } from 'commander';
import { orders } from '../../operations/orders.ts';
import { headed, resource, text } from '../../operations/resource.ts';
import { numbered } from '../../output/stream.ts';
import { command, type GroupSpec, repeatable } from '../../shell/define.ts';
import { showPages } from '../../shell/display/show.ts';
import { requestOptions } from '../../shell/help/help-text.ts';
import { helpGroups } from '../../shell/options/flags.ts';
import { requireShowable } from '../../shell/options/show-flags.ts';
import { findingResource } from '../setup/finding.ts';
import {
  differenceResource,
  eventFilterFrom,
  eventResource,
  journalResource,
  journalRowPages,
  receivedResource,
  reconciledOrders,
  resentResource,
} from './journal/event-rows.ts';
import { readJournal } from './journal/own-journal.ts';

const destination = {
  forwardTo: ['--forward-to <url>', 'Send events to a receiver, such as http://localhost:3000/ins'],
  forward: ['--forward <form>', 'Form of events: plain JSON (default) or as-received'],
  exec: ['--exec <command>', 'Run a command for each event (JSON on its stdin)'],
  yes: ['-y, --yes', 'Send to another machine without asking'],
} as const;

const listen = command({
  words: 'ins listen',
  summary: 'Receive, save and forward notifications',
  options: {
    port: ['--port <n>', 'Port on 127.0.0.1; 0 is any free one (default: 4242)'],
    ...destination,
    sync: ['--sync', 'Refresh the order of each event in the copy of cb sync'],
    database: ['--database <db>', 'Copy to refresh (default: the file of cb sync)'],
    duplicates: ['--duplicates', 'Deliver exact duplicates (default: count only)'],
  },
  shows: { rows: true, endless: true, live: true, shape: () => receivedResource },
  help: {
    notes: [
      'Receives notifications from ClickBank through your own tunnel or, with --sandbox, from the sandbox. Each event is decrypted and saved before cb answers ClickBank. It is then delivered, with retries for three days until your receiver answers with 2xx or the command exits with 0.',
    ],
    examples: [
      'cb ins listen',
      'cb ins listen --forward-to http://localhost:3000/ins',
      'cb ins listen --sync',
      'cb ins listen --port 8080 -o ndjson',
    ],
    remarks: [
      'Attempts: after 1s, 5s, 30s, 2m, 10m, 30m, and then every hour for three days. A killed listener continues where it stopped when you start it again. Your receiver can get an event twice, so it has to recognize receipt and type.',
      'With --sync, cb fetches the receipt of each event from the API and updates the copy within seconds. The contents of the event are not written. Events use at most 5,000 requests a day.',
      'The journal contains the data of your customers. Only you can read the file.',
    ],
    effect: 'writes',
    topics: ['output', 'environment', 'exit-codes'],
  },
  run: async (cmd, flags, output) =>
    (await import('./journal/listen.ts')).listen(cmd, flags, output),
});

const since = ['--since <day>', 'Events received since then, such as today, -7d or 2h'] as const;
const undelivered = [
  '--undelivered',
  'Events that did not arrive at the last attempt (retrying or failed)',
] as const;
const failed = ['--failed', 'Events that cb no longer retries'] as const;

const filter = ([flags, summary]: readonly [string, string]) =>
  new Option(flags, summary).helpGroup(helpGroups.filters);

const types = filter(['--type <types>', 'Types, such as SALE or RFND,CGBK']).argParser(
  (typed: string, before: readonly string[] = []) => [
    ...before,
    ...typed.split(',').map((type) => type.trim()),
  ],
);

/** The columns of csv and tsv without --fields: the event and what became of it, without the content. */
const shortColumns = [
  ...['receivedAt', 'id', 'type', 'receipt', 'amount', 'currency', 'vendor', 'role'],
  ...['state', 'result', 'transactionTime', 'copies', 'isReconstructed', 'duplicateOf'],
];

const list = command({
  words: 'ins list',
  summary: 'List the received notifications',
  options: {
    type: types,
    receipt: filter(['--receipt <receipt>', 'Events of this receipt']),
    since: filter(since),
    undelivered: filter(undelivered),
    failed: filter(failed),
  },
  shows: { rows: true, shape: () => journalResource },
  help: {
    notes: [
      'Shows what cb ins listen has received, newest first, and what happened to it: waiting, retrying, delivered, failed, or kept if there was nowhere to send it.',
    ],
    examples: [
      'cb ins list --since today',
      'cb ins list --undelivered',
      'cb ins list --type RFND,CGBK --since -30d -o csv',
    ],
    topics: ['output', 'dates'],
  },
  async run(cmd, flags, output) {
    requireShowable(output, journalResource);
    const filter = await eventFilterFrom(cmd, flags);
    await readJournal(cmd, async (database) => {
      const pages = numbered(journalRowPages(database, filter));
      const { format, fields = format === 'csv' || format === 'tsv' ? shortColumns : undefined } =
        output;
      await showPages(cmd, { ...output, fields }, { resource: journalResource }, pages);
    });
  },
});

const resend = command({
  words: 'ins resend',
  summary: 'Send received events again',
  args: { '[ids...]': 'IDs of events, as cb ins list shows them' },
  options: { undelivered, failed, since, ...destination },
  shows: { rows: true, endless: true, shape: () => resentResource },
  help: {
    notes: [
      'Sends each event once, to where cb ins listen last forwarded events or to --forward-to, and shows the result. A running listener tries again what fails. Exit code 8 means that an event did not arrive.',
    ],
    examples: [
      'cb ins resend 1 2',
      'cb ins resend --undelivered',
      'cb ins resend --since today --forward-to http://localhost:3000/ins',
    ],
    effect: 'writes',
    topics: ['output', 'exit-codes'],
  },
  run: async (cmd, flags, output) =>
    (await import('./journal/redelivery.ts')).resend(cmd, flags, output, flags.ids ?? []),
});

const reconcile = command({
  words: 'ins reconcile',
  summary: 'Compare received events with your orders',
  parameters: [reconciledOrders],
  options: {
    replayMissing: ['--replay-missing', 'Reconstruct and forward the events that never arrived'],
    ...destination,
  },
  shows: { rows: true, shape: () => differenceResource },
  help: {
    notes: [
      'Shows transactions without an event, events without a transaction, and events that came twice or have a different amount. Exit code 8 means that there is a difference. ClickBank may still send events of the last 17 hours: they count as late. The default period is last-7-days.',
    ],
    asks: true,
    examples: [
      'cb ins reconcile --period last-7-days',
      'cb ins reconcile --period last-7-days --replay-missing',
    ],
    remarks: [
      'Without a period, the last 7 days are compared. Only sales of your own products are compared, since ClickBank sends other notifications to affiliates.',
      'A reconstructed event has what the order has. The journal marks it, and if the notification comes after all, it counts as a duplicate.',
    ],
    roles: orders.list.roles,
    obeys: requestOptions,
    effect: 'writes',
    topics: ['dates', 'output', 'exit-codes'],
  },
  run: async (cmd, flags, output) =>
    (await import('./journal/redelivery.ts')).reconcile(cmd, flags, output),
});

const file = { '[file]': 'File with the body, or with the whole request; - is stdin' };

const decrypt = command({
  words: 'ins decrypt',
  summary: 'Decrypt a notification and print its event',
  args: file,
  shows: { rows: true, shape: () => eventResource },
  // An event is nested.
  format: 'json',
  help: {
    notes: [
      'Tries CB_INS_SECRET and every stored secret. Prints JSON unless -o or the name of --out says otherwise; numbers keep their digits.',
    ],
    examples: [
      'cb ins decrypt body.json',
      'cb ins decrypt body.json -o csv --fields receipt,transactionType',
    ],
    topics: ['output', 'exit-codes'],
  },
  run: async (cmd, flags, output) =>
    (await import('./verify.ts')).decryptFile(cmd, output, flags.file),
});

const verify = command({
  words: 'ins verify',
  summary: 'Check a notification step by step and say what fails',
  args: file,
  shows: { rows: true, shape: () => findingResource },
  help: {
    notes: [
      'Takes the steps of a receiver, stops at the first one that fails, and says why. Exit code 9 means that one failed.',
      'ClickBank documents no signature. If one of your secrets decrypts a notification, its author knew that secret. Anybody who has seen the notification can send it again and change its first 16 bytes.',
    ],
    examples: ['cb ins verify body.json', 'cb ins verify request.txt -o json'],
    answersNo: true,
    topics: ['exit-codes'],
  },
  run: async (cmd, flags, output) =>
    (await import('./verify.ts')).verifyFile(cmd, output, flags.file),
});

const trigger = command({
  words: 'ins trigger',
  summary: 'Make a notification to test a receiver',
  args: { '<type>': 'SALE, BILL, RFND, CGBK, TEST or another type' },
  options: {
    receipt: ['--receipt <receipt>', 'Receipt of the event'],
    fromOrder: ['--from-order <receipt>', 'Make the event of a real order'],
    eventVersion: ['--event-version <n>', 'Version of the notification: 6, 7 or 8 (default: 8)'],
    to: ['--to <url>', 'Send it to a receiver, such as http://localhost:3000/ins'],
    secretName: ['--secret-name <name>', 'Stored secret to encrypt with (default: the first)'],
    plain: ['--plain', 'Print the event as JSON, not encrypted'],
    yes: ['-y, --yes', 'Send to another machine without asking'],
    set: ['--set <field=value>', 'Set a field, by its path; repeatable', repeatable],
    remove: ['--remove <field>', 'Remove a field; repeatable', repeatable],
  },
  help: {
    notes: [
      'Makes one believable event and prints the encrypted body. --to sends it once instead, as ClickBank would; cb asks before it sends to another machine. Exit code 9 means that the receiver did not answer with 2xx.',
    ],
    examples: [
      'cb ins trigger SALE --plain',
      'cb ins trigger RFND --to http://localhost:3000/ins',
      'cb ins trigger BILL --receipt MONTHLY1-B002 --set customer.billing.email=zoe@example.com',
      'cb --sandbox ins trigger SALE --from-order MONTHLY1 --plain',
    ],
    remarks: [
      'Types: SALE, BILL, RFND, CGBK, INSF, CANCEL-REBILL, UNCANCEL-REBILL, SUBSCRIPTION-CHG, ABANDONED_ORDER, CUSTOMER_AUTH_FAILURE, CUSTOMER_EMAIL_UPDATE, CUSTOMER_UPDATE_CC_NOTIFICATION, PURCHASE_DETAILS_EMAIL_RESPONSE, TEST, TEST_SALE, TEST_BILL, TEST_RFND, CANCEL-TEST-REBILL, UNCANCEL-TEST-REBILL.',
    ],
    roles: orders.get.roles,
    obeys: requestOptions,
    effect: 'writes',
    answersNo: true,
  },
  run: async (cmd, flags) => (await import('./trigger.ts')).trigger(cmd, flags, flags.type),
});

/** Other commands do not load what these do. */
const loadSecrets = () => import('./secret-commands.ts');

const addSecret = command({
  words: 'ins secrets add',
  summary: 'Store the secret key of an account',
  args: { '[name]': 'Name of your choice (default: default)' },
  options: {
    withSecret: ['--with-secret', 'Read the secret from stdin instead of prompting'],
    keychain: ['--keychain', 'Store it in the keychain of the operating system'],
  },
  help: {
    notes: [
      'ClickBank shows the secret key on its website, next to the URL of your receiver: at most 16 characters, capital letters and digits. No option takes it, because other users of the machine could see it.',
      'It is stored in a file that only you can read, or with --keychain in the keychain of the operating system.',
    ],
    examples: ['cb ins secrets add', 'cb ins secrets add shop2 --with-secret < secret.txt'],
    effect: 'writes',
  },
  run: async (cmd, flags) => (await loadSecrets()).addSecret(cmd, flags, flags.name),
});

const listSecrets = command({
  words: 'ins secrets list',
  summary: 'List the names of the stored secrets',
  rows: resource('secret', ['name', 'keptIn'], {
    name: text,
    keptIn: headed('Stored in', text),
  }),
  help: { examples: ['cb ins secrets list', 'cb ins secrets list -o json'] },
  run: async (cmd) => (await loadSecrets()).storedSecrets(cmd).list(),
});

const removeSecret = command({
  words: 'ins secrets remove',
  summary: 'Remove a stored secret',
  args: { '<name>': 'Name of the secret' },
  help: { examples: ['cb ins secrets remove shop2'], effect: 'destroys' },
  run: async (cmd, { name }) => (await loadSecrets()).removeSecret(cmd, name),
});

const secrets: GroupSpec = {
  words: 'ins secrets',
  summary: 'Store, list and remove the secrets of notifications',
  help: {
    notes: ['Secrets are tried in the order of their names. CB_INS_SECRET is tried first.'],
    examples: ['cb ins secrets add', 'cb ins secrets list'],
  },
  commands: [addSecret, listSecrets, removeSecret],
};

export const ins: GroupSpec = {
  words: 'ins',
  help: {
    notes: [
      'ClickBank sends a notification of each sale, rebill, refund and other event to up to two URLs of yours. These commands test a receiver without a real sale, show why one fails, and receive events without losing any.',
    ],
    examples: [
      'cb ins trigger SALE --to http://localhost:3000/ins',
      'cb ins listen --forward-to http://localhost:3000/ins',
      'cb ins decrypt body.json',
      'cb ins verify body.json',
      'cb ins secrets add',
    ],
    topics: ['environment', 'exit-codes'],
  },
  commands: [listen, list, resend, reconcile, decrypt, verify, trigger, secrets],
};
