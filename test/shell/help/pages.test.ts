/** Every help page fits the terminal. */
import { expect, test } from 'vitest';
import { fullHelpStore, helpStore } from '../../../src/build/help-store.ts';
import { type Block, textOf } from '../../../src/shell/help/blocks.ts';
import { rareOptions } from '../../../src/shell/help/page.ts';
import { allCommands } from '../../support/tree.ts';

/** Maximum number of lines, so that a page is read without scrolling. */
const mostLines = 40;

const { commands, topics } = helpStore();

const pages: readonly (readonly [name: string, blocks: readonly Block[]])[] = [
  ...pagesOf(commands, (path) => `cb ${path} --help`),
  ...pagesOf(fullHelpStore(), (path) => `cb ${path} --help --all`),
  ...pagesOf(topics, (topic) => `cb help ${topic}`),
];

function pagesOf(store: Readonly<Record<string, string>>, nameOf: (key: string) => string) {
  return Object.entries(store).map(
    ([key, json]) => [nameOf(key), JSON.parse(json) as readonly Block[]] as const,
  );
}

test.each([40, 80, 120])('keeps every line of every help page within %i columns', (width) => {
  const wide = pages.flatMap(([name, blocks]) =>
    textOf(blocks, width)
      .split('\n')
      .filter((line) => line.length > width && !isOneWord(line))
      .map((line) => `${name}: ${line}`),
  );
  expect(wide).toEqual([]);
});

/** A word of a command line can't be broken, and neither can a quoted text. */
function isOneWord(line: string): boolean {
  const word = line.trim().replace(/ \\$/, '');
  return !word.includes(' ') || /^'[^']*'$/.test(word);
}

test.each(Object.entries(commands))(
  `prints cb %s --help in at most ${mostLines} lines at 80 columns`,
  (_, json) => {
    expect(textOf(JSON.parse(json), 80).split('\n').length).toBeLessThanOrEqual(mostLines);
  },
);

test('breaks long command lines so that a shell joins them to the same command', () => {
  for (const [name, blocks] of pages) {
    for (const lines of blocks.filter((block) => Array.isArray(block))) {
      for (const line of lines as readonly string[]) {
        const broken = textOf([[line]], 40);
        const joined = broken.replaceAll(/ \\\n/g, ' ').replaceAll(/ +/g, ' ').trim();
        expect(joined, name).toBe(line.replaceAll(/ +/g, ' '));
      }
    }
  }
});

test('marks only existing options as rare', () => {
  expect(Object.keys(rareOptions).length).toBeGreaterThan(5);
  for (const [path, rare] of Object.entries(rareOptions)) {
    const flags = allCommands.find((one) => one.path === path)?.flags ?? [];
    const known = flags.flatMap(({ names }) => names);
    const names = rare.split(/\s+/).map((name) => `--${name}`);
    if (path !== '') expect(known, path).toEqual(expect.arrayContaining(names));
  }
});

test('writes summaries without a final period', () => {
  for (const { path, summary, flags } of allCommands) {
    expect(summary, path).toMatch(/^[A-Z].*[^.]$/);
    for (const { written, summary: text } of flags) {
      expect(text, `${path} ${written}`).toMatch(/^[A-Zcn/].*[^.]$/);
    }
  }
});
