/** `cb orders` on the built-in sandbox, the progress of long lists, and lists whose pages never end. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { order } from '../../../src/operations/orders.ts';
import { sandboxHome } from '../../support/cb.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const quarter = '--period last-3-months';

test('prints an order with nil in every nillable field as a complete row in every format', async () => {
  const nil = { '@nil': 'true' };
  const nillable = Object.keys(order.fields).filter(
    (name) => order.fields[name as 'receipt'].nillable,
  );
  const wire = Object.fromEntries(nillable.map((name) => [name, nil]));
  const { cb } = await servedHome((reply) => reply.end(JSON.stringify({ orderData: wire })));
  const list = 'orders list --period today';
  const [row] = JSON.parse((await cb(`${list} -o json`)).out);
  for (const name of nillable) {
    const isList = order.fields[name as 'receipt'].kind === 'list';
    expect(row[name], name).toEqual(isList ? [] : null);
  }
  expect(row.lineItemData).toEqual([]);
  expect(JSON.parse((await cb(`${list} -o ndjson`)).out)).toEqual(row);
  const [header = [], cells = []] = parse((await cb(`${list} -o csv`)).out) as string[][];
  expect(cells).toHaveLength(header.length);
  expect(linesOf((await cb(`${list} -o tsv`)).out)).toHaveLength(2);
  expect((await cb(list, { columns: 80 })).code).toBe(0);
});

test('evaluates --query over the whole list, not page by page', async () => {
  const { cb } = await sandboxHome();
  const counted = await cb(`--sandbox orders count ${quarter}`);
  const { out } = await cb(`--sandbox orders list ${quarter} --query length(@)`);
  expect(out).toBe(counted.out);
});

test('requests no more pages than --limit needs, and exactly one with --page', async () => {
  const { cb } = await sandboxHome(5000);
  const few = await cb(`--sandbox orders list ${quarter} --limit 150 -o ndjson --debug`);
  expect(linesOf(few.out)).toHaveLength(150);
  // One request for today, and two pages of the days before.
  expect(few.err.match(/^> GET/gm)).toHaveLength(3);
  const third = await cb(`--sandbox orders list ${quarter} --page 3 -o ndjson --debug`);
  expect(linesOf(third.out)).toHaveLength(100);
  expect(third.err.match(/^> GET.*/gm)).toEqual([expect.stringMatching(/page 3$/)]);
});

test('notes that a list without dates covers yesterday and today only', async () => {
  const { out, err } = await (await sandboxHome()).cb('--sandbox orders list -o ndjson');
  expect(err).toContain('only yesterday and today');
  const days = jsonLines(out).map(({ transactionTime }) => transactionTime.slice(0, 10));
  expect(new Set(days)).toEqual(new Set(['2026-03-18', '2026-03-17']));
});

test('prints active with exit code 0, or inactive with exit code 9', async () => {
  const { cb } = await sandboxHome();
  expect(await cb('--sandbox orders active MONTHLY1')).toMatchObject({ code: 0, out: 'active\n' });
  const refunded = '--sandbox orders active REFUND01';
  expect(await cb(refunded)).toMatchObject({ code: 9, out: 'inactive\n' });
  expect(JSON.parse((await cb(`${refunded} -o json`)).out)).toEqual({ active: false });
});

test('resolves words such as tomorrow in the time zone of --tz', async () => {
  const { cb } = await sandboxHome();
  const line = '--sandbox orders change-date MONTHLY1 --change-date tomorrow --dry-run';
  expect((await cb(line)).out).toContain('changeDate=2026-03-19');
  expect((await cb(`${line} --tz Pacific/Auckland`)).out).toContain('changeDate=2026-03-20');
});

const list = 'orders list --start-date 2026-03-17 --end-date 2026-03-17 -o ndjson --fields receipt';

const endless = (receiptOf: (page: number) => string, last = Number.POSITIVE_INFINITY) =>
  servedHome((reply, _, { headers }) => {
    const page = Number(headers.page);
    const body = JSON.stringify({ orderData: { receipt: receiptOf(page) } });
    reply.writeHead(page < last ? 206 : 200).end(body);
  });

const cycle = (page: number) => (page === 1 ? 'A' : (['B', 'C', 'D'][(page - 2) % 3] ?? ''));

