/** SECURITY.md names, for each promise, its tests by file and title. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);
const [, chapter = ''] =
  /^## What cb promises$(.*?)^## /ms.exec(readFileSync(new URL('SECURITY.md', root), 'utf8')) ?? [];

const promises = chapter
  .split(/^- /m)
  .slice(1)
  .map((block) => {
    const [promise = ''] = block.split('\n', 1);
    const named = [...block.matchAll(/^ {2}- `(test\/[^`]+)`: (.+)$/gm)];
    return { promise, tests: named.map(([, file = '', title = '']) => ({ file, title })) };
  });

/** The start of the statement with this test or group title; undefined if there is none. */
function statementOf(file: string, title: string): string | undefined {
  const url = new URL(file, root);
  if (!existsSync(url)) return undefined;
  const source = readFileSync(url, 'utf8');
  const at = source.search(new RegExp(`(["'\`])${escapeForRegExp(title)}\\1`));
  if (at < 0) return undefined;
  const starts = [...source.slice(0, at).matchAll(/^ *((?:test|describe|check)\b.*)/gm)];
  return starts.at(-1)?.[1];
}

function escapeForRegExp(text: string): string {
  // A title in the source has its quotes escaped.
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&').replaceAll("'", "\\\\?'");
}

test('finds the promises of SECURITY.md', () => {
  expect(promises.length).toBeGreaterThan(20);
});

test.each(promises)('names tests that exist and are not skipped for: $promise', ({ tests }) => {
  expect(tests).not.toEqual([]);
  for (const { file, title } of tests) {
    const statement = statementOf(file, title);
    expect(statement, `${file} has no test '${title}'`).toBeDefined();
    expect(statement, `'${title}' never runs`).not.toMatch(/^\w+\.(skip|todo|fails)\b/);
  }
});
