/** An export to a file that is stopped and gone on with is, byte for byte, one that was never stopped. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/http/server.ts';
import { home, now, sandboxHome } from '../../support/cb.ts';
import { type Asked, serve } from '../../support/server.ts';

const quarter = '--start-date 2025-12-19 --end-date 2026-03-18';

/** The sandbox on a port, whose answers may be kept from arriving. */
async function brokenService(broken: (asked: Asked, number: number) => boolean) {
  const { folder } = await sandboxHome(12_000);
  const file = join(folder, '.local/share/clickbank-cli/sandbox.sqlite');
  const sandbox = await startSandbox({ file, now: () => now });
  const key = sandbox.keys[0]?.key ?? '';
  let isWhole = false;
  const server = await serve(async (reply, number, asked) => {
    if (!isWhole && broken(asked, number)) {
      reply.destroy();
      return;
    }
    const { page = '1' } = asked.headers;
    const answer = await fetch(`${sandbox.url}${asked.url}`, {
      headers: { authorization: key, accept: 'application/json', page: String(page) },
    });
    reply.statusCode = answer.status;
    reply.end(await answer.text());
  });
  return {
    ...server,
    env: { CB_BASE_URL: server.url, CB_API_KEY: key },
    mend: () => {
      isWhole = true;
    },
    close: () => sandbox.close(),
  };
}

const days = ({ url }: Asked) =>
  `${new URL(url, 'http://x').searchParams.get('startDate')}/${new URL(url, 'http://x').searchParams.get('endDate')}`;

test.each(['csv', 'tsv', 'json', 'ndjson'])(
  'A broken export to %s keeps its windows, and --resume asks only for what is missing',
  async (format) => {
    const broken = { from: Number.POSITIVE_INFINITY };
    const service = await brokenService((_, number) => number > broken.from);
    const { env } = service;
    const { cb, folder } = home();
    const line = `orders list ${quarter} --max-wait 0 --concurrency 2`;
    expect((await cb(`${line} --out whole.${format}`, { env })).code).toBe(0);
    const all = service.asked.length;
    broken.from = all + 40;

    const stopped = await cb(`${line} --out orders.${format}`, { env });
    expect(stopped.code).toBe(6);
    expect(stopped.err).toMatch(
      /\d+ rows are kept in .*orders\.\w+\.part\. Pass --resume to continue/,
    );
    expect(existsSync(join(folder, `orders.${format}`))).toBe(false);

    const before = service.asked.length;
    service.mend();
    const resumed = await cb(`${line} --out orders.${format} --resume`, { env });
    expect(resumed).toMatchObject({ code: 0, err: '' });
    const [whole, gone] = ['whole', 'orders'].map((name) =>
      readFileSync(join(folder, `${name}.${format}`), 'utf8'),
    );
    expect(gone).toBe(whole);
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
    const first = new Set(service.asked.slice(all, before).map(days));
    const again = service.asked
      .slice(before)
      .map(days)
      .filter((window) => first.has(window));
    expect(new Set(again).size).toBeLessThanOrEqual(3);
    expect(service.asked.length - before).toBeLessThan(all);
    await service.close();
  },
);

test('A file of another command is not gone on with', async () => {
  const service = await brokenService((_, number) => number > 30);
  const { cb } = home();
  const { env } = service;
  await cb(`orders list ${quarter} --max-wait 0 --out orders.csv`, { env });
  service.mend();
  const other = await cb(`orders list ${quarter} --type SALE --out orders.csv --resume`, { env });
  expect(other.code).toBe(2);
  expect(other.err).toMatch(/begun by another command/);
  const same = await cb(`orders list ${quarter} --out orders.csv --resume`, { env });
  expect(same.code).toBe(0);
  await service.close();
});

test('An export that is begun again without --resume starts from nothing', async () => {
  const service = await brokenService((_, number) => number > 30);
  const { cb, folder } = home();
  const { env } = service;
  await cb(`orders list ${quarter} --max-wait 0 --out orders.csv`, { env });
  service.mend();
  expect((await cb(`orders list ${quarter} --out orders.csv`, { env })).code).toBe(0);
  expect((await cb(`orders list ${quarter} --out whole.csv`, { env })).code).toBe(0);
  expect(readFileSync(join(folder, 'orders.csv'), 'utf8')).toBe(
    readFileSync(join(folder, 'whole.csv'), 'utf8'),
  );
  await service.close();
});

test('A limit holds over both runs', async () => {
  const service = await brokenService((_, number) => number > 30);
  const { cb, folder } = home();
  const { env } = service;
  const line = `orders list ${quarter} --limit 5000`;
  await cb(`${line} --max-wait 0 --out orders.ndjson`, { env });
  service.mend();
  expect((await cb(`${line} --out orders.ndjson --resume`, { env })).code).toBe(0);
  const lines = readFileSync(join(folder, 'orders.ndjson'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(5000);
  expect(new Set(lines).size).toBe(5000);
  await service.close();
});

test('Words such as last-7-days mean the same days when the run goes on', async () => {
  const { cb, folder } = await sandboxHome();
  const line = 'orders list --sandbox --period last-90-days --out orders.csv';
  expect((await cb(`${line} --resume`)).code).toBe(0);
  expect(readFileSync(join(folder, 'orders.csv'), 'utf8').split('\n').length).toBeGreaterThan(2000);
});

test.each([
  ['--resume', /--resume requires --out/],
  ['--resume --out orders.xml', /--resume is for whole lists as json, ndjson, csv, tsv/],
  ['--resume --out orders.csv --page 2', /--resume is for whole lists/],
  ["--resume --out orders.json --query 'length(@)'", /--resume is for whole lists/],
])('%s is refused before anything is sent', async (flags, says) => {
  const server = await serve((reply) => reply.end('null'));
  const { env } = server;
  const { code, err } = await home().cb(`orders list ${quarter} ${flags}`, { env });
  expect(code).toBe(2);
  expect(err).toMatch(says);
  expect(server.asked).toHaveLength(0);
});

test('Two exports to one file do not get in each other’s way', async () => {
  const { cb, folder } = await sandboxHome();
  const line = 'orders list --sandbox --period last-90-days --out orders.csv';
  const codes = (await Promise.all([cb(line), cb(line)])).map(({ code }) => code).sort();
  expect(codes).toEqual([0, 2]);
  expect(existsSync(join(folder, 'orders.csv'))).toBe(true);
});
