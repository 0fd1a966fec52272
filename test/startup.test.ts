/** What each kind of call loads: modules that are slow to start stay out of calls that don't need them. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Metafile } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { emptyHome } from './support/binary.ts';
import { runAndListFiles } from './support/loaded-files.ts';
import { serve } from './support/server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each is part of the bundle, so that a name that is out of date here is noticed. */
const parts = {
  commander: /node_modules\/commander\//,
  undici: /node_modules\/undici\//,
  'fast-xml-parser': /node_modules\/fast-xml-parser\//,
  conf: /node_modules\/conf\//,
  tickets: /^src\/operations\/tickets\.ts$/,
  prompts: /node_modules\/@inquirer\//,
  csv: /node_modules\/csv-stringify\//,
  table: /node_modules\/cli-table3\//,
  jmespath: /node_modules\/@jmespath-community\//,
  sandbox: /^src\/sandbox\//,
};

let sources: Map<string, string[]>;

beforeAll(() => {
  const { outputs } = JSON.parse(readFileSync(`${root}dist/meta.json`, 'utf8')) as Metafile;
  sources = new Map(
    Object.entries(outputs).map(([name, { inputs }]) => [name, Object.keys(inputs)]),
  );
});

/** The answer to the list of orders, for a home whose profile names the server that gives it. */
const page = JSON.stringify({ orderData: [{ receipt: 'ABCD1234', totalOrderAmount: '11.90' }] });

/** Runs cb as built, with a stored profile; the server promises more on each page but the last. */
async function start(args: readonly string[], pages = 1, answer = page) {
  const { url } = await serve((reply, number) => {
    reply.writeHead(number < pages ? 206 : 200).end(answer.replace('ABCD1234', `ABCD${number}`));
  });
  const home = emptyHome();
  mkdirSync(`${home}/clickbank-cli`, { mode: 0o700 });
  const stored = { current: 'shop', profiles: { shop: { baseUrl: url, key: 'API-KEY' } } };
  writeFileSync(`${home}/clickbank-cli/config.json`, JSON.stringify(stored), { mode: 0o600 });
  const folders = { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_DATA_HOME: home };
  const { files, ...ended } = await runAndListFiles(`${root}bin/cb.js`, args, folders);
  const own = files.filter((file) => file.startsWith(`${root}dist/`)).map((file) => basename(file));
  return {
    ...ended,
    own,
    loaded: [...own.flatMap((name) => sources.get(name) ?? [name]), ...files],
  };
}

/** Which of the parts a call loads. */
async function partsOf(args: readonly string[], pages?: number, answer?: string) {
  const { status, loaded, stderr } = await start(args, pages, answer);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const has = (pattern: RegExp) => loaded.some((source) => pattern.test(source));
  return Object.entries(parts).flatMap(([name, pattern]) => (has(pattern) ? [name] : []));
}

const period = ['--start-date', '2026-03-01', '--end-date', '2026-03-02'];
const list = ['orders', 'list', ...period];

test('cb has everything that is costly in its bundle', () => {
  const all = [...sources.values()].flat();
  for (const pattern of Object.values(parts)) {
    expect(all).toContainEqual(expect.stringMatching(pattern));
  }
});

test.each([
  { says: '--version', args: ['--version'], loads: [] },
  { says: '--help', args: ['--help'], loads: [] },
  { says: 'the help of a command', args: ['orders', 'list', '--help'], loads: [] },
  { says: 'the help of a group', args: ['orders'], loads: [] },
  { says: 'a topic', args: ['help', 'dates'], loads: [] },
  { says: 'a page as JSON', args: [...list, '-o', 'json'], loads: ['commander'] },
  { says: 'a page as tsv', args: list, loads: ['commander'] },
  { says: 'a page as csv', args: [...list, '-o', 'csv'], loads: ['commander', 'csv'] },
  { says: 'a table', args: [...list, '-o', 'table'], loads: ['commander', 'table'] },
])('cb loads of what is costly for $says: $loads', async ({ args, loads }) => {
  const loaded = (await partsOf(args)).sort();
  expect(loaded).toEqual(loads);
});

test('a second page loads undici', async () => {
  expect(await partsOf([...list, '-o', 'json'], 2)).toContain('undici');
});

test('an answer in XML loads the reader of XML', async () => {
  const xml = '<orderDataList><orderData><receipt>ABCD1234</receipt></orderData></orderDataList>';
  expect(await partsOf([...list, '-o', 'json'], 1, xml)).toContain('fast-xml-parser');
});

test.each([
  { args: ['--version'], says: /^\d+\.\d+\.\d+/, kilobytes: 10 },
  { args: ['-V'], says: /^\d+\.\d+\.\d+/, kilobytes: 10 },
  { args: ['--help'], says: /First steps/, kilobytes: 260 },
  { args: ['orders', 'list', '--help'], says: /orders list/, kilobytes: 260 },
  { args: [...list, '-o', 'json'], says: /"ABCD1"/, kilobytes: 360 },
])('cb $args loads at most $kilobytes KB of code', async ({ args, says, kilobytes }) => {
  const { status, stdout, stderr, own } = await start(args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(says);
  const bytes = own.reduce((sum, name) => sum + statSync(`${root}dist/${name}`).size, 0);
  expect(bytes / 1024).toBeLessThan(kilobytes);
});

test.each(['orders --version', '--no-color --version', '--version --help'])(
  'cb %s tells the version too',
  async (line) => {
    const { stdout } = await start(['--version']);
    expect(await start(line.split(' '))).toMatchObject({ status: 0, stdout });
  },
);