test.each([list, 'api GET /rest/1.3/orders2/list --paginate'])(
  'ends a list whose pages repeat in a cycle with exit code 8: %s',
  async (line) => {
    const { cb, asked } = await endless(cycle);
    expectExit(await cb(line), 8, /same page again \(page 5\)/);
    expect(asked.length).toBeLessThan(50);
  },
);

test('ends a list of different rows at --max-pages, and completes one that ends there', async () => {
  const { cb } = await endless((page) => `R${page}`);
  const ran = await cb(`${list} --max-pages 7`);
  expectExit(ran, 8, /continues after page 7 of one period.*--max-pages/s);
  expect(linesOf(ran.out)).toHaveLength(6);
  expect(linesOf((await cb(`${list} --max-pages 12`)).out)).toHaveLength(11);
  const whole = await endless((page) => `R${page}`, 7);
  expect(await whole.cb(`${list} --max-pages 7`)).toMatchObject({ code: 0, err: '' });
});

/** Eight slow pages with one order each. */
function slowShop(answerCount = (reply: ServerResponse) => void reply.end('8')) {
  return servedHome(async (reply, _, { url, headers }) => {
    const page = Number(headers.page);
    if (url.includes('/count')) return answerCount(reply);
    await setTimeout(250);
    reply.writeHead(page < 8 ? 206 : 200);
    return reply.end(JSON.stringify({ orderData: { receipt: `PAGE${page}` } }));
  });
}

const line = 'orders list --period today --fields receipt';

test('shows rows, pages, rate and remaining time after a second, and replaces them at the end', async () => {
  const { cb, folder } = await slowShop();
  const { code, out, err } = await cb(`${line} --out orders.csv`, { columns: 80 });
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toMatch(/\d of 8 rows, \d pages, \d rows\/s, \d s, about \d s left/);
  expect(err.slice(err.lastIndexOf('\r'))).toBe(`\r\x1b[KWrote 8 rows (56 bytes) to orders.csv.\n`);
  expect(readFileSync(join(folder, 'orders.csv'), 'utf8').split('\n')).toHaveLength(10);
});

test('shows no progress if the rows go to the terminal, or stderr is not a terminal', async () => {
  const { cb } = await slowShop();
  const seen = cb(`${line} -o csv`, { columns: 80 });
  for (const ran of [seen, cb(`${line} --out orders.csv`)]) {
    expect(await ran).toMatchObject({ code: 0, err: '' });
  }
});

test.each([
  ['fails', (reply: ServerResponse) => void reply.writeHead(503).end('busy')],
  ['is not a number', (reply: ServerResponse) => void reply.end('many')],
  ['never comes', () => undefined],
])('reads a count that %s once for each purpose, and lists without it', async (_, answerCount) => {
  const { cb, folder, asked } = await servedHome((reply, _number, request) => {
    if (request.url.includes('/count')) answerCount(reply);
    else reply.end('{"orderData":{"receipt":"ORDER001"}}');
  });
  const isCounted = () => asked.some((one) => one.url.includes('/count'));
  const sleep = async () => {
    while (!isCounted()) await setTimeout(1);
  };
  const year = 'orders list --period last-12-months --fields receipt --out orders.csv';
  const ran = await cb(year, { clock: { ...virtualClock(), sleep } });
  expect(ran).toEqual({ code: 0, out: '', err: '' });
  // To choose the windows, and to compare the first one, unless its time is over before it is sent.
  const counts = asked.filter(({ url }) => url.includes('/count'));
  expect([1, 2]).toContain(counts.length);
  expect(readFileSync(join(folder, 'orders.csv'), 'utf8')).toContain('ORDER001');
});

test('requests a count for the progress on a terminal once, and lists without it if it fails', async () => {
  const { cb, asked } = await slowShop((reply) => void reply.writeHead(503).end('busy'));
  const ran = await cb(`${line} --out orders.csv`, { columns: 80 });
  expectExit(ran, 0, /\d rows, \d pages/);
  expect(ran.err).not.toContain('busy');
  // For the progress, and to compare the list.
  expect(asked.filter(({ url }) => url.includes('/count'))).toHaveLength(2);
});
