/** The texts that agents read. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { glossary } from '../../../src/features/agents/resources.ts';

test('explains the terms of ClickBank as docs/glossary.md does', () => {
  const [, terms = ''] = readFileSync('docs/glossary.md', 'utf8').split('## Terms of ClickBank');
  const [own = ''] = terms.split('## Terms of cb');
  const paragraphs = own.trim().split('\n\n');
  expect(glossary.split('\n\n')).toEqual(paragraphs.map((text) => text.replaceAll('\n', ' ')));
});
