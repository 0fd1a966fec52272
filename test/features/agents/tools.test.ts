/** What agents read: the list of tools with its schemas, its hints and its size, and the glossary. */
import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import { glossary } from '../../../src/features/agents/resources.ts';
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

test('explains the terms of ClickBank as docs/glossary.md does', () => {
  const [, terms = ''] = readFileSync('docs/glossary.md', 'utf8').split('## Terms of ClickBank');
  const [own = ''] = terms.split('## Terms of cb');
  const paragraphs = own.trim().split('\n\n');
  expect(glossary.split('\n\n')).toEqual(paragraphs.map((text) => text.replaceAll('\n', ' ')));
});
