/** `cb sandbox ins …`: instant notifications that the sandbox sends. */
import { text as textOf } from 'node:stream/consumers';
import { isLoopback } from '../../client/http/origin.ts';
import { alike, integer, many, nillable, resource, text, time } from '../../operations/resource.ts';
import { numbered } from '../../output/stream.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command, type GroupSpec } from '../../shell/define.ts';
import { showPages } from '../../shell/display/show.ts';
import { exitCodes, Failure, usage } from '../../shell/failure.ts';
import { wholeNumber } from '../../shell/options/flags.ts';
import { withSandbox } from '../../shell/session/sandbox-session.ts';
import { confirmHost } from '../../shell/terminal/ask.ts';
import { receiverFrom } from '../ins/journal/destinations.ts';
import { problemWithSecret } from '../ins/secret-commands.ts';
import { insFaults } from './faults.ts';

const add = command({
  words: 'sandbox ins add',
  summary: 'Add a URL that receives the notifications',
  args: { '<url>': 'URL of the receiver' },
  options: {
    secret: ['--secret <key>', 'Secret key: up to 16 capitals and digits; - reads stdin'],
    eventVersion: ['--event-version <n>', 'Version of the notifications: 6, 7 or 8 (default: 8)'],
    yes: ['-y, --yes', 'Send to another machine without asking'],
  },
  help: {
    notes: [
      'Without --secret, a new secret key is created and printed, for your receiver. It encrypts test data only, so do not use the key of your account.',
      'The URL is http or https on this machine. For any other host, cb asks for confirmation: the notifications contain the names and addresses of sample customers only. Certificates are verified; NODE_EXTRA_CA_CERTS adds your own.',
      'Two URLs at most, as on ClickBank. cb sandbox reset and cb sandbox seed remove them.',
    ],
    examples: [
      'cb sandbox ins add http://localhost:3000/ins',
      'cb sandbox ins add http://localhost:3000/ins --secret TESTKEY1 --event-version 6',
    ],
    effect: 'writes',
  },
  async run(cmd, flags) {
    const url = receiverFrom('<url>', flags.url);
    const version = wholeNumber('--event-version', flags.eventVersion ?? '8', 6, 8);
    const given = await secretFrom(cmd, flags.secret);
    if (!isLoopback(url.hostname)) {
      const question = `Send the sandbox's notifications to ${url.host}, another machine?`;
      const { yes } = flags;
      await confirmHost(cmd, question, url.host, { yes, unchanged: 'Nothing was changed.' });
    }
    const secret = await withSandbox(cmd, async ({ notifications }) =>
      notifications.add({ url: url.href, secret: given, version }),
    ).catch((error: unknown) => {
      // Compares the name, so that the sandbox need not be loaded.
      if (!(error instanceof Error) || error.name !== 'BadInsUrl') throw error;
      throw usage(error.message, { next: 'cb sandbox ins list', cause: error });
    });
    cmd.messages.say(`The sandbox sends notifications of version ${version} to ${url.href}.`);
    if (given !== undefined) return undefined;
    cmd.messages.say('Your receiver decrypts them with this secret key, which is not shown again:');
    return secret;
  },
});

async function secretFrom({ context }: CommandContext, typed: string | undefined) {
  if (typed === undefined) return undefined;
  const secret = typed === '-' ? (await textOf(context.stdin)).trim() : typed;
  if (!problemWithSecret(secret)) return secret;
  const hint = 'Use at most 16 characters, all of them capital letters and digits.';
  throw usage('Invalid --secret.', { hint });
}

const urlRow = resource('url', ['url', 'version'], { url: text, version: integer });

const list = command({
  words: 'sandbox ins list',
  summary: 'List the URLs',
  rows: urlRow,
  help: { examples: ['cb sandbox ins list', 'cb sandbox ins list -o json'] },
  run: (cmd) => withSandbox(cmd, async ({ notifications }) => notifications.urls()),
});

