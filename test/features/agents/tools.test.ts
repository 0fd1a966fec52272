/** The list of tools: its schemas, its hints and its size. */
import { encode } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import { descriptionOf } from '../../../src/features/agents/server.ts';
import { listedTools, readTools } from '../../../src/features/agents/tools/tools.ts';

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

test('says of each tool whether it changes anything', () => {
  for (const { name, annotations } of all) {
    // The status of a plan is listed with the tools that write.
    const isRead = readTools.some((tool) => tool.name === name) || name === 'plan_status';
    expect({ name, ...annotations }).toMatchObject({
      readOnlyHint: isRead,
      destructiveHint: !isRead,
      idempotentHint: isRead,
      openWorldHint: !['metrics', 'query_copy'].includes(name),
    });
  }
});

test('lists no tool that writes unless the session allows writes', () => {
  expect(listedTools(false).filter(({ writes }) => writes)).toEqual([]);
  expect(listedTools(false)).toEqual(readTools);
});

test('gives each tool its own name, and closes its arguments', () => {
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, inputSchema } of all) {
    expect(name).toMatch(/^[a-z_]{3,40}$/);
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
  }
});
