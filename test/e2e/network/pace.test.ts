/** cb keeps to the service's limits, also when several of it run at once. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb as start } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { servedHome } from '../../support/served-home.ts';
import { type Asked, serve } from '../../support/server.ts';

const list = 'orders list --period today -o ndjson';
const isFirstPage = ({ headers }: Asked) => headers.page === '1';
const order = (name: string) => JSON.stringify({ orderData: { receipt: name } });

/** A home with a profile of a bare server. */
async function loggedIn(answer: Parameters<typeof serve>[0]) {
  const made = home();
  const { url } = await serve(answer);
  await made.cb(`login --with-key --no-check --base-url ${url}`, { stdin: 'API-TEST' });
  return made;
}

test('Several processes of one profile keep its pace together', async () => {
  const arrivals: number[] = [];
  const { cb, folder } = await loggedIn((reply, number, { headers }) => {
    arrivals.push(performance.now());
    reply.writeHead(Number(headers.page) < 6 ? 206 : 200).end(order(`R${number}`));
  });
  await cb('config set pace 4');
  const each = [1, 2, 3].map(() => start(list.split(' '), { home: folder }).ended());
  for (const { code, err } of await Promise.all(each))
    expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(arrivals).toHaveLength(18);
  // Shared, they take 17 steps of a quarter of a second; each on its own would be done after 5. On a busy
  // machine the first request may arrive late, so that the steps seem shorter.
  expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(11 * 250);
});

test('Where the pace can not be shared cb works all the same, and says so with --debug', async () => {
  const { cb, folder } = await loggedIn((reply) => reply.end(order('A')));
  await cb('config set pace 10');
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/state'), 'a file');
  const { code, err } = await cb(`${list} --debug`);
  expect(code).toBe(0);
  expect(err).toContain("the pace is this process's alone");
});

test('On this machine there is no pace, and no trace of one, unless it was set', async () => {
  const { cb, folder } = await loggedIn((reply) => reply.end(order('A')));
  expect((await cb(list)).code).toBe(0);
  expect(readdirSync(folder)).not.toContain('.local');
  await cb('config set pace 10');
  expect((await cb(list)).code).toBe(0);
  expect(readdirSync(join(folder, '.local/state/clickbank-cli/pace'))).toHaveLength(1);
});

test('A list that meets the rate limit of the sandbox waits and comes whole', async () => {
  const { cb } = await sandboxHome(300);
  const all = `orders list --sandbox --period last-3-months -o ndjson`;
  const whole = await cb(all);
  await cb("sandbox faults '403=50%,seed=3'");
  const { code, out, err } = await cb(`${all} --debug`);
  expect({ code, out }).toEqual({ code: 0, out: whole.out });
  expect(err).toMatch(/waiting \d\.\d s: too many requests, it seems/);
});

test('A 403 that does not end is 7 for a file, and 8 where rows were shown already', async () => {
  const { cb, folder } = await servedHome((reply, _, asked) =>
    isFirstPage(asked) ? reply.writeHead(206).end(order('A1')) : reply.writeHead(403).end('Sorry'),
  );
  const toFile = await cb(`${list} --max-wait 0 --out orders.ndjson`);
  expect(toFile.code).toBe(7);
  expect(toFile.err).toMatch(
    /too many requests.*allowed \d+ s ago.*403: Sorry.*try again later.*--max-wait/,
  );
  expect(toFile.err).toContain('lost the permission');
  expect(readdirSync(folder)).toEqual([]);
  const shown = await cb(`${list} --max-wait 0`);
  expect(shown).toMatchObject({ code: 8, out: expect.stringContaining('A1') });
  expect(shown.err).toMatch(/incomplete.*too many requests/);
});

test('A 403 without a success before it is 4 at once', async () => {
  const { cb, asked } = await servedHome((reply) => reply.writeHead(403).end('Sorry'));
  const { code, err } = await cb(list);
  expect(code).toBe(4);
  expect(err).toContain('or too many requests');
  expect(asked).toHaveLength(1);
});

test('orders active does not take a rate limit for inactive', async () => {
  const { cb, asked } = await servedHome((reply, number) =>
    reply.writeHead(number === 1 ? 403 : 200).end('{"orderData":{"receipt":"SALE0001"}}'),
  );
  expect(await cb('orders active SALE0001')).toMatchObject({ code: 0, out: 'active\n' });
  expect(asked.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'HEAD']);
});
