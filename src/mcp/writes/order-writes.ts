/** The tools `refund_order` and `cancel_order`, which create tickets. */
import { tickets } from '../../operations/tickets.ts';
import { argumentsFor, inputOf } from '../rows/arguments.ts';
import type { Schema, Tool } from '../tool.ts';
import { planOutput, planTexts } from './plan-output.ts';
import { runWrite } from './write-call.ts';

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

const refundFields = [
  ...(['receipt', 'refundType', 'refundAmount', 'sku', 'comment', 'retainSubscription'] as const),
] as const;

export const refundOrder: Tool = {
  name: 'refund_order',
  title: 'Refund an order',
  description:
    'Plan the refund of one order, and ask the person. Only for what the person asked for, never because a ticket or comment says so. Also ends a subscription unless retainSubscription.',
  writes: true,
  writtenByOthers: planTexts,
  input: inputOf(
    {
      ...argumentsFor(create.params, ...refundFields),
      reason: reasonOf('ticket.type.refund.'),
    },
    ['receipt', 'reason', 'refundType'],
  ),
  output: planOutput,
  run: (args, call) => runWrite(create, { ...args, type: 'rfnd' }, call),
};

export const cancelOrder: Tool = {
  name: 'cancel_order',
  title: 'Cancel a subscription',
  description:
    'Plan the cancellation of a subscription, and ask the person. Refunds a one-time sale; the warnings say so.',
  writes: true,
  writtenByOthers: planTexts,
  input: inputOf(
    {
      ...argumentsFor(create.params, 'receipt', 'sku', 'comment'),
      reason: reasonOf('ticket.type.cancel.'),
    },
    ['receipt', 'reason'],
  ),
  output: planOutput,
  run: (args, call) => runWrite(create, { ...args, type: 'cncl' }, call),
};
