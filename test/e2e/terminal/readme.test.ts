/** The first commands and the recipes of the README run as they are written. */
import { expect, test } from 'vitest';
import { documents, examplesOf } from '../../support/documents.ts';
import { runScript } from '../../support/example-world.ts';

const examples = documents.filter(({ path }) => path === 'README.md').flatMap(examplesOf);

/** What each example must print or write, by the text above it, so that an example without results fails. */
const results: Readonly<Record<string, RegExp>> = {
  'First commands': /\tSALE\t|^$/,
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

test('expects a result of every example of README.md', () => {
  const titles = new Set(examples.map(({ title }) => title));
  expect([...titles]).toEqual(Object.keys(results));
});

test.each(examples)('runs "$title": $script', async ({ title, script }) => {
  const { code, out, err } = await runScript(script);
  expect(code, err).toBe(0);
  expect(out).toMatch(results[title] ?? /^never/);
});
