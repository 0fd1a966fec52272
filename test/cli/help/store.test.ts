/** Help out of the store of the build is the help that the commands themselves give. */
import { beforeAll, expect, test } from 'vitest';
import { helpStore } from '../../../src/build/help-store.ts';
import { textOf } from '../../../src/cli/help/blocks.ts';
import type { HelpStore } from '../../../src/cli/help/pages.ts';
import { storedHelp } from '../../../src/cli/help/store.ts';
import { home } from '../../support/cb.ts';

let store: HelpStore;

beforeAll(async () => {
  store = await helpStore();
});

async function stored(line: string, columns: number): Promise<string | undefined> {
  const blocks = await storedHelp(line.split(' ').filter(Boolean), async () => store);
  return blocks && `${textOf(blocks, columns)}\n`;
}

test.each([40, 80, 120])('prints every help at %i columns as the commands do', async (columns) => {
  const { cb } = home();
  const paths = Object.keys(store.commands);
  expect(paths.length).toBeGreaterThan(60);
  const lines = paths.flatMap((path) => [`${path} --help`, `${path} -h`, `help ${path}`]);
  const topics = Object.keys(store.topics).map((topic) => `help ${topic}`);
  for (const line of [...lines, ...topics, 'help', 'orders', 'analytics subscriptions']) {
    const { code, out } = await cb(line.trim(), { columns });
    expect({ line, code, out }).toEqual({ line, code: 0, out: await stored(line, columns) });
  }
});

test.each([
  ...['', 'orders list', 'ordres --help', 'orders lst --help', 'help ordres', 'orders list extra'],
  ...['--help orders', 'orders --help list', 'help dates --help', '--sandbox orders --help'],
  ...['orders list -o json --help', '-- orders', 'orders list --help --help', 'constructor --help'],
])("leaves 'cb %s' to the commands", async (line) => {
  expect(await stored(line, 80)).toBeUndefined();
});
