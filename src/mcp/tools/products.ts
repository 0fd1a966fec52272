/** The tool `products`: the products of an account, or one product with its prices. */
import { products as operations, product } from '../../operations/products.ts';
import { operationArguments } from '../rows/arguments.ts';
import { type Paging, type Part, pagingArguments, partOf } from '../rows/paging.ts';
import { pick, type ToolRow } from '../rows/pick.ts';
import { argumentsFor, inputOf, rowOf, text } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolCall } from '../tool.ts';
import { accountFrom } from './accounts.ts';
import { listOutput, listResult } from './lists.ts';

export const productFields = [
  ...(['sku', 'title', 'status', 'site', 'language', 'digital', 'physical'] as const),
  ...(['digitalRecurring', 'physicalRecurring'] as const),
];

const details = [
  ...productFields,
  ...(['description', 'pricings', 'commission', 'sale_refund_days_limit'] as const),
];

export const products: Tool = {
  name: 'products',
  title: 'Products',
  description: 'List the products of an account, or show one product with its prices by its SKU.',
  writes: false,
  input: inputOf({
    sku: text('Only this product, with prices and commission'),
    site: text('Nickname of the account; needed if the key has several'),
    ...argumentsFor(operations.list.params, 'type'),
    ...pagingArguments,
  }),
  output: listOutput(rowOf(product, details)),
  async run(args, call) {
    const site = await accountFrom('site', args.site, call);
    const part = await read({ ...args, site }, call);
    const columns = args.sku === undefined ? productFields : details;
    return listResult('product', columns, part, ` of ${site}`);
  },
};

async function read(args: ToolArguments, { client, today }: ToolCall): Promise<Part<ToolRow>> {
  const { get, list } = operations;
  if (args.sku !== undefined) {
    const { type: _, ...one } = args;
    const found = await client.call(get, operationArguments(get, one, today));
    return { rows: [pick(product, details, found)], next: undefined };
  }
  const known = operationArguments(list, args, today);
  const all = await client.call(list, known);
  const part = partOf(all, known, args as Paging);
  return { ...part, rows: part.rows.map((row) => pick(product, productFields, row)) };
}
