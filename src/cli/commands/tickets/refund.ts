/** `cb tickets refund`: the wizard. */
import type { Command } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import { allowDuplicateOption, helpGroups, verifyWaitOption } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { receiptFrom } from '../../flags/values.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import { type RefundFlags, refund } from '../../refund/wizard.ts';
import { addAction, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';

const helpText: HelpText = {
  notes: [
    'The wizard asks step by step, shows the amounts, and sends nothing before the last screen. It ends with the cb tickets create command that does the same without questions.',
  ],
  asks: true,
  examples: [
    'cb tickets refund',
    'cb tickets refund DIGITAL1',
    'cb tickets refund MONTHLY1 --dry-run',
  ],
  roles: [...orders.list.roles, ...tickets.create.roles],
  topics: ['safety', 'credentials'],
};

const shows = { asReceived: true };

export function addTicketRefund(group: Command, call: Call): void {
  const command = newCommand(call.context, 'refund')
    .description('Refund a payment or cancel a subscription, step by step')
    .argument('[receipt]', 'Receipt of the sale; without it, the wizard searches for it');
  addHelp(command, () => helpText);
  addShowFlags(command, shows);
  command
    .addOption(allowDuplicateOption())
    .optionsGroup(helpGroups.other)
    .option('--dry-run', 'Ask and check everything, print the request, and send nothing')
    .addOption(verifyWaitOption());
  addAction(command, call, async (cmd, flags: CommonFlags & ShowFlags & RefundFlags, receipt) => {
    const typed = receipt && receiptFrom(receipt);
    await refund(cmd, readShowFlags(cmd, flags, shows), typed, flags);
  });
  group.addCommand(command);
}
