/** The list of tools: its schemas, its hints and its size. */
import { encode } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import { descriptionOf } from '../../../src/features/agents/server.ts';
import { listedTools } from '../../../src/features/agents/tools/tools.ts';

const all = listedTools(true).map(descriptionOf);

/** A change of this file is a change for every agent, so it is reviewed. */
test('lists the tools with the reviewed schemas', async () => {
  const text = `${JSON.stringify(all, undefined, 2)}\n`;
  await expect(text).toMatchFileSnapshot('../../golden/mcp-tools.json');
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
