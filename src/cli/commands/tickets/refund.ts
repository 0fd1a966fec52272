/** `cb tickets refund`: the wizard. */
import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import { allowDuplicateOption, helpGroups } from '../../flags/flags.ts';
import { addShowFlags, readShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { verifyWaitOption } from '../../flags/write-options.ts';
import { addHelp, type HelpText } from '../../help/help-text.ts';
import type { RefundFlags } from '../../refund/wizard.ts';
import { refund } from '../../refund/wizard.ts';
import { newCommand } from '../../runtime/command.ts';
import { type Call, type CommonFlags, contextFor } from '../../runtime/command-context.ts';

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
  command.addOption(allowDuplicateOption());
  command.addOption(
    new Option(
      '--dry-run',
      'Ask and check everything, print the request, and send nothing',
    ).helpGroup(helpGroups.other),
  );
  command.addOption(verifyWaitOption());
  command.action(async (receipt: string | undefined) => {
    const flags = command.optsWithGlobals<CommonFlags & ShowFlags & RefundFlags>();
    const cmd = contextFor(call, flags);
    await refund(cmd, readShowFlags(cmd, flags, shows), receipt, flags);
  });
  group.addCommand(command);
}
