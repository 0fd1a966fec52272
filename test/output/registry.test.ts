/** Options, help, errors and completion know every format in the registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Format, formatNames, formats } from '../../src/output/registry.ts';
import { ownPlaces } from '../../src/shell/completion/candidates.ts';
import { type Home, sandboxHome } from '../support/cb.ts';

const receipts: Format = {
  name: 'receipts',
  summary: 'a receipt a line',
  extensions: ['rcp'],
  options: ['limit', 'bom'],
  load: async () => ({
    open: () => ({
      add: (page) => page.map(({ receipt }) => `${receipt}\n`).join(''),
      end: () => [],
    }),
    writeValue: (value) => `${value}\n`,
  }),
};

let home: Home;

beforeEach(async () => {
  formats.push(receipts);
  onTestFinished(() => void formats.pop());
  home = await sandboxHome();
});

test('accepts a format added to the registry with -o and by the extension of --out', async () => {
  const { code, out } = await home.cb('orders list --sandbox --limit 2 -o receipts');
  expect([code, out]).toEqual([0, expect.stringMatching(/^\S+\n\S+\n$/)]);
  await home.cb('orders list --sandbox --limit 2 --out two.rcp');
  expect(readFileSync(join(home.folder, 'two.rcp'), 'utf8')).toBe(out);
});

test('names a format added to the registry in help and in errors', async () => {
  const help = await home.cb('orders list --help --all');
  expect(help.out).toContain('csv, receipts: start with a byte order mark');
  const { code, err } = await home.cb('orders list -o nonsense');
  expect([code, err]).toEqual([2, expect.stringContaining('tsv, xml, receipts')]);
});

test('rejects an option that a format does not support, and names the formats that do', async () => {
  const { code, err } = await home.cb('orders list -o receipts --no-header');
  expect([code, err]).toEqual([
    2,
    'cb: --no-header works only with csv and tsv, not with receipts.\n',
  ]);
  expect((await home.cb('orders list --sandbox --limit 1 -o receipts --bom')).code).toBe(0);
  expect((await home.cb('orders list -o json --bom')).err).toContain(
    '--bom works only with csv and receipts',
  );
});

test('offers the formats of the registry in completion', () => {
  const source = ownPlaces['--output'];
  const offered = source?.kind === 'values' ? source.values.map(([name]) => name) : [];
  expect([...offered, 'receipts']).toEqual(formatNames());
});
