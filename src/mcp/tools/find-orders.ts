/** The tool `find_orders`: transactions of a customer, or by period and filters. */
import { lineItem, order, orders } from '../../operations/orders.ts';
import { findAll } from '../../workflows/find/find.ts';
import { readQuery } from '../../workflows/find/query.ts';
import { operationArguments, periodFrom } from '../rows/arguments.ts';
import {
  nextField,
  type Paging,
  type Part,
  pagingArguments,
  partOf,
  readPart,
} from '../rows/paging.ts';
import { linesOf, pick, type ToolRow } from '../rows/pick.ts';
import { argumentsFor, inputOf, listOf, outputOf, rowOf, text } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolCall } from '../tool.ts';
import { countOf, moreOf } from './words.ts';

const { list } = orders;

/** The fields of a transaction that most questions need. */
export const orderFields = [
  ...(['receipt', 'transactionTime', 'transactionType', 'totalOrderAmount', 'currency'] as const),
  ...(['fullName', 'email', 'country', 'vendor', 'affiliate', 'trackingId', 'role'] as const),
  'customerRefundableState',
] as const;

const lineFields = ['itemNo', 'productTitle', 'quantity', 'accountAmount', 'status'] as const;

export const findOrders: Tool = {
  name: 'find_orders',
  title: 'Find orders',
  description:
    'Find transactions (sales, rebills, refunds, chargebacks), newest first. Pass customer to search by email address, name or receipt in the last 90 days, or filters with startDate and endDate. accountAmount of an item is what the account earns, in USD.',
  writes: false,
  writtenByOthers: ['fullName', 'email', 'trackingId'],
  input: inputOf({
    customer: text('Email address, name or receipt; with dates only, no other filters'),
    ...argumentsFor(list.params, 'startDate', 'endDate', 'type', 'role', 'affiliate', 'item'),
    ...pagingArguments,
  }),
  output: outputOf(
    { notice: text(), rows: listOf(rowOf(order, [...orderFields, 'lineItemData'])), ...nextField },
    ['rows'],
  ),
  async run(args, call) {
    const { rows: found, next } = await search(args, call);
    const rows = found.map(orderRow);
    return {
      summary: `${countOf(rows.length, 'transaction')}${moreOf(next)}. Times are Pacific.`,
      data: { rows, ...(next !== undefined && { next }) },
      lines: linesOf(orderFields, rows),
    };
  },
};

async function search(args: ToolArguments, { client, today }: ToolCall): Promise<Part<object>> {
  const { customer, limit, cursor, ...filters } = args as Paging & Record<string, unknown>;
  const paging = { limit, cursor };
  if (typeof customer !== 'string') {
    const usual = filters.startDate === undefined ? { startDate: '-6d', endDate: 'today' } : {};
    const given = { endDate: 'today', ...usual, ...filters };
    return readPart(client, list, operationArguments(list, given, today), paging);
  }
  const days = periodFrom(filters, today, ['-89d', 'today']);
  const query = readQuery(customer.trim().split(/\s+/));
  const { orders: found } = await findAll(client, { query, days });
  return partOf(found, [customer, days], paging);
}

/** A transaction as a row of a tool, with its items. */
export function orderRow(row: object): ToolRow {
  const { lineItemData } = row as { lineItemData?: readonly object[] | null };
  const items = lineItemData?.map((one) => pick(lineItem, lineFields, one));
  return { ...pick(order, orderFields, row), ...(items && { lineItemData: items }) };
}
