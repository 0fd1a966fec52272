/** The first steps of the README are true: each runs on the sandbox. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sandboxHome } from '../support/cb.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const lines = [...readme.matchAll(/^cb (--sandbox .*?)(?: {2,}#.*)?$/gm)].map(
  ([, line = '']) => line,
);

test('There are first steps', () => {
  expect(lines.length).toBeGreaterThan(5);
});

test.each(lines)('cb %s', async (line) => {
  const { cb } = await sandboxHome(300);
  expect(await cb(line)).toMatchObject({ code: 0, err: '' });
});
