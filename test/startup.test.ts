/** Limits the modules that each kind of call loads, for fast startup. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { emptyHome } from './support/binary.ts';
import { runAndListFiles } from './support/loaded-files.ts';
import { serve } from './support/server.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The response to the list of orders. */
const page = JSON.stringify({ orderData: [{ receipt: 'ABCD1234', totalOrderAmount: '11.90' }] });

/** Runs the built cb with a stored profile; the server announces more on each page except the last. */
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
  const own = files.filter((file) => file.startsWith(`${root}dist/`));
  const kilobytes = own.reduce((sum, file) => sum + statSync(file).size, 0) / 1024;
  return { ...ended, files: own.length, kilobytes };
}

const period = ['--start-date', '2026-03-01', '--end-date', '2026-03-02'];
const list = ['orders', 'list', ...period];

test.each([
  { args: ['--version'], says: /^\d+\.\d+\.\d+/, most: { files: 4, kilobytes: 20 } },
  { args: ['-V'], says: /^\d+\.\d+\.\d+/, most: { files: 4, kilobytes: 20 } },
  // The help of the program lists the aliases.
  { args: ['--help'], says: /Get started/, most: { files: 8, kilobytes: 190 } },
  { args: ['orders'], says: /orders list/, most: { files: 4, kilobytes: 185 } },
  { args: ['orders', 'list', '--help'], says: /orders list/, most: { files: 4, kilobytes: 185 } },
  {
    args: ['orders', 'list', '--help', '--all'],
    says: /--bom/,
    most: { files: 4, kilobytes: 335 },
  },
  { args: ['help', '--all'], says: /orders list/, most: { files: 4, kilobytes: 335 } },
  { args: ['help', 'dates'], says: /--period/, most: { files: 4, kilobytes: 185 } },
  { args: list, says: /ABCD1/, most: { files: 74, kilobytes: 475 } },
  { args: [...list, '-o', 'json'], says: /"ABCD1"/, most: { files: 74, kilobytes: 455 } },
  { args: [...list, '-o', 'csv'], says: /ABCD1/, most: { files: 74, kilobytes: 500 } },
  { args: [...list, '-o', 'table'], says: /ABCD1/, most: { files: 74, kilobytes: 540 } },
])(
  'loads at most $most.kilobytes KB in $most.files files for cb $args',
  async ({ args, says, most }) => {
    const { status, stdout, stderr, files, kilobytes } = await start(args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(says);
    expect(files).toBeLessThanOrEqual(most.files);
    expect(kilobytes).toBeLessThan(most.kilobytes);
  },
);

test('loads neither the client for more pages nor the XML parser for a list of one page', async () => {
  const json = await start([...list, '-o', 'json']);
  const pages = await start([...list, '-o', 'json'], 2);
  expect(pages.stdout).toContain('ABCD2');
  expect(pages.kilobytes).toBeGreaterThan(json.kilobytes + 500);
  const body = '<orderDataList><orderData><receipt>ABCD1234</receipt></orderData></orderDataList>';
  const xml = await start([...list, '-o', 'json'], 1, body);
  expect(xml.stdout).toContain('ABCD1');
  expect(xml.kilobytes).toBeGreaterThan(json.kilobytes + 50);
});

test('loads the widths of characters only for texts that are not ASCII', async () => {
  const line = [...list, '-o', 'table'];
  const ascii = await start(line);
  const wide = await start(line, 1, page.replace('11.90', '11.90","fullName":"李'));
  expect(wide.stdout).toContain('李');
  expect(wide.kilobytes).toBeGreaterThan(ascii.kilobytes + 8);
});

test.each(['sandbox ins list --version', '--no-color --version', '--version --help'])(
  'prints the version with cb %s',
  async (line) => {
    const { stdout } = await start(['--version']);
    expect(await start(line.split(' '))).toMatchObject({ status: 0, stdout });
  },
);
