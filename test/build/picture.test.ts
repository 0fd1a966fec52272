/** The moving picture in the README shows what cb prints today. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pictureFile } from '../../src/build/session-picture.ts';
import { emptyHome } from '../support/binary.ts';
import { browser, hasBrowser } from '../support/browser.ts';

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

async function shownAt(moment: number, looks: Parameters<typeof open>[1] = {}): Promise<Shown> {
  const { page, faults } = await open(pictureFile, looks);
  const shown = await page.evaluate<Shown>(read(moment));
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

test.skipIf(!hasBrowser)(
  'moves for 25 seconds from an empty line to a table of cohorts',
  async () => {
    const start = await shownAt(0);
    expect(start.lines).toEqual(['$']);
    expect(start.lasts).toBeGreaterThan(24_000);
    expect(start.lasts).toBeLessThan(27_000);
    expect((await shownAt(650)).lines).toEqual(['$ cb to']);
    const today = (await shownAt(3000)).lines;
    expect(today.slice(0, 2)).toEqual(['$ cb today', expect.stringContaining('Earnings today')]);
    const wizard = (await shownAt(14_000)).lines;
    expect(wizard).toContain('✔ Send this request? yes');
    expect(wizard.join(' ')).toMatch(/Requested a refund of 37\.00 USD to "Ada Sample"/);
    expect(await shownAt(25_000)).toMatchObject(cohorts);
  },
);

test.skipIf(!hasBrowser)('stands still at the end for readers who turned off motion', async () => {
  expect(await shownAt(0, { reducedMotion: 'reduce' })).toMatchObject({
    ...cohorts,
    lasts: null,
  });
});

test.skipIf(!hasBrowser)('is light on light pages and dark on dark ones', async () => {
  const [light, dark] = [await shownAt(0), await shownAt(0, { colorScheme: 'dark' })];
  expect([light.background, dark.background]).toEqual(['rgb(246, 248, 250)', 'rgb(22, 24, 29)']);
  for (const { colors } of [light, dark]) {
    expect(colors).toHaveLength(7);
    // The color of an element without a rule.
    expect(colors).not.toContain('rgb(0, 0, 0)');
  }
});
