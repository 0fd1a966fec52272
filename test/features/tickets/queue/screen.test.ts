/** Texts on the screen of the ticket queue. */
import { expect, test } from 'vitest';
import { labeled, wrapped } from '../../../../src/features/tickets/queue/screen.ts';
import { world } from '../../../support/cb.ts';

const { context } = world('/nowhere', { columns: 24 });
const screen = { cmd: { context } } as Parameters<typeof wrapped>[0];

test('cuts a text that needs more lines, and shows that it goes on', () => {
  const text = 'I want my money back because nothing grows here at all';
  const texts = (lines: readonly { readonly text: string }[]) => lines.map((line) => line.text);
  const lines = ['  I want my money back', '  because nothing grows', '  here at all'];
  expect(texts(wrapped(screen, text, { lead: '  ' }))).toEqual(lines);
  expect(texts(labeled(screen, [['Comment', text]]))).toEqual([
    expect.stringMatching(/^Comment +I want my$/),
    expect.stringMatching(/^ {9,}money.*…$/),
  ]);
  expect(texts(wrapped(screen, text, { most: 1 }))).toEqual(['I want my money back b…']);
});
