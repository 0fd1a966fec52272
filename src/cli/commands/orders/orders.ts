/** `cb orders …` */
import { Option } from 'commander';
import type { Client } from '../../../client/client.ts';
import type { Arguments } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import type { View, ViewFacts } from '../../display/view.ts';
import { endpointCommands } from '../../endpoint/endpoint-command.ts';
import { allowRefundOption, helpGroups } from '../../flags/flags.ts';
import type { GroupSpec } from '../../runtime/define.ts';
import { orderView } from './order-view.ts';
import { ownReferrals, withOwnReferrals } from './own-referrals.ts';
import { timelines } from './timeline.ts';
import { watch } from './watch.ts';

export const ordersGroup: GroupSpec = {
  words: 'orders',
  help: {
    asks: true,
    examples: [
      'cb orders list --type RFND --period last-month',
      "cb orders list --email '%@example.com' --period last-3-months",
      'cb orders get MONTHLY1',
      'cb orders pause MONTHLY1 --restart-date +45d --dry-run',
    ],
    topics: ['dates', 'output', 'safety'],
  },
  commands: endpointCommands(Object.values(orders), {
    special: {
      'orders list': { view: listView, layouts: true, next: watch },
      'orders get': {
        view: receiptView,
        many: 'receipt',
        flags: [fullOption()],
        examples: ['cb orders get MONTHLY1 --full'],
      },
      'orders upsells': { view: () => orderView },
      'orders active': { confirmNo: isActive },
      'orders change-product': { flags: [allowRefundOption()], effect: 'destroys' },
    },
  }),
};

/** With `--layout accounting`, the list has the shares of all accounts of the key; otherwise it says what is missing. */
function listView(args: Arguments, { typed = {} }: Partial<ViewFacts> = {}): View {
  const { role, startDate, endDate, type, ...filters }: Arguments<typeof orders.list.params> = args;
  if (role !== undefined) return orderView;
  if (typed.layout === 'accounting' && typed.sinceLast === undefined) {
    return { ...orderView, requests: withOwnReferrals() };
  }
  // Who looks for an order adds nothing up.
  return Object.keys(filters).length > 0 ? orderView : { ...orderView, leftOut: ownReferrals() };
}

function fullOption(): Option {
  const summary = 'Show all fields of each transaction, not one line';
  return new Option('--full', summary).helpGroup(helpGroups.output);
}

/** A timeline of the receipt, or cards with all fields. */
function receiptView(_: Arguments, { typed = {} }: Partial<ViewFacts> = {}): View {
  const view: View = { ...orderView, layout: 'cards' };
  if (typed.full) return view;
  const screen: View['screen'] = (rows, options) => timelines(rows, options);
  return { ...view, screen };
}

/**
 * ClickBank uses the same status for inactive, unknown, not permitted and too many requests. If the order can be
 * read, it exists and the key is permitted, so a second no means inactive.
 */
async function isActive(
  api: Client,
  { receipt }: Arguments<typeof orders.active.params>,
): Promise<boolean> {
  await api.call(orders.get, { receipt });
  return api.call(orders.active, { receipt });
}
