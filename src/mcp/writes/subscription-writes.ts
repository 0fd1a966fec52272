/** The tools `change_subscription` and `change_address`. */
import type { Operation } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import { argumentsFor, inputOf } from '../rows/arguments.ts';
import type { Tool, ToolArguments } from '../tool.ts';
import { ToolError } from '../tool.ts';
import { planOutput, planTexts } from './plan-output.ts';
import { runWrite } from './write-call.ts';

const { pause, reinstate, extend, changeDate, changeProduct, changeAddress } = orders;

const changes: Readonly<Record<string, Operation>> = {
  ...{ pause, reinstate, extend },
  'change date': changeDate,
  'change product': changeProduct,
};

export const changeSubscription: Tool = {
  name: 'change_subscription',
  title: 'Change a subscription',
  description:
    "Plan one change of a subscription, and ask the person: pause (restartDate), reinstate, extend (numPeriods), 'change date' of the next payment (changeDate), or 'change product' (oldSku, newSku, applyProratedRefund).",
  writes: true,
  writtenByOthers: planTexts,
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
  output: planOutput,
  run: async ({ change, ...args }, call) => {
    const operation = changes[String(change)];
    if (!operation) throw new ToolError(`There is no change '${change}'.`);
    requireFitting(String(change), operation, args);
    return runWrite(operation, args, call);
  },
};

/** An argument of another change would be ignored, and the person would not learn that it was meant. */
function requireFitting(change: string, { params }: Operation, args: ToolArguments): void {
  const other = Object.keys(args).find((name) => !Object.hasOwn(params, name));
  const hint = 'Nothing was sent. Correct the arguments and call the tool again.';
  if (other !== undefined) throw new ToolError(`${other} does not belong to ${change}.`, hint);
  if (Object.hasOwn(params, 'applyProratedRefund') && args.applyProratedRefund === undefined) {
    throw new ToolError('applyProratedRefund is missing. Ask the person whether to refund.', hint);
  }
}

export const changeShippingAddress: Tool = {
  name: 'change_address',
  title: 'Change a shipping address',
  description: 'Plan a new shipping address of a subscription, and ask the person.',
  writes: true,
  writtenByOthers: planTexts,
  input: inputOf(argumentsFor(changeAddress.params), [
    'receipt',
    'address1',
    'city',
    'countryCode',
  ]),
  output: planOutput,
  run: (args, call) => runWrite(changeAddress, args, call),
};
