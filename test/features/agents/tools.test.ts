/** The list of tools: its schemas, its hints and its size. */
import { encode } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import { descriptionOf } from '../../../src/features/agents/server.ts';
import { listedTools } from '../../../src/features/agents/tools/tools.ts';

const all = listedTools(true).map(descriptionOf);

const lines = (object: object, indent = '') =>
  Object.entries(object).map(([key, value]) => `${indent}${key}: ${JSON.stringify(value)}\n`);

/** A change of this file is a change for every agent, so it is reviewed. A property is one line. */
test('lists the tools with the reviewed schemas', async () => {
  const text = all.flatMap(({ inputSchema, ...tool }) => {
    const { properties = {}, ...schema } = inputSchema as { properties?: object };
    return [...lines(tool), ...lines(schema), ...lines(properties, '  '), '\n'];
  });
  await expect(text.join('')).toMatchFileSnapshot('../../golden/mcp-tools.txt');
});

test('describes all tools in less than 8,000 tokens', () => {
  const tokens = encode(JSON.stringify(all)).length;
  expect(tokens).toBeGreaterThan(2000);
  expect(tokens).toBeLessThan(8000);
});

test('gives each tool its own name, and closes its arguments', () => {
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, inputSchema } of all) {
    expect(name).toMatch(/^[a-z_]{3,40}$/);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  }
});
