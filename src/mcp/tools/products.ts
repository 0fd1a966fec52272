/** The tool `products`: the products of an account, or one product with its prices. */
import { products as operations, product } from '../../operations/products.ts';
import { accountsOf } from '../../workflows/earnings/read-transactions.ts';
import { operationArguments } from '../rows/arguments.ts';
import { nextField, type Paging, pagingArguments, partOf } from '../rows/paging.ts';
import { linesOf, pick, type ToolRow } from '../rows/pick.ts';
import { argumentsFor, inputOf, listOf, outputOf, rowOf, text } from '../rows/schemas.ts';
import type { Tool, ToolArguments, ToolCall } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { countOf, moreOf } from './words.ts';

const fields = [
  ...(['sku', 'title', 'status', 'site', 'language', 'digital', 'physical'] as const),
  ...(['digitalRecurring', 'physicalRecurring'] as const),
];

const details = [...fields, 'description', 'pricings', 'commission', 'sale_refund_days_limit'];

export const products: Tool = {
  name: 'products',
  title: 'Products',
  description: 'List the products of an account, or show one product with its prices by its SKU.',
  writes: false,
  input: inputOf({
    sku: text('Only this product, with prices and commission'),
    site: text('Nickname of the account; needed only if the key has several'),
    ...argumentsFor(operations.list.params, 'type'),
    ...pagingArguments,
  }),
  output: outputOf(
    { rows: listOf(rowOf(product, [...fields, 'pricings', 'commission'])), ...nextField },
    ['rows'],
  ),
  async run(args, call) {
    const site = await siteOf(args, call);
    const { rows, next } = await read({ ...args, site }, call);
    return {
      summary: `${countOf(rows.length, 'product')} of ${site}${moreOf(next)}.`,
      data: { rows, ...(next !== undefined && { next }) },
      lines: linesOf(args.sku === undefined ? fields : details, rows),
    };
  },
};

async function read(args: ToolArguments, { client, today }: ToolCall) {
  if (args.sku !== undefined) {
    const found = await client.call(
      operations.get,
      operationArguments(operations.get, args, today),
    );
    return { rows: [pick(product, details, found)] as ToolRow[], next: undefined };
  }
  const known = operationArguments(operations.list, args, today);
  const all = await client.call(operations.list, known);
  const { rows, next } = partOf(all, known, args as Paging);
  return { rows: rows.map((row) => pick(product, fields, row)), next };
}

/** Returns the account that was asked for, or the only one of the key. Throws a ToolError. */
export async function siteOf(args: ToolArguments, { client }: ToolCall): Promise<string> {
  if (typeof args.site === 'string') return args.site;
  const accounts = await accountsOf(client);
  const [only, other] = accounts;
  if (only !== undefined && other === undefined) return only;
  throw new ToolError('The key has several accounts.', `Pass site: ${accounts.join(', ')}.`);
}
