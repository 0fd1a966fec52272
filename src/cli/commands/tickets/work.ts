/** `cb tickets work`: the queue of tickets that wait for somebody. */
import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import type { AllFlags } from '../../endpoint/endpoint-command.ts';
import { addParameters, helpGroups, verifyWaitOption } from '../../flags/flags.ts';
import { addPeriodSynonyms } from '../../flags/period-synonyms.ts';
import { addShowFlags, readShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText, requestOptions } from '../../help/help-text.ts';
import type { WorkFlags } from '../../queue/work.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call } from '../../runtime/command-context.ts';

const helpText: HelpText = {
  notes: [
    'Shows open and reopened tickets one after the other, the soonest to expire first. One key starts an action, and nothing is sent before you confirm it. At the end, shows what was done.',
  ],
  asks: true,
  examples: [
    'cb tickets work',
    'cb tickets work --type rfnd --log today.csv',
    'cb tickets work --dry-run',
  ],
  roles: [...orders.list.roles, ...tickets.create.roles],
  obeys: requestOptions,
  effect: 'destroys',
  topics: ['safety', 'credentials'],
};

const shows = {};

export function addTicketWork(group: Command, call: Call): void {
  const command = newCommand(call.context, 'work').description(
    'Answer open tickets one after the other',
  );
  addCommand(group, command, call, () => {
    addParameters(command, tickets.list);
    addPeriodSynonyms(command, tickets.list);
    const own = [
      new Option('--log <file>', 'Append each action to a CSV file'),
      new Option('--dry-run', 'Ask for everything, but do not send anything'),
      verifyWaitOption(),
    ];
    for (const option of own) command.addOption(option.helpGroup(helpGroups.options));
    addShowFlags(command, shows);
    addHelp(command, () => helpText);
    addAction(command, call, async (cmd, flags: AllFlags & WorkFlags) => {
      const output = readShowFlags(cmd, flags, shows);
      const { workOnTickets } = await import('../../queue/work.ts');
      await workOnTickets(cmd, output, flags);
    });
  });
}
