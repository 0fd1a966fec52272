/** Services that end a list too early, or send nothing: a copy keeps what it has, and the run does not succeed. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { home, now as today } from '../../../support/cb.ts';
import { type Asked, serve } from '../../../support/server.ts';
import { openCopy } from './copies.ts';

const json = { 'content-type': 'application/json' };

const orders = ['2026-03-17', '2026-03-17', '2026-03-17', '2026-03-02'].map((day, i) => ({
  ...{ receipt: `RECEIPT${i}`, transactionType: 'SALE', role: 'VENDOR', vendor: 'maker' },
  ...{ transactionTime: `${day}T12:00:00-07:00`, totalOrderAmount: 9.9, lineItemData: [] },
}));

type Behavior =
  | 'good'
  | 'lists nothing'
  | 'stops after a page'
  | 'lists too much'
  | 'sends no body';

/** A service with four orders, two on a page. It counts all of them, however it behaves. */
function serveOrders(now: () => Behavior) {
  const answer: Parameters<typeof serve>[0] = (reply, _number, { url, headers }) => {
    // cb corrects its clock by the time of a response.
    reply.sendDate = false;
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const first = searchParams.get('startDate') ?? '';
    const last = searchParams.get('endDate') ?? '';
    const found = orders.filter(({ transactionTime }) => {
      const day = transactionTime.slice(0, 10);
      return day >= first && day <= last;
    });
    if (pathname.endsWith('/quickstats/accounts')) {
      reply.writeHead(200, json).end('{"accountData":[{"nickName":"maker"}]}');
    } else if (pathname.endsWith('/orders2/count')) {
      reply.writeHead(200, { 'content-type': 'text/plain' }).end(String(found.length));
    } else if (pathname.endsWith('/orders2/list')) {
      const page = Number(headers.page ?? 1);
      const { status, body } = pageOf(found, page, now());
      reply.writeHead(status, json).end(body);
    } else reply.writeHead(200, json).end('null');
  };
  return serve(answer, { time: () => today });
}

function pageOf(found: typeof orders, page: number, behavior: Behavior) {
  if (behavior === 'sends no body') return { status: 200, body: '' };
  const shown = behavior === 'lists too much' ? [...found, ...orders.slice(0, 1)] : found;
  const rows = behavior === 'lists nothing' ? [] : shown.slice(2 * (page - 1), 2 * page);
  const hasMore = behavior !== 'stops after a page' && shown.length > 2 * page && rows.length > 0;
  const body = rows.length > 0 ? JSON.stringify({ orderData: rows }) : 'null';
  return { status: hasMore ? 206 : 200, body };
}

async function copied(file: string): Promise<string[]> {
  const copy = await openCopy(file);
  const rows = await copy.query<{ receipt: string }>('SELECT receipt FROM orders ORDER BY receipt');
  await copy.close();
  return rows.map(({ receipt }) => receipt);
}

const all = orders.map(({ receipt }) => receipt).sort();

describe('a service that', () => {
  test.each<readonly [Behavior, RegExp, number]>([
    ['lists nothing', /ClickBank counts \d rows but lists 0/, 8],
    // A new copy takes what is listed, with a warning: otherwise it might never have any row.
    ['stops after a page', /ClickBank counts \d rows but lists 2/, 0],
    ['lists too much', /ClickBank counts \d rows but lists \d/, 8],
    ['sends no body', /orders from \S+ to \S+/, 8],
  ])(
    '%s leaves the copy as it is, and the run does not succeed',
    async (behavior, message, first) => {
      let current: Behavior = 'good';
      const { env } = await serveOrders(() => current);
      const user = home();
      const file = join(user.folder, 'copy.db');
      const sync = () => user.cb(`sync ${file} --tables orders --max-wait 0`, { env });
      current = behavior;
      const before = await sync();
      expect(before.err).toMatch(message);
      expect(before.code).toBe(first);
      current = 'good';
      expect(await sync()).toMatchObject({ code: 0 });
      expect(await copied(file)).toEqual(all);
      current = behavior;
      const { code, err } = await sync();
      expect({ code, err }).toMatchObject({ code: 8 });
      expect(await copied(file)).toEqual(all);
      current = 'good';
      expect(await sync()).toMatchObject({ code: 0 });
      expect(await copied(file)).toEqual(all);
    },
  );

  test('lists every page is read to the end in the first run', async () => {
    const { env, asked } = await serveOrders(() => 'good');
    const user = home();
    const file = join(user.folder, 'copy.db');
    expect(await user.cb(`sync ${file} --tables orders`, { env })).toMatchObject({ code: 0 });
    expect(await copied(file)).toEqual(all);
    const pages = asked.filter(({ url }: Asked) => url.includes('/orders2/list'));
    expect(pages.some(({ headers }) => headers.page === '2')).toBe(true);
  });
});
