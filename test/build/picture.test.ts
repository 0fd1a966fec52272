/** The moving picture in the README shows what cb prints today. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyHome } from '../support/binary.ts';
import { browser, hasBrowser } from '../support/browser.ts';

const pictureFile = join(import.meta.dirname, '../../docs/session.svg');

test('shows in docs/session.svg what cb prints today, within its frame (npm run picture)', () => {
  // In a process of its own: the prompts decide on colors once, when they are loaded.
  const made = join(emptyHome(), 'made.svg');
  const script = ['--import', 'tsx', 'src/build/picture.ts', made];
  execFileSync(process.execPath, script);
  const picture = readFileSync(made, 'utf8');
  expect(picture === readFileSync(pictureFile, 'utf8'), 'run npm run picture').toBe(true);
  expect(picture.length).toBeLessThan(100_000);
  const width = Number(/ width="([\d.]+)"/.exec(picture)?.[1]);
  const ends = [...picture.matchAll(/<text x="([\d.]+)"[^>]* textLength="([\d.]+)"/g)].map(
    ([, x, length]) => Number(x) + Number(length),
  );
  expect(ends.length).toBeGreaterThan(50);
  expect(Math.max(...ends)).toBeLessThanOrEqual(width - 10);
});

const open = browser();

interface Shown {
  readonly lines: readonly string[];
  readonly background: string;
  readonly colors: readonly string[];
  /** Milliseconds; null if nothing moves. */
  readonly lasts: number | null;
}

/** Stops the picture at a moment in milliseconds, and reads what is visible. */
const read = (moment: number) => `(() => {
  const movements = document.getAnimations();
  for (const movement of movements) {
    movement.pause();
    movement.currentTime = ${moment};
  }
  const position = (text, name) => Number(text.getAttribute(name));
  const texts = [...document.querySelectorAll('text')]
    .filter((text) => getComputedStyle(text).visibility === 'visible')
    .sort((one, other) => position(one, 'y') - position(other, 'y') || position(one, 'x') - position(other, 'x'));
  const lines = new Map();
  for (const text of texts) lines.set(position(text, 'y'), [...(lines.get(position(text, 'y')) ?? []), text.textContent]);
  const fills = [...document.querySelectorAll('rect, text')].map((one) => getComputedStyle(one).fill);
  return {
    lines: [...lines.values()].map((parts) => parts.join(' ')),
    colors: [...new Set(fills)],
    background: fills[0],
    lasts: movements[0]?.effect.getComputedTiming().duration ?? null,
  };
})()`;

/** What the picture shows at some moments, one after the other. */
async function shownAt(moments: readonly number[], looks: Parameters<typeof open>[1] = {}) {
  const { page, faults } = await open(pictureFile, looks);
  const shown: Shown[] = [];
  for (const moment of moments) shown.push(await page.evaluate<Shown>(read(moment)));
  expect(faults).toEqual([]);
  return shown;
}

const cohorts = {
  lines: [
    '$ cb sync shop.db --since 2025-11-01 --tables orders',
    expect.stringMatching(/^Copied [\d,]+ rows of GREENLEAF to \/home\/ada\/shop\.db/),
    expect.stringMatching(/requests/),
    '$ cb metrics cohorts --database shop.db --period last-4-months',
    'Account: GREENLEAF',
    'Cohort Month Earned Months after Customers Active customers',
    ...Array.from({ length: 15 }, () => expect.stringMatching(/^\w{3} 202\d \w{3} 202\d/)),
    expect.stringContaining('columns are not shown'),
    expect.stringContaining('The copy begins on 2025-11-01.'),
  ],
};

test.skipIf(!hasBrowser)('moves for 25 s from an empty line to a table of cohorts', async () => {
  const shown = await shownAt([0, 650, 3000, 14_000, 25_000]);
  const [start, typing, today, wizard, end] = shown;
  expect(start?.lines).toEqual(['$']);
  expect(start?.lasts).toBeGreaterThan(24_000);
  expect(start?.lasts).toBeLessThan(27_000);
  expect(typing?.lines).toEqual(['$ cb to']);
  const opening = ['$ cb today', expect.stringContaining('Earnings today')];
  expect(today?.lines.slice(0, 2)).toEqual(opening);
  expect(wizard?.lines).toContain('✔ Send this request? yes');
  expect(wizard?.lines.join(' ')).toMatch(/Requested a refund of 37\.00 USD to "Ada Sample"/);
  expect(end).toMatchObject(cohorts);
});

test.skipIf(!hasBrowser)('stands still at the end for readers who turned off motion', async () => {
  const shown = await shownAt([0], { reducedMotion: 'reduce' });
  expect(shown).toMatchObject([{ ...cohorts, lasts: null }]);
});

test.skipIf(!hasBrowser)('is light on light pages and dark on dark ones', async () => {
  const both = [...(await shownAt([0])), ...(await shownAt([0], { colorScheme: 'dark' }))];
  const backgrounds = both.map(({ background }) => background);
  expect(backgrounds).toEqual(['rgb(246, 248, 250)', 'rgb(22, 24, 29)']);
  for (const { colors } of both) {
    expect(colors).toHaveLength(7);
    // The color of an element without a rule.
    expect(colors).not.toContain('rgb(0, 0, 0)');
  }
});
