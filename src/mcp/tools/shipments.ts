/** The tool `shipments`: orders of physical goods, and the ship notices of an order. */
import { notices2, shipping3 } from '../../operations/shipping.ts';
import { unlessRefused } from '../../workflows/safe-write/verifier.ts';
import { operationArguments } from '../rows/arguments.ts';
import { type Paging, pagingArguments, readPart } from '../rows/paging.ts';
import { linesOf, pick, present, type ToolRow } from '../rows/pick.ts';
import { argumentsFor, inputOf, listOf, outputOf, rowOf, text } from '../rows/schemas.ts';
import type { Tool } from '../tool.ts';
import { listResult } from './lists.ts';

const { list } = shipping3;
const { resource } = list.returns;
const notice = notices2.list.returns.resource;

const fields = [
  ...(['receipt', 'transactionTime', 'fullName', 'address1', 'address2', 'city'] as const),
  ...(['state', 'postalCode', 'country', 'vendor'] as const),
];

const itemFields = ['itemNo', 'productTitle', 'quantity', 'isRefundPending', 'hasBeenRefunded'];
const item = resource.fields.lineItemShipData.resource;
const noticeFields = ['itemNo', 'shipDate', 'carrier', 'trackingId', 'comments'];

export const shipments: Tool = {
  name: 'shipments',
  title: 'Shipments',
  description:
    'List orders of physical goods with their addresses, shipped or not (default: not shipped, the last 30 days), or one order with its ship notices.',
  writes: false,
  writtenByOthers: ['fullName', 'address fields'],
  input: inputOf({
    ...argumentsFor(list.params, 'status', 'startDate', 'endDate', 'receipt'),
    ...pagingArguments,
  }),
  output: outputOf(
    {
      rows: listOf(rowOf(resource, fields)),
      notices: listOf(rowOf(notice, noticeFields)),
      next: text(),
    },
    ['rows'],
  ),
  async run(args, { client, today }) {
    const { limit, cursor, ...filters } = args as Paging & Record<string, unknown>;
    const isOne = filters.receipt !== undefined;
    const given = isOne ? { status: 'all', ...filters } : { status: 'notshipped', ...filters };
    const asked = operationArguments(list, given, today);
    const { rows, next } = await readPart(client, list, asked, { limit, cursor });
    const receipt = asked.receipt ?? '';
    const sent = isOne
      ? await unlessRefused(() => client.call(notices2.list, { receipt }))
      : undefined;
    const result = listResult('order', [...fields, 'items'], { rows: rows.map(rowFrom), next });
    const found = sent?.map((one) => pick(notice, noticeFields, one));
    return {
      ...result,
      data: present({ ...result.data, notices: found }),
      lines: [...(result.lines ?? []), ...linesOf(noticeFields, found ?? [])],
    };
  },
};

function rowFrom(row: object): ToolRow {
  const { lineItemShipData } = row as { lineItemShipData?: readonly object[] | null };
  const items = lineItemShipData?.map((one) => (item ? pick(item, itemFields, one) : one));
  return present({ ...pick(resource, fields, row), items });
}
