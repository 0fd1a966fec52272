/** What the service writes is what is copied: every page of every list that comes in pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCopier } from '../../src/copying/copier.ts';
import { catalogue } from '../../src/operations/index.ts';
import type { Resource } from '../../src/operations/resource.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';

/** Lists whose rows stand right in the answer: those of analytics stand beside their totals. */
const lists = catalogue.flatMap(({ command, path, returns }) =>
  returns.kind === 'pages' && !('inside' in returns && returns.inside)
    ? [{ command, path, resource: returns.resource as Resource }]
    : [],
);

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ file: ':memory:', seed: { orders: 1500 } });
});
afterAll(() => sandbox.close());

async function bodiesOf(path: string): Promise<Buffer[]> {
  const authorization = sandbox.keys[0]?.key ?? '';
  const bodies: Buffer[] = [];
  for (let page = 1; ; page++) {
    const headers = { authorization, accept: 'application/json', page: String(page) };
    const reply = await fetch(`${sandbox.url}/rest${path}`, { headers });
    expect(reply.ok).toBe(true);
    bodies.push(Buffer.from(await reply.arrayBuffer()));
    if (reply.status !== 206) return bodies;
  }
}

test('There are such lists', () => {
  expect(lists.map(({ command }) => command)).toContain('orders list');
});

describe.each(lists)('The pages of $command', ({ path, resource }) => {
  test.each(['csv', 'tsv', 'json', 'ndjson'] as const)('are all copied as %s', async (format) => {
    const copy = openCopier(resource, format, { shape: resource });
    const copied = (await bodiesOf(path)).map((body) => copy?.(body)?.rows ?? 0);
    expect(copied.every((rows) => rows > 0)).toBe(true);
  });
});
