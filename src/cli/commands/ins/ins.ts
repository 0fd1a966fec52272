/** `cb ins …`: instant notifications. */
import { Argument, type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { helpGroups } from '../../flags/flags.ts';
import { addShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText, requestOptions } from '../../help/help-text.ts';
import type { TriggerFlags } from '../../ins/trigger.ts';
import type { VerifyFlags } from '../../ins/verify.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';
import { addJournalList, addResend } from './journal.ts';
import { addListen } from './listen.ts';
import { addReconcile } from './reconcile.ts';
import { addSecrets } from './secrets.ts';

const fileText = 'File with the body, or with the whole request; - is stdin';

export function addIns(group: Command, call: Call): void {
  addHelp(group, () => ({
    notes: [
      'ClickBank sends a notification of each sale, rebill, refund and other event to up to two URLs of yours. With these commands you try a receiver without a real sale, find out why one fails, and receive events without losing any.',
    ],
    examples: [
      'cb ins trigger SALE --to http://localhost:3000/ins',
      'cb ins listen --forward-to http://localhost:3000/ins',
      'cb ins decrypt body.json',
      'cb ins verify body.json',
      'cb ins secrets add',
    ],
    topics: ['environment', 'exit-codes'],
  }));
  addListen(group, call);
  addJournalList(group, call);
  addResend(group, call);
  addReconcile(group, call);
  addDecrypt(group, call);
  addVerify(group, call);
  addTrigger(group, call);
  addSecrets(group, call);
}

const decryptText: HelpText = {
  notes: [
    'Tries CB_INS_SECRET and every stored secret. Prints JSON unless -o or the name of --out says otherwise; numbers keep their digits.',
  ],
  examples: [
    'cb ins decrypt body.json',
    'cb ins decrypt body.json -o csv --fields receipt,transactionType',
  ],
  topics: ['output', 'exit-codes'],
};

function addDecrypt(group: Command, call: Call): void {
  const summary = 'Decrypt a notification and print its event';
  const command = newCommand(call.context, 'decrypt').description(summary);
  addCommand(group, command, call, () => {
    command.addArgument(new Argument('[file]', fileText));
    addShowFlags(command, { rows: true });
    addHelp(command, () => decryptText);
    addAction<CommonFlags & ShowFlags>(command, call, async (cmd, flags, file) => {
      const { decryptFile } = await import('../../ins/decrypt.ts');
      await decryptFile(cmd, flags, file);
    });
  });
}

const verifyText: HelpText = {
  notes: [
    'Takes the steps of a receiver one by one and says why the first that fails does so. Exit code 9 means that one failed.',
    'There is no signature to check: ClickBank documents none. That a secret of yours fits is the proof.',
  ],
  examples: [
    'cb ins verify body.json',
    "cb ins verify body.json --request-header 'X-Signature: 0c4e'",
    'cb ins verify request.txt -o json',
  ],
  answersNo: true,
  topics: ['exit-codes'],
};

function addVerify(group: Command, call: Call): void {
  const command = newCommand(call.context, 'verify').description(
    'Check a notification step by step and say what fails',
  );
  addCommand(group, command, call, () => {
    command.addArgument(new Argument('[file]', fileText));
    addSeveral(command, '--request-header <line>', 'A header that came with it; repeatable');
    addShowFlags(command, { rows: true });
    addHelp(command, () => verifyText);
    addAction<CommonFlags & ShowFlags & VerifyFlags>(command, call, async (cmd, flags, file) => {
      const { verifyFile } = await import('../../ins/verify.ts');
      await verifyFile(cmd, flags, file);
    });
  });
}

const triggerText: HelpText = {
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
};

const triggerOptions: readonly (readonly [flags: string, summary: string])[] = [
  ['--receipt <receipt>', 'Receipt of the event'],
  ['--from-order <receipt>', 'Make the event of a real order'],
  ['--event-version <n>', 'Version of the notification: 6, 7 or 8 (default: 8)'],
  ['--to <url>', 'Send it to a receiver, such as http://localhost:3000/ins'],
  ['--secret-name <name>', 'Stored secret to encrypt with (default: the first)'],
  ['--plain', 'Print the event as JSON, not encrypted'],
  ['-y, --yes', 'Send to another machine without asking'],
];

function addTrigger(group: Command, call: Call): void {
  const command = newCommand(call.context, 'trigger').description(
    'Make a notification to test a receiver',
  );
  addCommand(group, command, call, () => {
    command.addArgument(new Argument('<type>', 'SALE, BILL, RFND, CGBK, TEST or another type'));
    for (const [flags, summary] of triggerOptions) {
      command.addOption(new Option(flags, summary).helpGroup(helpGroups.options));
    }
    addSeveral(command, '--set <field=value>', 'Set a field, by its path; repeatable');
    addSeveral(command, '--remove <field>', 'Remove a field; repeatable');
    addHelp(command, () => triggerText);
    addAction<CommonFlags & TriggerFlags>(command, call, async (cmd, flags, type) => {
      const { trigger } = await import('../../ins/trigger.ts');
      await trigger(cmd, flags, type);
    });
  });
}

function addSeveral(command: Command, flags: string, summary: string): void {
  const option = new Option(flags, summary);
  option.argParser((text: string, before: string[] = []) => [...before, text]);
  command.addOption(option.helpGroup(helpGroups.options));
}
