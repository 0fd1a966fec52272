/** The tool `subscription_state`: the subscription of an order, or the subscriptions with a status. */
import { analytics } from '../../operations/analytics.ts';
import { lineItem, orders } from '../../operations/orders.ts';
import { orderOf } from '../../workflows/queue/ticket-details.ts';
import { paymentsOf } from '../../workflows/refund/refund.ts';
import type { Transaction } from '../../workflows/safe-write/reads.ts';
import { operationArguments } from '../rows/arguments.ts';
import { type Paging, type Part, pagingArguments, partOf } from '../rows/paging.ts';
import { pick, present, type ToolRow } from '../rows/pick.ts';
import { argumentsFor, inputOf, rowOf, text } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolCall } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { accountFrom } from './accounts.ts';
import { listOutput, listResult } from './lists.ts';

const { byStatus } = analytics;
const { resource } = byStatus.returns;

const listed = [
  ...(['receipt', 'status', 'itemNo', 'customerDisplayName', 'email', 'purchaseDate'] as const),
  ...(['nextPaymentDate', 'subCancelDate', 'subValue', 'currencyCode', 'frequency'] as const),
  ...(['processedPaymentsCount', 'futurePaymentsCount'] as const),
];

const itemFields = [
  ...(['itemNo', 'productTitle', 'status', 'nextPaymentDate', 'rebillAmount'] as const),
  ...(['processedPayments', 'futurePayments'] as const),
];

/** ClickBank writes this for a subscription without an end. */
const endless = 999;

export const subscriptionState: Tool = {
  name: 'subscription_state',
  title: 'Subscription state',
  description:
    'Show the subscription of an order: status, next payment, payments made and to come. Or list the subscriptions of an account with a status. futurePayments 999 means no end.',
  writes: false,
  writtenByOthers: ['fullName', 'customerDisplayName', 'email'],
  input: inputOf({
    receipt: text('Receipt of the order; otherwise pass status'),
    ...argumentsFor(byStatus.params, 'status'),
    account: text('Nickname of the account; needed with status if the key has several'),
    ...pagingArguments,
  }),
  output: listOutput({
    type: 'object',
    properties: {
      ...rowOf(lineItem, itemFields).properties,
      ...rowOf(resource, listed).properties,
      currency: text(),
      fullName: text(),
    },
  }),
  async run(args, call) {
    if ((args.receipt === undefined) === (args.status === undefined)) {
      throw new ToolError('Pass either receipt or status.');
    }
    if (args.receipt !== undefined) return ofOrder(args, call);
    const part = await withStatus(args, call);
    return listResult('subscription', listed, part, ` with status ${args.status}`);
  },
};

async function ofOrder(args: ToolArguments, { client, today }: ToolCall) {
  const asked = operationArguments(orders.get, { receipt: args.receipt }, today);
  const receipt = orderOf(asked.receipt.toUpperCase());
  const transactions = await client.call(orders.get, { receipt });
  const rows = subscriptionsIn(receipt, transactions);
  const columns = ['receipt', 'fullName', ...itemFields, 'currency'];
  return listResult('subscription', columns, { rows, next: undefined }, ` of ${receipt}`);
}

/** The latest payment has the current state. */
function subscriptionsIn(receipt: string, transactions: readonly Transaction[]): ToolRow[] {
  const [latest] = paymentsOf({ receipt, transactions });
  const { fullName, currency, lineItemData } = latest ?? {};
  return (lineItemData ?? [])
    .filter(({ recurring }) => recurring)
    .map((item) => {
      const future = item.futurePayments ?? endless;
      const shown = { ...pick(lineItem, itemFields, item), futurePayments: future };
      return present({ receipt, fullName, ...shown, currency });
    });
}

async function withStatus(args: ToolArguments, call: ToolCall): Promise<Part<ToolRow>> {
  const account = await accountFrom('account', args.account, call);
  const given = { role: 'VENDOR', account, status: args.status };
  const asked = operationArguments(byStatus, given, call.today);
  const all = await call.client.call(byStatus, asked);
  const part = partOf(all, asked, args as Paging);
  return { ...part, rows: part.rows.map((row) => pick(resource, listed, row)) };
}
