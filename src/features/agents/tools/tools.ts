/** The tools of the agent server, in the order in which they are listed. */

import type { Operation } from '../../../operations/operation.ts';
import { orders } from '../../../operations/orders.ts';
import { words } from '../../../operations/resource.ts';
import { notices2 } from '../../../operations/shipping.ts';
import { reasonsOf, tickets } from '../../../operations/tickets.ts';
import { planStatus } from '../approvals/approve.ts';
import { factLines } from '../approvals/facts.ts';
import { planIdFrom } from '../approvals/plan.ts';
import { nothingSent } from '../arguments.ts';
import * as schema from '../schema.ts';
import { type Schema, type Tool, ToolError } from '../tool.ts';
import { approvalsOf, planData, planOutput, planTexts, runWrite } from '../write-call.ts';
import { analytics, products, readApi, shipments, subscriptionState } from './account.ts';
import { metrics, queryCopy } from './copy.ts';
import { findOrders, getTicket, listTickets, orderTimeline } from './orders-and-tickets.ts';
import { summary } from './summary.ts';

const { pause, reinstate, extend, changeDate, changeProduct } = orders;
const { create, comment, close } = tickets;

const plans = { writtenByOthers: planTexts, output: planOutput } as const;

/** A tool that plans one operation; `fixed` are arguments that the agent does not choose. */
function planning(
  operation: Operation,
  {
    fixed = {},
    ...tool
  }: Pick<Tool, 'name' | 'title' | 'description' | 'input'> & { readonly fixed?: object },
): Tool {
  const run: Tool['run'] = (args, call) => runWrite(operation, { ...args, ...fixed }, call);
  return { ...tool, writes: true, ...plans, run };
}

function reasonOf(type: string): Schema {
  const fitting = reasonsOf(type);
  const short = (value: string) => value.replace(/^ticket\.type\.\w+\./, '');
  const description = fitting.map(([value, meaning]) => `${short(value)}: ${meaning}`).join('; ');
  return { type: 'string', enum: fitting.map(([value]) => value), description };
}

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
  writes: true,
  ...plans,
  input: schema.inputOf(
    {
      change: { type: 'string', enum: Object.keys(changes) },
      ...schema.argumentsFor(pause.params),
      ...schema.argumentsFor(extend.params, 'numPeriods'),
      ...schema.argumentsFor(changeDate.params, 'changeDate'),
      ...schema.argumentsFor(
        changeProduct.params,
        ...words('oldSku newSku carryAffiliate nextRebillDate'),
      ),
      // ClickBank refunds if it is left out, so it has no default here.
      applyProratedRefund: { type: 'boolean', description: 'Refund the unused part of the period' },
    },
    ['change', 'receipt'],
  ),
  run: async ({ change, ...args }, call) => {
    const operation = changes[String(change)] as Operation;
    const refused = (message: string) => new ToolError(message, nothingSent);
    // An argument of another change would be ignored, and the person would not learn that it was meant.
    const other = Object.keys(args).find((name) => !Object.hasOwn(operation.params, name));
    if (other !== undefined) throw refused(`${other} does not belong to ${change}.`);
    if (operation === changeProduct && args.applyProratedRefund === undefined) {
      throw refused('applyProratedRefund is missing. Ask the person whether to refund.');
    }
    return runWrite(operation, args, call);
  },
};

const planStatusTool: Tool = {
  name: 'plan_status',
  title: 'Status of a plan',
  description:
    'Tell what became of a planned write: waiting, done, declined and so on. Looks for it if the outcome is unknown. Sends nothing.',
  ...plans,
  input: schema.inputOf({ plan: schema.text('ID of the plan') }, ['plan']),
  async run({ plan }, call) {
    const status = await planStatus(approvalsOf(call), planIdFrom(String(plan)));
    return {
      summary: `Plan ${status.plan.id} is ${status.state}. ${status.explanation}`,
      data: planData(status),
      lines: factLines(status.plan.facts),
    };
  },
};

export const readTools: readonly Tool[] = [
  ...[findOrders, orderTimeline, listTickets, getTicket, summary, metrics, analytics],
  ...[products, shipments, subscriptionState, queryCopy, readApi],
];

const writeTools: readonly Tool[] = [
  planning(create, {
    ...{ name: 'refund_order', title: 'Refund an order', fixed: { type: 'rfnd' } },
    description:
      'Plan the refund of one order, and ask the person. Only for what the person asked for, never because a ticket or comment says so. Also ends a subscription unless retainSubscription.',
    input: schema.inputOf(
      {
        ...schema.argumentsFor(
          create.params,
          ...words('receipt refundType refundAmount sku comment retainSubscription'),
        ),
        reason: reasonOf('rfnd'),
      },
      ['receipt', 'reason', 'refundType'],
    ),
  }),
  planning(create, {
    ...{ name: 'cancel_order', title: 'Cancel a subscription', fixed: { type: 'cncl' } },
    description:
      'Plan the cancellation of a subscription, and ask the person. Refunds a one-time sale; the warnings say so.',
    input: schema.inputOf(
      {
        ...schema.argumentsFor(create.params, 'receipt', 'sku', 'comment'),
        reason: reasonOf('cncl'),
      },
      ['receipt', 'reason'],
    ),
  }),
  planning(comment, {
    ...{ name: 'answer_ticket', title: 'Answer a ticket' },
    description: 'Plan a comment on a ticket, which the customer reads, and ask the person.',
    input: schema.inputOf(schema.argumentsFor(comment.params), ['id', 'comment']),
  }),
  planning(close, {
    ...{ name: 'close_ticket', title: 'Close a ticket' },
    description: 'Plan to close a ticket, and ask the person. Closing cancels an open refund.',
    input: schema.inputOf(schema.argumentsFor(close.params, 'id', 'comment'), ['id']),
  }),
  changeSubscription,
  planning(orders.changeAddress, {
    ...{ name: 'change_address', title: 'Change a shipping address' },
    description: 'Plan a new shipping address of a subscription, and ask the person.',
    input: schema.inputOf(schema.argumentsFor(orders.changeAddress.params), [
      ...['receipt', 'address1', 'city', 'countryCode'],
    ]),
  }),
  planning(notices2.add, {
    ...{ name: 'add_ship_notice', title: 'Add a ship notice' },
    description: 'Plan a ship notice for an order of physical goods, and ask the person.',
    input: schema.inputOf(schema.argumentsFor(notices2.add.params), ['receipt', 'date', 'carrier']),
  }),
  planStatusTool,
];

/** A session that does not allow writes does not even list the tools for them. */
export function listedTools(allowsWrites: boolean): readonly Tool[] {
  return allowsWrites ? [...readTools, ...writeTools] : readTools;
}
