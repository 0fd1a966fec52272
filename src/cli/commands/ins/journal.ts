/** `cb ins list` and `cb ins resend`: the journal of notifications. */
import { Argument, type Command, Option } from 'commander';
import { helpGroups } from '../../flags/flags.ts';
import { addShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import type { DestinationFlags } from '../../ins/journal/destinations.ts';
import type { EventFilterFlags } from '../../ins/journal/event-filter.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';
import { addOptions, destinationOptions } from './listen.ts';

type ListFlags = CommonFlags & ShowFlags & EventFilterFlags;
type ResendFlags = ListFlags & DestinationFlags;

const failedOption = ['--failed', 'Events that did not arrive at the last attempt'] as const;
const sinceOption = [
  '--since <day>',
  'Events received since a day, such as today or -7d, or 2h',
] as const;

const listText: HelpText = {
  notes: [
    'Shows what cb ins listen has received, the latest first, and what became of it: waiting, retrying, delivered, failed, or kept if there was nowhere to send it.',
  ],
  examples: [
    'cb ins list --since today',
    'cb ins list --failed',
    'cb ins list --type RFND,CGBK --since -30d -o csv',
  ],
  topics: ['output', 'dates'],
};

export function addJournalList(group: Command, call: Call): void {
  const command = newCommand(call.context, 'list').description('List the received notifications');
  addCommand(group, command, call, () => {
    const types = new Option('--type <types>', 'Types, such as SALE or RFND,CGBK');
    types.argParser((typed: string, before: string[] = []) => [
      ...before,
      ...typed.split(',').map((type) => type.trim()),
    ]);
    command.addOption(types.helpGroup(helpGroups.filters));
    for (const [flags, summary] of [
      ['--receipt <receipt>', 'Events of this receipt'] as const,
      sinceOption,
      failedOption,
    ]) {
      command.addOption(new Option(flags, summary).helpGroup(helpGroups.filters));
    }
    addShowFlags(command, { rows: true });
    addHelp(command, () => listText);
    addAction<ListFlags>(command, call, async (cmd, flags) => {
      const { listEvents } = await import('../../ins/journal/list-events.ts');
      await listEvents(cmd, flags);
    });
  });
}

const resendText: HelpText = {
  notes: [
    'Sends each event once, to where cb ins listen last forwarded events or to --forward-to, and shows the result. A running listener tries again what fails. Exit code 8 means that an event did not arrive.',
  ],
  examples: [
    'cb ins resend 1 2',
    'cb ins resend --failed',
    'cb ins resend --since today --forward-to http://localhost:3000/ins',
  ],
  effect: 'writes',
  topics: ['output', 'exit-codes'],
};

export function addResend(group: Command, call: Call): void {
  const command = newCommand(call.context, 'resend').description('Send received events again');
  addCommand(group, command, call, () => {
    command.addArgument(new Argument('[ids...]', 'IDs of events, as cb ins list shows them'));
    addOptions(command, [failedOption, sinceOption, ...destinationOptions]);
    addShowFlags(command, { rows: true, endless: true });
    addHelp(command, () => resendText);
    addAction<ResendFlags>(command, call, async (cmd, flags, ids) => {
      const { resend } = await import('../../ins/journal/resend.ts');
      await resend(cmd, flags, [ids].flat());
    });
  });
}
