/** The README is true: its first steps and its recipes run as they stand there. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { runRecipe } from '../../support/example-world.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
const lines = [...readme.matchAll(/^cb (--sandbox .*?)(?: {2,}#.*)?$/gm)].map(
  ([, line = '']) => line,
);

test('There are first steps', () => {
  expect(lines.length).toBeGreaterThan(5);
});

test.each(lines)('cb %s', async (line) => {
  const { cb } = await sandboxHome(300);
  const { code, err } = await cb(line);
  expect(code, err).toBe(0);
  expect(err).toMatch(/^(Dry run, nothing is sent: .*\n)?$/);
});

const [, chapter = ''] = /^## Recipes$(.*?)^## /ms.exec(readme) ?? [];
const recipes = [...chapter.matchAll(/\*\*([^*]+)\*\*(?:(?!\*\*).)*?^```sh$\n(.*?)^```$/gms)].map(
  ([, title = '', script = '']) => ({ title, script }),
);

/** What each leaves behind or prints, so that one that brings nothing is noticed. */
const brings: Readonly<Record<string, RegExp>> = {
  'New orders into a sheet, every night.': /^orders\.csv: transactionTime,receipt/m,
  'A whole year into a spreadsheet.': /^year\.csv: transactionTime,receipt/m,
  "Last month's refunds by reason": /^Reason +Refunds\n(.+ +\d+\n)+/m,
  "The quarter's chargebacks": /^chargebacks\.csv: transactionTime,[\s\S]*,CHARGE01,-37\.00,USD,/m,
  "Today's sales against those of a week ago.": /^\d+ sales today, \d+ a week ago$/m,
  'Ship notices from a ShipStation export': /^1\t1\t0\t0\t0\t0\t/m,
  'Cancel a list of subscriptions.': /^2\t2\t0\t0\t0\t0\t/m,
  'Find a customer by e-mail, and refund.': /^DIGITAL1\t[\s\S]*\tREFUND\t/m,
  "An agency's sales of yesterday": /^sales\.csv: profile,[\s\S]*^shop2,[\s\S]*^work,/m,
  'The ten affiliates who sold most.': /^TOPAFF1\t/m,
};

test('There are ten recipes, and each has something to bring', () => {
  expect(recipes.map(({ title }) => title)).toEqual(Object.keys(brings));
});

test.each(recipes)('$title', async ({ title, script }) => {
  const { code, out, err } = await runRecipe(script);
  expect(code, err).toBe(0);
  expect(out).toMatch(brings[title] ?? /^never/);
});
