/** The help that the build stores is the help that the commands print. */
import { expect, test } from 'vitest';
import { fullHelpStore, helpStore } from '../../../src/build/help-store.ts';
import { textOf } from '../../../src/shell/help/blocks.ts';
import { storedHelp } from '../../../src/shell/help/store.ts';
import { home } from '../../support/cb.ts';
import { tier } from '../../support/tier.ts';

const [short, full] = [helpStore(), fullHelpStore()];
const loader = { short: async () => short, full: async () => full };

async function stored(line: string, columns: number): Promise<string | undefined> {
  const blocks = await storedHelp(line.split(' ').filter(Boolean), loader);
  return blocks && `${textOf(blocks, columns)}\n`;
}

test.each([40, 80, 120])(
  'stores every help page as the commands print it at %i columns',
  async (columns) => {
    const { cb } = home();
    const paths = Object.keys(short.commands);
    expect(paths.length).toBeGreaterThan(60);
    expect(Object.keys(full)).toEqual(paths);
    const lines = paths.flatMap((path, at) => {
      const spellings = [
        ...[`${path} --help`, `${path} -h`, `help ${path}`],
        ...[`${path} --help --all`, `${path} --all -h`, `help ${path} --all`],
      ];
      // In `npm test`, each page in one of its spellings and each width.
      return tier(spellings.slice((at + columns) % spellings.length).slice(0, 1), spellings);
    });
    const topics = Object.keys(short.topics).map((topic) => `help ${topic}`);
    for (const line of [...lines, ...topics, 'help', 'orders', 'analytics subscriptions']) {
      const { code, out } = await cb(line.trim(), { columns });
      expect({ line, code, out }).toEqual({ line, code: 0, out: await stored(line, columns) });
    }
  },
);

test.each([
  ...['', 'orders list', 'ordres --help', 'orders lst --help', 'help ordres', 'orders list extra'],
  ...['--help orders', 'orders --help list', 'help dates --help', '--sandbox orders --help'],
  ...['orders list -o json --help', '-- orders', 'orders list --help --help', 'constructor --help'],
  ...['orders list --all', '--all', 'help help --all --all', 'orders list --help -o json', 'sync'],
])("stores no page for 'cb %s', which the commands answer", async (line) => {
  expect(await stored(line, 80)).toBeUndefined();
});
