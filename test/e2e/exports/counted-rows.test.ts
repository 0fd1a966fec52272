/** Files with fewer rows than ClickBank counts: exit code 8, and a later run that adds what is missing. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { now } from '../../support/cb.ts';
import { type Passed, startGateway } from '../../support/gateway.ts';
import { linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedShop } from '../../support/sandbox.ts';

type Change = Parameters<typeof startGateway>[2];

async function world(change: Change, orders = 600) {
  const { sandbox, folder, cb } = await servedShop({ orders });
  const { url, asked } = await startGateway(sandbox.url, now, change);
  return {
    honest: (line: string) => cb(line),
    broken: (line: string) => cb(line, { env: { CB_BASE_URL: url } }),
    asked,
    has: (name: string) => existsSync(join(folder, name)),
    rows: (name: string) => linesOf(readFileSync(join(folder, name), 'utf8')),
  };
}

const isOrders = ({ path }: Passed) => path === '/orders2/list';

/** The first time only, a list ends after its first page. */
function cutOnce(): Change {
  let isDone = false;
  return (passed) => {
    if (isDone || !isOrders(passed) || passed.status !== 206) return undefined;
    isDone = true;
    return { status: 200, body: passed.body };
  };
}

/** Another answer to each count of orders. */
const counting = (answer: (count: number) => ReturnType<Change>) =>
  world(({ path, body }) => (path === '/orders2/count' ? answer(Number(body)) : undefined));

const list = 'orders list --start-date 2025-11-01 --end-date 2026-03-18 --fields receipt';

test('--out ends with exit code 8 if a list ends too early, and --resume completes the file', async () => {
  const { honest, broken, has, rows } = await world(cutOnce());
  const says = /ClickBank announced \d+ rows but sent only \d+\. .*--resume/;
  expectExit(await broken(`${list} --out cut.csv`), 8, says);
  expect(has('cut.csv')).toBe(false);
  expect(await broken(`${list} --out cut.csv --resume`)).toMatchObject({ code: 0 });
  expect(await honest(`${list} --out whole.csv`)).toMatchObject({ code: 0 });
  expect(rows('cut.csv')).toEqual(rows('whole.csv'));
});

test('--append adds the rows that were missing in the next run, each row once', async () => {
  const { honest, broken, rows } = await world(cutOnce());
  const since = 'orders list --fields receipt,transactionTime --start-date 2025-11-01 --since-last';
  const cut = await broken(`${since} a --append cut.csv`);
  expectExit(cut, 8, /The next run adds the missing rows to \S+cut\.csv\./);
  expect(await broken(`${since} a --append cut.csv`)).toMatchObject({ code: 0 });
  expect(await honest(`${since} b --append whole.csv`)).toMatchObject({ code: 0 });
  expect(rows('cut.csv').sort()).toEqual(rows('whole.csv').sort());
});

test.each([
  ['--out orders.csv', list],
  ['--out orders.xlsx', list],
  ['--append orders.csv', 'orders list --fields receipt --start-date 2025-11-01 --since-last s'],
])('%s has the listed rows, with exit code 8, if ClickBank counts more', async (to, line) => {
  const { broken, has, asked } = await counting((count) => `${count + 3}`);
  const file = to.split(' ')[1] ?? '';
  const says = `returned the same numbers, so ${file} may lack rows.`;
  expectExit(await broken(`${line} ${to}`), 8, says);
  expect(has(file)).toBe(true);
  expect(asked.length).toBeLessThan(60);
});

test('a file is complete if rows arrive while it is written, or if there is no count', async () => {
  const { broken, rows, honest } = await counting((count) => `${count - 2}`);
  expect(await broken(`${list} --out more.csv`)).toMatchObject({ code: 0 });
  expect(await honest(`${list} --out whole.csv`)).toMatchObject({ code: 0 });
  expect(rows('more.csv')).toEqual(rows('whole.csv'));
  const uncounted = await counting(() => ({ status: 403, body: 'Access denied' }));
  expect(await uncounted.broken(`${list} --out none.csv`)).toMatchObject({ code: 0 });
  // The count has no such filter.
  const amount = await uncounted.broken(`${list} --amount 37.00 --out amount.csv`);
  expect(amount).toMatchObject({ code: 0 });
});

test("pages that can't be decoded are kept as received, and not compared", async () => {
  const { broken, rows } = await world(({ path, page, status }) =>
    path === '/orders2/list' ? { status, body: `Page ${page}\n` } : undefined,
  );
  const day = 'orders list --start-date 2026-02-01 --end-date 2026-03-18';
  expect(await broken(`${day} --raw --out pages.txt`)).toMatchObject({ code: 0, err: '' });
  expect(rows('pages.txt')).toContain('Page 2');
});

test('several types are compared one by one', async () => {
  const cut = cutOnce();
  const { broken } = await world((passed) =>
    passed.query.get('type') === 'BILL' ? cut(passed) : undefined,
  );
  const both = `${list} --type SALE,BILL --out both.csv`;
  expect(await broken(both)).toMatchObject({ code: 8 });
  expect(await broken(both)).toMatchObject({ code: 0 });
});

test('shipments and tickets are compared, too', async () => {
  const { broken } = await world(
    ({ status, body }) => (status === 206 ? { status: 200, body } : undefined),
    3000,
  );
  for (const line of ['ship list --days 300', 'tickets list']) {
    expectExit(await broken(`${line} --out rows.csv`), 8, 'ClickBank announced');
  }
});

test('a list on a screen or in a pipe asks for no count', async () => {
  const { broken, asked } = await world(() => undefined, 300);
  const short = 'orders list --start-date 2026-03-16 --end-date 2026-03-18';
  expect((await broken(`${short} -o csv`)).code).toBe(0);
  expect((await broken(`${short} --limit 5 --out few.csv`)).code).toBe(0);
  expect(asked.filter(({ url }) => url.includes('/count'))).toEqual([]);
  expect((await broken(`${short} --out all.csv`)).code).toBe(0);
  expect(asked.filter(({ url }) => url.includes('/count'))).toHaveLength(2);
});