const remove = command({
  words: 'sandbox ins remove',
  summary: 'Remove a URL and its log',
  args: { '<url>': 'URL of the receiver' },
  help: {
    notes: ['Also removes the log of the URL. What was not delivered is never sent.'],
    examples: ['cb sandbox ins remove http://localhost:3000/ins'],
    effect: 'destroys',
  },
  async run(cmd, flags) {
    const { href } = receiverFrom('<url>', flags.url);
    await withSandbox(cmd, async ({ notifications }) => {
      if (notifications.remove(href)) return;
      throw usage(`The sandbox sends no notifications to ${href}.`, {
        next: 'cb sandbox ins list',
      });
    });
    cmd.messages.say(`The sandbox no longer sends notifications to ${href}.`);
  },
});

const test = command({
  words: 'sandbox ins test',
  summary: 'Send a test notification to each URL',
  help: {
    notes: [
      'Sends one notification of the type TEST with the receipt ********, as the test button of the website does. It is not sent again. Exit code 6 means that a receiver did not accept it.',
    ],
    examples: ['cb sandbox ins test'],
    effect: 'writes',
  },
  async run(cmd) {
    const sent = await withSandbox(cmd, ({ notifications }) =>
      notifications.test(cmd.context.signal),
    );
    if (sent.length === 0) {
      throw usage('The sandbox has no URL to send notifications to.', {
        next: 'cb sandbox ins add http://localhost:3000/ins',
      });
    }
    for (const { url, state, status, error } of sent) {
      const answer = status === null ? (error ?? 'not sent yet') : `status ${status}`;
      const result = state === 'delivered' ? 'delivered' : 'not delivered';
      const line = `${url}: ${result} (${answer})`;
      cmd.messages.say(line);
    }
    if (sent.some(({ state }) => state !== 'delivered')) {
      throw new Failure(exitCodes.network, 'The test notification was not accepted everywhere.', {
        hint: 'A receiver must answer 2xx within 3 seconds.',
      });
    }
  },
});

const attempt = resource('attempt', ['number', 'time', 'status', 'error'], {
  ...{ number: integer, time, status: nillable(integer) },
  ...alike(nillable(text), 'error', 'fault'),
});

/** One event for one URL. */
const deliveryRow = resource(
  'delivery',
  ['time', 'type', 'receipt', 'state', 'attemptCount', 'status', 'error', 'nextAttempt'],
  {
    id: integer,
    time,
    ...alike(text, 'type', 'receipt', 'url', 'state'),
    attemptCount: integer,
    status: nillable(integer),
    error: nillable(text),
    nextAttempt: nillable(time),
    body: text,
    sent: nillable(text),
    attempts: many(attempt),
  },
);

const log = command({
  words: 'sandbox ins log',
  summary: 'Show the notifications, their attempts and responses',
  shows: { rows: true, shape: () => deliveryRow },
  help: {
    notes: [
      'Shows the latest events first, one row for each URL. In JSON, body is the decrypted text with the digits as sent, sent is the request, and attempts lists each attempt. The state is delivered, pending or lost.',
    ],
    examples: [
      'cb sandbox ins log --limit 20',
      "cb sandbox ins log --query '[].{receipt: receipt, state: state}' -o json",
    ],
  },
  run: (cmd, _, output) =>
    withSandbox(cmd, ({ notifications }) =>
      showPages(cmd, output, { resource: deliveryRow }, numbered(notifications.log())),
    ),
});

export const ins: GroupSpec = {
  words: 'sandbox ins',
  summary: 'Send instant notifications (INS) of the sandbox to your receiver',
  help: {
    notes: [
      'Each sale, rebill, refund, chargeback, failed payment, cancellation, reinstatement and change of product is sent as ClickBank sends it: encrypted JSON, an answer within 3 seconds, a retry every 4 hours of the sandbox clock, lost after 5 attempts.',
      'Notifications are sent while cb sandbox start runs, by cb sandbox clock advance, and for up to 3 seconds at the end of every other command that opens the sandbox.',
    ],
    examples: ['cb sandbox ins add http://localhost:3000/ins', 'cb sandbox ins log'],
  },
  commands: [add, list, remove, test, log, insFaults],
};
