/** `cb sandbox ins …`: instant notifications that the sandbox sends. */
import type { Command } from 'commander';
import { addShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';
import { deliveryRow } from './ins-rows.ts';
import { type AddCommand, commandsOf } from './sandbox-command.ts';

/** Loaded only by a command that runs. */
const loadUrls = () => import('./ins-urls.ts');
const loadLog = () => import('./ins-log.ts');
const loadFaults = () => import('./ins-faults.ts');

export function addIns(parent: Command, call: Call): void {
  const group = newCommand(call.context, 'ins').description(
    'Send instant notifications (INS) of the sandbox to your receiver',
  );
  const add = commandsOf(group, call);
  addAdd(add);
  addList(add);
  addRemove(add);
  addTest(add);
  addLog(add);
  addFaults(add);
  addHelp(group, () => ({
    notes: [
      'Each sale, rebill, refund, chargeback, failed payment, cancellation, reinstatement and change of product is sent as ClickBank sends it: encrypted JSON, an answer within 3 seconds, a retry every 4 hours of the sandbox clock, lost after 5 attempts.',
      'Notifications are sent while cb sandbox start runs, by cb sandbox clock advance, and for up to 3 seconds at the end of every other command that opens the sandbox.',
    ],
    examples: ['cb sandbox ins add http://localhost:3000/ins', 'cb sandbox ins log'],
  }));
  parent.addCommand(group);
}

function addAdd(add: AddCommand): void {
  const help: HelpText = {
    notes: [
      'Without --secret, a new secret key is created and printed, for your receiver. It encrypts test data only, so do not use the key of your account.',
      'The URL is http or https on this machine. For any other host, cb asks for confirmation: the notifications contain the names and addresses of sample customers only. Certificates are verified; NODE_EXTRA_CA_CERTS adds your own.',
      'Two URLs at most, as on ClickBank. cb sandbox reset removes them.',
    ],
    examples: [
      'cb sandbox ins add http://localhost:3000/ins',
      'cb sandbox ins add http://localhost:3000/ins --secret TESTKEY1 --version 6',
    ],
    effect: 'writes',
  };
  const description = 'Add a URL that receives the notifications';
  add('add', description, help, async (cmd, flags, [url = '']) =>
    (await loadUrls()).addUrl(cmd, flags, url),
  )
    .argument('<url>', 'URL of the receiver')
    .option('--secret <key>', 'Secret key: up to 16 capitals and digits; - reads stdin')
    .option('--version <n>', 'Version of the notifications: 6, 7 or 8 (default: 8)')
    .option('--yes', 'Allow a host other than this machine without asking');
}

function addList(add: AddCommand): void {
  const help = { examples: ['cb sandbox ins list', 'cb sandbox ins list -o json'] };
  const command = add('list', 'List the URLs', help, async (cmd, flags) =>
    (await loadUrls()).listUrls(cmd, flags),
  );
  addShowFlags(command, { rows: true });
}

function addRemove(add: AddCommand): void {
  const help: HelpText = {
    notes: ['Also removes the log of the URL. What was not delivered is never sent.'],
    examples: ['cb sandbox ins remove http://localhost:3000/ins'],
    effect: 'destroys',
  };
  add('remove', 'Remove a URL and its log', help, async (cmd, _flags, [url = '']) =>
    (await loadUrls()).removeUrl(cmd, url),
  ).argument('<url>', 'URL of the receiver');
}

function addTest(add: AddCommand): void {
  const help: HelpText = {
    notes: [
      'Sends one notification of the type TEST with the receipt ********, as the test button of the website does. It is not sent again. Exit code 6 means that a receiver did not accept it.',
    ],
    examples: ['cb sandbox ins test'],
    effect: 'writes',
  };
  add('test', 'Send a test notification to each URL', help, async (cmd) =>
    (await loadUrls()).testUrls(cmd),
  );
}

function addLog(add: AddCommand): void {
  const help: HelpText = {
    notes: [
      'Shows the latest events first, one row for each URL. In JSON, body is the decrypted text with the digits as sent, sent is the request, and attempts lists each attempt. The state is delivered, pending or lost.',
    ],
    examples: [
      'cb sandbox ins log --limit 20',
      "cb sandbox ins log --query '[].{receipt: receipt, state: state}' -o json",
    ],
  };
  const description = 'Show the notifications, their attempts and responses';
  const command = add('log', description, help, async (cmd, flags) =>
    (await loadLog()).showLog(cmd, flags),
  );
  addShowFlags(command, { rows: true, shape: () => deliveryRow });
}

function addFaults(add: AddCommand): void {
  const help: HelpText = {
    notes: [
      '<list> is a comma-separated list, such as duplicate=10%,only=RFND:',
      {
        'duplicate=10%': 'send it twice',
        'reorder=10%': 'send it after a later one',
        'delay=10%:2h': 'send it later on the sandbox clock (default: 1h)',
        'cut=10%': 'close the connection in the middle of the request',
        'timeout=10%': 'ignore the answer, as if it took more than 3 seconds',
        'wrong-key=10%': 'encrypt it with another secret key',
        'drop=10%': 'never send it: it is lost',
        'only=RFND': 'apply faults to this type only; repeatable',
        'seed=7': 'random seed; the same seed affects the same notifications',
      },
      'Frequency: 10% of attempts, or #3 for the next three. Faults are stored with the sandbox, until cb sandbox ins faults off or cb sandbox reset.',
    ],
    effect: 'writes',
    examples: [
      'cb sandbox ins faults',
      'cb sandbox ins faults duplicate=20%,timeout=#1',
      'cb sandbox ins faults off',
    ],
  };
  const description = 'Show or set the faults of notifications';
  const command = add('faults', description, help, async (cmd, flags, [list]) =>
    (await loadFaults()).insFaults(cmd, flags, list),
  ).argument('[list]', 'Faults to simulate, or off');
  addShowFlags(command, {});
}
