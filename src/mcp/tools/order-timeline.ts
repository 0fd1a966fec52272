/** The tool `order_timeline`: everything that happened to one order. */
import { orders } from '../../operations/orders.ts';
import { tickets } from '../../operations/tickets.ts';
import { orderOf } from '../../workflows/queue/ticket-details.ts';
import { paymentsOf } from '../../workflows/refund/refund.ts';
import { obstacleTo } from '../../workflows/refund/refundable.ts';
import type { Ticket, Transaction } from '../../workflows/safe-write/reads.ts';
import { unlessRefused } from '../../workflows/safe-write/verifier.ts';
import { operationArguments } from '../rows/arguments.ts';
import { linesOf } from '../rows/pick.ts';
import { argumentsFor, inputOf, listOf, outputOf, text } from '../rows/schemas.ts';
import type { Tool, ToolCall } from '../tool.ts';
import { countOf } from './lists.ts';
import { orderColumns, orderRow, orderSchema, orderTexts } from './order-rows.ts';
import { ticketFields, ticketRow, ticketTexts } from './ticket-rows.ts';

export const orderTimeline: Tool = {
  name: 'order_timeline',
  title: 'Order timeline',
  description:
    'Show what happened to an order: its sale, rebills, refunds and chargebacks, oldest first, and its tickets. refund of a payment says if it can be refunded.',
  writes: false,
  writtenByOthers: [...orderTexts, ...ticketTexts],
  input: inputOf(argumentsFor(orders.get.params, 'receipt'), ['receipt']),
  output: outputOf(
    {
      receipt: text(),
      rows: listOf({
        ...orderSchema,
        properties: { ...orderSchema.properties, refund: text() },
      }),
      tickets: listOf({ type: 'object' }),
      ticketsProblem: text(),
    },
    ['receipt', 'rows'],
  ),
  async run(args, call) {
    const asked = operationArguments(orders.get, args, call.today);
    const receipt = orderOf(asked.receipt.toUpperCase());
    const [found, opened] = await Promise.all([
      call.client.call(orders.get, { receipt }),
      unlessRefused(() => ticketsOf(call, receipt)),
    ]);
    const rows = rowsOf(receipt, found, opened);
    const problem = 'The tickets of the order could not be read with this key.';
    return {
      summary: `${receipt}: ${countOf(rows.length, 'transaction')}, ${opened ? countOf(opened.length, 'ticket') : 'tickets unknown'}.`,
      data: {
        receipt,
        rows,
        ...(opened ? { tickets: opened.map(ticketRow) } : { ticketsProblem: problem }),
      },
      lines: [
        ...linesOf([...orderColumns, 'refund'], rows),
        ...(opened ? linesOf(ticketFields, opened.map(ticketRow)) : [problem]),
      ],
    };
  },
};

async function ticketsOf({ client }: ToolCall, receipt: string): Promise<Ticket[]> {
  const found: Ticket[] = [];
  for await (const one of client.list(tickets.list, { receipt })) found.push(one);
  return found;
}

function rowsOf(receipt: string, transactions: readonly Transaction[], opened?: Ticket[]) {
  const sale = { receipt, transactions, tickets: opened };
  const payments = paymentsOf(sale);
  const instant = ({ transactionTime }: Transaction) => Date.parse(transactionTime ?? '') || 0;
  return transactions
    .toSorted((one, other) => instant(one) - instant(other))
    .map((one) => {
      if (!payments.includes(one)) return orderRow(one);
      const obstacle = obstacleTo(sale, one);
      const refund = obstacle ? `not possible: ${obstacle.clause}` : 'possible';
      return { ...orderRow(one), refund };
    });
}
