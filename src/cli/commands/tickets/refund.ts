/** `cb tickets refund`: the refund wizard. */
import type { Command } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import { allowDuplicateOption, helpGroups, verifyWaitOption } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { receiptFrom } from '../../flags/values.ts';
import { addHelp, type HelpText, requestOptions } from '../../help/help-text.ts';
import type { RefundFlags } from '../../refund/wizard.ts';
import { addAction, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';

const helpText: HelpText = {
  notes: [
    'Asks step by step, shows the amounts, and sends nothing before you confirm the last step. At the end, prints the cb tickets create command that does the same without prompts.',
  ],
  asks: true,
  examples: [
    'cb tickets refund',
    'cb tickets refund DIGITAL1',
    'cb tickets refund MONTHLY1 --dry-run',
  ],
  roles: [...orders.list.roles, ...tickets.create.roles],
  obeys: requestOptions,
  effect: 'destroys',
  topics: ['safety', 'credentials'],
};

const shows = { asReceived: true };

export function addTicketRefund(group: Command, call: Call): void {
  const command = newCommand(call.context, 'refund')
    .description('Refund or cancel an order, step by step')
    .argument('[receipt]', 'Receipt of the sale (default: cb helps to find it)');
  addHelp(command, () => helpText);
  addShowFlags(command, shows);
  command
    .addOption(allowDuplicateOption())
    .optionsGroup(helpGroups.options)
    .option('--dry-run', 'Ask for everything, but do not send the request')
    .addOption(verifyWaitOption());
  addAction(command, call, async (cmd, flags: CommonFlags & ShowFlags & RefundFlags, receipt) => {
    const typed = receipt && receiptFrom(receipt);
    const { refund } = await import('../../refund/wizard.ts');
    await refund(cmd, readShowFlags(cmd, flags, shows), typed, flags);
  });
  group.addCommand(command);
}
