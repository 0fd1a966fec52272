/** The tool `find_orders`: transactions of a customer, or by period and filters. */
import { orders } from '../../operations/orders.ts';
import { findAll, readQuery } from '../../workflows/find/find.ts';
import type { Days } from '../../workflows/period.ts';
import { operationArguments, periodFrom } from '../rows/arguments.ts';
import { type Paging, type Part, pagingArguments, partOf, readPart } from '../rows/paging.ts';
import { argumentsFor, inputOf, text } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolCall } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { listOutput, listResult } from './lists.ts';
import { orderColumns, orderRow, orderSchema, orderTexts } from './order-rows.ts';

const { list } = orders;

export const findOrders: Tool = {
  name: 'find_orders',
  title: 'Find orders',
  description:
    'Find transactions (sales, rebills, refunds, chargebacks), newest first: those of a customer in the last 90 days, or by filters in the last 7 days. totalOrderAmount is what the customer paid, in US dollars or in currency, which is disputed; youEarnUsd is what the account earns. A sale between two own accounts is listed with the role VENDOR; role AFFILIATE lists the other share.',
  writes: false,
  writtenByOthers: orderTexts,
  input: inputOf({
    customer: text('Email address, name or receipt; goes with dates, not with filters'),
    startDate: text(
      'First day, in all tools: YYYY-MM-DD, yesterday or -7d; or a period such as last-month or 2026-10',
    ),
    ...argumentsFor(list.params, 'endDate', 'type', 'role', 'affiliate', 'item'),
    ...pagingArguments,
  }),
  output: listOutput(orderSchema),
  async run(args, call) {
    const { first, last, ...found } = await search(args, call);
    const part = { ...found, rows: found.rows.map(orderRow) };
    return listResult('transaction', orderColumns, part, ` from ${first} to ${last}`);
  },
};

async function search(
  args: ToolArguments,
  { client, today }: ToolCall,
): Promise<Part<object> & Days> {
  const { customer, limit, cursor, startDate, endDate, ...filters } = args as Paging &
    ToolArguments;
  const isSearch = typeof customer === 'string';
  const days = periodFrom({ startDate, endDate }, today, [isSearch ? '-89d' : '-6d', 'today']);
  const paging = { limit, cursor };
  if (!isSearch) {
    const given = { ...filters, startDate: days.first, endDate: days.last };
    const asked = operationArguments(list, given, today);
    return { ...days, ...(await readPart(client, list, asked, paging)) };
  }
  const [filter] = Object.keys(filters);
  if (filter !== undefined) throw new ToolError(`Use customer or ${filter}, not both.`);
  const query = readQuery(customer.trim().split(/\s+/));
  const { orders: found } = await findAll(client, { query, days });
  return { ...days, ...partOf(found, [customer, days], paging) };
}
