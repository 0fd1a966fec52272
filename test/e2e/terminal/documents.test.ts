/** The examples of docs/ run as they are written. */
import { describe, expect, test } from 'vitest';
import { documents, examplesOf } from '../../support/documents.ts';
import { runScript } from '../../support/example-world.ts';

/** What an example must print or write, by the text above it, so that an example without results fails. */
const results: Readonly<Record<string, RegExp>> = {
  'Compare two days': /^\d+ sales today, \d+ a week ago$/m,
  'Resume an export': /^year\.csv: transactionTime,receipt/m,
  'Export only new rows': /^orders\.csv: transactionTime,receipt/m,
  'A report page': /^report\.html: <!doctype html>/im,
  'Cancel a list of subscriptions': /^2\t2\t0\t0\t0\t0\t/m,
  'Send ship notices from a file': /^1\t1\t0\t0\t0\t0\t/m,
  'Read from several accounts': /^sales\.csv: profile,[\s\S]*^shop2,[\s\S]*^work,/m,
  'Open it in a spreadsheet': /^days\.xlsx: PK[\s\S]*^orders\.xlsx: PK/m,
  'The month for your bookkeeper': /^month\.xlsx: PK/m,
  'Exit codes': /exit code 9$/m,
  Permissions: /exit code 4$/m,
};

/** Commands that print rows. */
const reads =
  /^cb (--\S+ )?(orders|tickets|products|quickstats|ship|analytics) .*\b(list|get|count)\b/m;

const pages = documents
  .map((page) => ({ path: page.path, examples: examplesOf(page) }))
  .filter(({ path, examples }) => path !== 'README.md' && examples.length > 0);

test('expects results only of examples that exist', () => {
  const titles = pages.flatMap(({ examples }) => examples.map(({ title }) => title));
  expect(Object.keys(results).filter((title) => !titles.includes(title))).toEqual([]);
  expect(titles.length).toBeGreaterThan(50);
});

describe.each(pages)('$path', ({ examples }) => {
  test.each(examples)('runs "$title": $script', async ({ title, script }) => {
    const { code, out, err } = await runScript(script);
    expect(code, err).toBe(0);
    expect(out).toMatch(results[title] ?? (reads.test(script) ? /\S/ : /^/));
  });
});
