/** `cb ins reconcile`: compares the journal with the orders. */
import { type Command, Option } from 'commander';
import { orders } from '../../../operations/orders.ts';
import { addParameters, helpGroups, type Typed } from '../../flags/flags.ts';
import { addPeriodSynonyms } from '../../flags/period-synonyms.ts';
import { addShowFlags, type ShowFlags } from '../../flags/show-flags.ts';
import { addHelp, type HelpText, requestOptions } from '../../help/help-text.ts';
import type { ReconcileFlags } from '../../ins/journal/reconcile.ts';
import { reconciledOrders } from '../../ins/journal/reconciled-orders.ts';
import { addAction, addCommand, newCommand } from '../../runtime/command.ts';
import type { Call, CommonFlags } from '../../runtime/command-context.ts';
import { addOptions, destinationOptions } from './listen.ts';

type Flags = CommonFlags & ShowFlags & ReconcileFlags & Typed;

const helpText: HelpText = {
  notes: [
    'Shows transactions without an event, events without a transaction, and events that came twice or have another amount. Exit code 8 means that there is a difference. Of the last 17 hours, ClickBank may still send events: they count as late.',
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
};

export function addReconcile(group: Command, call: Call): void {
  const command = newCommand(call.context, 'reconcile').description(
    'Compare received events with your orders',
  );
  addCommand(group, command, call, () => {
    addParameters(command, reconciledOrders);
    addPeriodSynonyms(command, reconciledOrders);
    const replay = new Option(
      '--replay-missing',
      'Reconstruct and forward the events that never came',
    );
    command.addOption(replay.helpGroup(helpGroups.options));
    addOptions(command, destinationOptions);
    addShowFlags(command, { rows: true });
    addHelp(command, () => helpText);
    addAction<Flags>(command, call, async (cmd, flags) => {
      const { reconcile } = await import('../../ins/journal/reconcile.ts');
      await reconcile(cmd, flags);
    });
  });
}
