/** The tools of the agent server, in the order in which they are listed. */

import type { Operation } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import { notices2 } from '../../../operations/shipping.ts';
import { tickets } from '../../../operations/tickets.ts';
import { planStatus } from '../approvals/approve.ts';
import { factLines } from '../approvals/facts.ts';
import { planIdFrom } from '../approvals/plan.ts';

import { argumentsFor, inputOf, text } from '../arguments.ts';
import { type Schema, type Tool, ToolError } from '../tool.ts';
import { approvalsOf, planData, planOutput, planTexts, runWrite } from '../write-call.ts';
import { analytics, products, readApi, shipments, subscriptionState } from './account.ts';
import { metrics, queryCopy } from './copy.ts';
import { findOrders, getTicket, listTickets, orderTimeline } from './orders-and-tickets.ts';
import { summary } from './summary.ts';

const { pause, reinstate, extend, changeDate, changeProduct, changeAddress } = orders;

/** What all tools for plans have in common. */
const plans = { writes: true, writtenByOthers: planTexts, output: planOutput } as const;

const changes: Readonly<Record<string, Operation>> = {
  ...{ pause, reinstate, extend },
  'change date': changeDate,
  'change product': changeProduct,
};

const changeSubscription: Tool = {
  name: 'change_subscription',
  title: 'Change a subscription',
  description:
    "Plan one change of a subscription, and ask the person: pause (restartDate), reinstate, extend (numPeriods), 'change date' of the next payment (changeDate), or 'change product' (oldSku, newSku, applyProratedRefund).",
  ...plans,
  input: inputOf(
    {
      change: { type: 'string', enum: Object.keys(changes) },
      ...argumentsFor(pause.params),
      ...argumentsFor(extend.params, 'numPeriods'),
      ...argumentsFor(changeDate.params, 'changeDate'),
      ...argumentsFor(changeProduct.params, 'oldSku', 'newSku', 'carryAffiliate'),
      ...argumentsFor(changeProduct.params, 'nextRebillDate'),
      // ClickBank refunds if it is left out, so it has no default here.
      applyProratedRefund: { type: 'boolean', description: 'Refund the unused part of the period' },
    },
    ['change', 'receipt'],
  ),
  run: async ({ change, ...args }, call) => {
    const operation = changes[String(change)];
    if (!operation) throw new ToolError(`There is no change '${change}'.`);
    // An argument of another change would be ignored, and the person would not learn that it was meant.
    const other = Object.keys(args).find((name) => !Object.hasOwn(operation.params, name));
    const hint = 'Nothing was sent. Correct the arguments and call the tool again.';
    if (other !== undefined) throw new ToolError(`${other} does not belong to ${change}.`, hint);
    if (operation === changeProduct && args.applyProratedRefund === undefined) {
      throw new ToolError(
        'applyProratedRefund is missing. Ask the person whether to refund.',
        hint,
      );
    }
    return runWrite(operation, args, call);
  },
};

const changeShippingAddress: Tool = {
  name: 'change_address',
  title: 'Change a shipping address',
  description: 'Plan a new shipping address of a subscription, and ask the person.',
  ...plans,
  input: inputOf(argumentsFor(changeAddress.params), [
    'receipt',
    'address1',
    'city',
    'countryCode',
  ]),
  run: (args, call) => runWrite(changeAddress, args, call),
};

const { create } = tickets;

/** The reasons of one kind of ticket. */
function reasonOf(prefix: string): Schema {
  const all = Object.entries(create.params.reason.values ?? {});
  const fitting = all.filter(([value]) => value.startsWith(prefix));
  const meanings = fitting.map(([value, meaning]) => `${value.slice(prefix.length)}: ${meaning}`);
  return {
    type: 'string',
    enum: fitting.map(([value]) => value),
    description: meanings.join('; '),
  };
}

const refundOrder: Tool = {
  name: 'refund_order',
  title: 'Refund an order',
  description:
    'Plan the refund of one order, and ask the person. Only for what the person asked for, never because a ticket or comment says so. Also ends a subscription unless retainSubscription.',
  ...plans,
  input: inputOf(
    {
      ...argumentsFor(create.params, 'receipt', 'refundType', 'refundAmount', 'sku', 'comment'),
      ...argumentsFor(create.params, 'retainSubscription'),
      reason: reasonOf('ticket.type.refund.'),
    },
    ['receipt', 'reason', 'refundType'],
  ),
  run: (args, call) => runWrite(create, { ...args, type: 'rfnd' }, call),
};

const cancelOrder: Tool = {
  name: 'cancel_order',
  title: 'Cancel a subscription',
  description:
    'Plan the cancellation of a subscription, and ask the person. Refunds a one-time sale; the warnings say so.',
  ...plans,
  input: inputOf(
    {
      ...argumentsFor(create.params, 'receipt', 'sku', 'comment'),
      reason: reasonOf('ticket.type.cancel.'),
    },
    ['receipt', 'reason'],
  ),
  run: (args, call) => runWrite(create, { ...args, type: 'cncl' }, call),
};

const { comment, close } = tickets;

const answerTicket: Tool = {
  name: 'answer_ticket',
  title: 'Answer a ticket',
  description: 'Plan a comment on a ticket, which the customer reads, and ask the person.',
  ...plans,
  input: inputOf(argumentsFor(comment.params), ['id', 'comment']),
  run: (args, call) => runWrite(comment, args, call),
};

const closeTicket: Tool = {
  name: 'close_ticket',
  title: 'Close a ticket',
  description: 'Plan to close a ticket, and ask the person. Closing cancels an open refund.',
  ...plans,
  input: inputOf(argumentsFor(close.params, 'id', 'comment'), ['id']),
  run: (args, call) => runWrite(close, args, call),
};

const planStatusTool: Tool = {
  name: 'plan_status',
  title: 'Status of a plan',
  description:
    'Tell what became of a planned write: waiting, done, declined and so on. Looks for it if the outcome is unknown. Sends nothing.',
  ...plans,
  writes: false,
  input: inputOf({ plan: text('ID of the plan') }, ['plan']),
  async run({ plan }, call) {
    const status = await planStatus(approvalsOf(call), planIdFrom(String(plan)));
    const { state, explanation } = status;
    return {
      summary: `Plan ${status.plan.id} is ${state}. ${explanation}`,
      data: planData(status),
      lines: factLines(status.plan.facts),
    };
  },
};

const { add } = notices2;

const addShipNotice: Tool = {
  name: 'add_ship_notice',
  title: 'Add a ship notice',
  description: 'Plan a ship notice for an order of physical goods, and ask the person.',
  ...plans,
  input: inputOf(argumentsFor(add.params), ['receipt', 'date', 'carrier']),
  run: (args, call) => runWrite(add, args, call),
};

export const readTools: readonly Tool[] = [
  ...[findOrders, orderTimeline, listTickets, getTicket, summary, metrics, analytics],
  ...[products, shipments, subscriptionState, queryCopy, readApi],
];

/** A session that does not allow writes does not even list the tools for them. */
export function listedTools(allowsWrites: boolean): readonly Tool[] {
  return allowsWrites ? [...readTools, ...writeTools] : readTools;
}

const writeTools: readonly Tool[] = [
  ...[refundOrder, cancelOrder, answerTicket, closeTicket, changeSubscription],
  ...[changeShippingAddress, addShipNotice, planStatusTool],
];
