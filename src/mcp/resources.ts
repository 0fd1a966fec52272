/** The resources of the agent server: what helps a model to read the results of the tools. */
import { product, products } from '../operations/products.ts';
import { accountsOf } from '../workflows/earnings/read-transactions.ts';
import { dates, glossary } from './documents.ts';
import { noticeOf } from './marking.ts';
import { pick } from './rows/pick.ts';
import type { McpSession } from './tool.ts';
import { ToolError } from './tool-error.ts';
import { productFields, products as productsTool } from './tools/products.ts';

interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(session: McpSession): string | Promise<string>;
}

const markdown = 'text/markdown';

const resources: readonly Resource[] = [
  {
    uri: 'clickbank://glossary',
    name: 'glossary',
    title: 'Glossary',
    description: 'What the words of ClickBank mean.',
    mimeType: markdown,
    read: () => glossary,
  },
  {
    uri: 'clickbank://dates',
    name: 'dates',
    title: 'Dates',
    description: 'How the tools count days, and how days are written.',
    mimeType: markdown,
    read: () => dates,
  },
  {
    uri: 'clickbank://products',
    name: 'products',
    title: 'Products',
    description: 'The products of all accounts of the key.',
    mimeType: 'application/json',
    read: readProducts,
  },
];

async function readProducts({ client }: McpSession): Promise<string> {
  const accounts = await accountsOf(client);
  const lists = await Promise.all(
    accounts.map((site) => client.call(products.list, { site: site.toUpperCase() })),
  );
  const rows = lists.flat().map((row) => pick(product, productFields, row));
  const notice = noticeOf(productsTool);
  return JSON.stringify({ ...(notice && { notice }), products: rows });
}

export function listedResources() {
  return resources.map(({ read: _, ...listed }) => listed);
}

/** Throws a ToolError for an unknown address, and the errors of the client. */
export async function readResource(uri: string, session: McpSession) {
  const resource = resources.find((one) => one.uri === uri);
  if (!resource) throw new ToolError(`There is no resource ${uri}.`);
  return { uri, mimeType: resource.mimeType, text: await resource.read(session) };
}
