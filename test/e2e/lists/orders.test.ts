/** `cb orders` on the built-in sandbox, the progress of long lists, and lists whose pages never end. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../../src/client/clock.ts';
import { type ListFetcher, readList } from '../../../src/client/paging/lists.ts';
import { order, orders } from '../../../src/operations/orders.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { serve } from '../../support/server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const quarter = '--period last-3-months';

test('prints an order with nil in every nillable field as a complete row in every format', async () => {
  const { cb } = home();
  const nil = { '@nil': 'true' };
  const nillable = Object.keys(order.fields).filter(
    (name) => order.fields[name as 'receipt'].nillable,
  );
  const wire = Object.fromEntries(nillable.map((name) => [name, nil]));
  const { env } = await serve((reply) => reply.end(JSON.stringify({ orderData: wire })));
  const list = 'orders list --period today';
  const [row] = JSON.parse((await cb(`${list} -o json`, { env })).out);
  for (const name of nillable) {
    const isList = order.fields[name as 'receipt'].kind === 'list';
    expect(row[name], name).toEqual(isList ? [] : null);
  }
  expect(row.lineItemData).toEqual([]);
  expect(JSON.parse((await cb(`${list} -o ndjson`, { env })).out)).toEqual(row);
  const [header = [], cells = []] = parse((await cb(`${list} -o csv`, { env })).out) as string[][];
  expect(cells).toHaveLength(header.length);
  expect(linesOf((await cb(`${list} -o tsv`, { env })).out)).toHaveLength(2);
  expect((await cb(list, { env, columns: 80 })).code).toBe(0);
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

async function endless(receiptOf: (page: number) => string, last = Number.POSITIVE_INFINITY) {
  const { asked, env } = await serve((reply, _, { headers }) => {
    const receipt = receiptOf(Number(headers.page));
    reply
      .writeHead(Number(headers.page) < last ? 206 : 200)
      .end(JSON.stringify({ orderData: { receipt } }));
  });
  const { cb } = home();
  return { asked, run: (line: string) => cb(line, { env }) };
}

const cycle = (page: number) => (page === 1 ? 'A' : (['B', 'C', 'D'][(page - 2) % 3] ?? ''));

test.each([list, 'api GET /rest/1.3/orders2/list --paginate'])(
  'ends a list whose pages repeat in a cycle with exit code 8: %s',
  async (line) => {
    const { run, asked } = await endless(cycle);
    const ran = await run(line);
    expectExit(ran, 8, /same page again \(page 5\)/);
    expect(asked.length).toBeLessThan(50);
  },
);

test('ends an endless list of different rows at --max-pages', async () => {
  const { run } = await endless((page) => `R${page}`);
  const ran = await run(`${list} --max-pages 7`);
  expectExit(ran, 8, /did not end after 7 pages of one period.*--max-pages/s);
  expect(ran.out.trim().split('\n')).toHaveLength(6);
  const longer = await run(`${list} --max-pages 12`);
  expect(longer.out.trim().split('\n')).toHaveLength(11);
});

test('completes a list of exactly --max-pages pages', async () => {
  const { run } = await endless((page) => `R${page}`, 7);
  expect(await run(`${list} --max-pages 7`)).toMatchObject({ code: 0, err: '' });
});

test('ends a list after 10,000 pages of one period by default', async () => {
  const fetcher: ListFetcher<{ readonly text: string }> = {
    concurrency: 1,
    today: '2026-03-18',
    signal: new AbortController().signal,
    client: { call: () => Promise.reject(new Error('no count was wanted')) },
    clock: realClock,
    async fetch(_, number) {
      const text = String(number);
      return { number, more: true, rows: [{ text }], totals: [], body: text };
    },
  };
  let pages = 0;
  const reading = (async () => {
    for await (const _ of readList(orders.list, {}, { expectedRows: 1 }, fetcher)) pages += 1;
  })();
  await expect(reading).rejects.toMatchObject({ kind: 'incomplete' });
  expect(pages).toBe(9999);
});

/** Eight slow pages with one order each. */
async function slowShop(answerCount = (reply: ServerResponse) => void reply.end('8')) {
  return serve((reply, _, { url, headers }) => {
    const page = Number(headers.page);
    if (url.includes('/count')) answerCount(reply);
    else {
      globalThis.setTimeout(() => {
        reply.writeHead(page < 8 ? 206 : 200);
        reply.end(JSON.stringify({ orderData: { receipt: `PAGE${page}` } }));
      }, 250);
    }
  });
}

const line = 'orders list --period today --fields receipt';

test('shows rows, pages, rate and remaining time after a second, and replaces them at the end', async () => {
  const { env } = await slowShop();
  const { cb, folder } = home();
  const { code, out, err } = await cb(`${line} --out orders.csv`, { env, columns: 80 });
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toMatch(/\d of 8 rows, \d pages, \d rows\/s, \d s, about \d s left/);
  expect(err.slice(err.lastIndexOf('\r'))).toBe(`\r\x1b[KWrote 8 rows (56 bytes) to orders.csv.\n`);
  expect(readFileSync(join(folder, 'orders.csv'), 'utf8').split('\n')).toHaveLength(10);
});

test('shows no progress if the rows go to the terminal, or stderr is not a terminal', async () => {
  const { env } = await slowShop();
  const { cb } = home();
  const [seen, piped] = await Promise.all([
    cb(`${line} -o csv`, { env, columns: 80 }),
    cb(`${line} --out orders.csv`, { env }),
  ]);
  expect(seen).toMatchObject({ code: 0, err: '' });
  expect(piped).toMatchObject({ code: 0, err: '' });
});

describe('A count that cannot be read is requested once for each purpose and does not delay the list', () => {
  const year = 'orders list --period last-12-months --fields receipt --out orders.csv';

  test.each([
    ['fails', (reply: ServerResponse) => void reply.writeHead(503).end('busy')],
    ['is not a number', (reply: ServerResponse) => void reply.end('many')],
    ['never comes', () => undefined],
  ])('when it %s', async (_, answerCount) => {
    const { asked, env } = await serve((reply, _number, request) => {
      if (request.url.includes('/count')) answerCount(reply);
      else reply.end('{"orderData":{"receipt":"ORDER001"}}');
    });
    const isCounted = () => asked.some((one) => one.url.includes('/count'));
    const sleep = async () => {
      while (!isCounted()) await setTimeout(1);
    };
    const { cb, folder } = home();
    const ran = await cb(year, { env, clock: { ...virtualClock(), sleep } });
    expect(ran).toEqual({ code: 0, out: '', err: '' });
    // To choose the windows, and to compare the first one, unless its time is over before it is sent.
    const counts = asked.filter(({ url }) => url.includes('/count'));
    expect([1, 2]).toContain(counts.length);
    expect(readFileSync(join(folder, 'orders.csv'), 'utf8')).toContain('ORDER001');
  });

  test('when the terminal shows the progress', async () => {
    const { env, asked } = await slowShop((reply) => void reply.writeHead(503).end('busy'));
    const { code, err } = await home().cb(`${line} --out orders.csv`, { env, columns: 80 });
    expectExit({ code, err }, 0, /\d rows, \d pages/);
    expect(err).not.toContain('busy');
    // For the progress, and to compare the list.
    expect(asked.filter(({ url }) => url.includes('/count'))).toHaveLength(2);
  });
});
