/** `cb tickets refund`: the refund wizard. */
import { orders } from '../../../operations/orders.ts';
import { tickets } from '../../../operations/tickets.ts';
import { allowDuplicateOption, verifyWaitOption } from '../../flags/flags.ts';
import { receiptFrom } from '../../flags/values.ts';
import { requestOptions } from '../../help/help-text.ts';
import { command } from '../../runtime/define.ts';

export const refund = command({
  words: 'tickets refund',
  summary: 'Refund or cancel an order, step by step',
  args: { '[receipt]': 'Receipt of the sale (default: cb helps to find it)' },
  lastOptions: {
    allowDuplicate: allowDuplicateOption(),
    dryRun: ['--dry-run', 'Ask for everything, but do not send the request'],
    verifyWait: verifyWaitOption(),
  },
  shows: { asReceived: true },
  help: {
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
  },
  async run(cmd, flags, output) {
    const typed = flags.receipt && receiptFrom(flags.receipt);
    const { refund } = await import('../../refund/wizard.ts');
    await refund(cmd, output, typed, flags);
  },
});
