/** Every example in the help, in README.md and in docs/ runs as it is written there. */
import { describe, expect, test } from 'vitest';
import { documents, examplesIn, examplesOf, helpExamples } from '../../support/documents.ts';
import { runScript, shareWorlds } from '../../support/example-world.ts';
import { leaves } from '../../support/tree.ts';

/** Commands that print rows. */
const reads =
  /^cb (--\S+ )?(orders|tickets|products|quickstats|ship|analytics) .*\b(list|get|count)\b/m;

shareWorlds();

// --keychain stores a key outside the test's home; test/e2e/keys/keychain.test.ts runs it.
const runnable = [...helpExamples].filter((line) => !line.includes('--keychain'));

test.each(runnable)('runs %s', async (line) => {
  const { code, out, err } = await runScript(line);
  expect(code, err).toBe(0);
  if (reads.test(line)) expect(out, line).toMatch(/\S/);
});

test('has an example for every command', () => {
  const lacking = leaves.filter(
    ({ after, path }) => !examplesIn(after).some((line) => line.includes(path)),
  );
  expect(lacking.map(({ path }) => path)).toEqual([]);
});

/** What each example of README.md must print or write, by the text above it, so that one without results fails. */
const resultsOfReadme: Readonly<Record<string, RegExp>> = {
  'First commands': /^metric\tvalue\t|^$/,
  'Export a whole year to a spreadsheet.': /^year\.csv: transactionTime,receipt/m,
  'See what you earned': /^product\tsku\tearned\t|^\S+\t.*\n[\s\S]*\tDIGITAL1\t/m,
  'Copy your account into a database and ask it anything.':
    /^affiliate\tsales\tearned\n(?:[A-Z0-9]*\t\d+\t-?[\d.]+\n)+.*cohort/m,
  'Write last month for your bookkeeper': /last-month\.xlsx/,
  'Get an email when refunds rise.': /^$/,
  'Add new orders to a file every night.': /^orders\.csv: transactionTime,receipt/m,
  'Find a customer by email and refund an order.': /^DIGITAL1\t[\s\S]*\tREFUND\t/m,
  "Count last month's refunds by reason": /^Reason +Refunds\n(.+ +\d+\n)+/m,
  'Send ship notices from a ShipStation export.': /^1\t1\t0\t0\t0\t0\t/m,
};

/** The same for some examples of docs/. */
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
  'A journal for your accounting program':
    /^[\d-]+ sale,[\d-]+,ClickBank balance,[\d.]+,,\d+ sales? on/m,
  'One list': /^days\.parquet: PAR1[\s\S]*^items\.parquet: PAR1[\s\S]*^orders\.parquet: PAR1/m,
  'Exit codes': /exit code 9$/m,
  Permissions: /exit code 4$/m,
};

const pages = documents
  .map((page) => ({ path: page.path, examples: examplesOf(page) }))
  .filter(({ examples }) => examples.length > 0);

const titlesOf = (isWanted: (path: string) => boolean) =>
  pages
    .filter(({ path }) => isWanted(path))
    .flatMap(({ examples }) => examples.map(({ title }) => title));

test('expects a result of every example of README.md, and of others only if they exist', () => {
  const ofReadme = titlesOf((path) => path === 'README.md');
  expect([...new Set(ofReadme)]).toEqual(Object.keys(resultsOfReadme));
  const titles = titlesOf((path) => path !== 'README.md');
  expect(Object.keys(results).filter((title) => !titles.includes(title))).toEqual([]);
  expect(titles.length).toBeGreaterThan(50);
});

/** Scripts that are also help examples, or that appear on several pages, run once. */
const met = new Set<string>(helpExamples);

function isNew(script: string): boolean {
  const before = met.size;
  return met.add(script.trim()).size > before;
}

const pagesWithOwn = pages
  .map(({ path, examples }) => {
    const expected = path === 'README.md' ? resultsOfReadme : results;
    const own = examples.filter(({ title, script }) => isNew(script) || title in expected);
    return { path, expected, own };
  })
  .filter(({ own }) => own.length > 0);

describe.each(pagesWithOwn)('$path', ({ expected, own }) => {
  test.each(own)('runs "$title": $script', async ({ title, script }) => {
    const { code, out, err } = await runScript(script);
    expect(code, err).toBe(0);
    expect(out).toMatch(expected[title] ?? (reads.test(script) ? /\S/ : /^/));
  });
});
