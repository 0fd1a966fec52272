/** cb stays within the service's limits, also with several processes. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb as start } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { servedHome } from '../../support/served-home.ts';
import { type Asked, serve } from '../../support/server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

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

test('shares the pace of a profile between processes', async () => {
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
  // With a shared pace, they take 17 steps of 250 ms; each alone would take 5. On a busy
  // machine, the first request may arrive late, so the steps may seem shorter.
  expect(Math.max(...arrivals) - Math.min(...arrivals)).toBeGreaterThan(11 * 250);
});

test('works if the pace cannot be shared, and says so with --debug', async () => {
  const { cb, folder } = await loggedIn((reply) => reply.end(order('A')));
  await cb('config set pace 10');
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/state'), 'a file');
  const { code, err } = await cb(`${list} --debug`);
  expect(code).toBe(0);
  expect(err).toContain('Requests are paced for this process alone');
});

test('does not pace requests to this machine unless the pace is set', async () => {
  const { cb, folder } = await loggedIn((reply) => reply.end(order('A')));
  expect((await cb(list)).code).toBe(0);
  expect(readdirSync(folder)).not.toContain('.local');
  await cb('config set pace 10');
  expect((await cb(list)).code).toBe(0);
  expect(readdirSync(join(folder, '.local/state/clickbank-cli/pace'))).toHaveLength(1);
});

test('waits and completes a list at the rate limit of the sandbox', async () => {
  const { cb } = await sandboxHome(300);
  const all = `orders list --sandbox --period last-3-months -o ndjson`;
  const whole = await cb(all);
  await cb("sandbox faults '403=50%,seed=3'");
  const { code, out, err } = await cb(`${all} --debug`, { clock: virtualClock() });
  expect({ code, out }).toEqual({ code: 0, out: whole.out });
  expect(err).toMatch(/Waiting \d\.\ds: Probably rate limited/);
});

test('ends with exit code 7 for a persistent 403, or 8 after rows were shown', async () => {
  const { cb, folder } = await servedHome((reply, _, asked) =>
    isFirstPage(asked) ? reply.writeHead(206).end(order('A1')) : reply.writeHead(403).end('Sorry'),
  );
  const toFile = await cb(`${list} --max-wait 0 --out orders.ndjson`);
  expect(toFile.code).toBe(7);
  expect(toFile.err).toMatch(
    /rate limited.*allowed this \d+ s ago.*403 Forbidden: Sorry.*Try again later.*--max-wait/s,
  );
  expect(toFile.err).toContain('check the permissions of the key');
  expect(readdirSync(folder)).toEqual([]);
  const shown = await cb(`${list} --max-wait 0`);
  expect(shown).toMatchObject({ code: 8, out: expect.stringContaining('A1') });
  expect(shown.err).toMatch(/incomplete.*rate limited/s);
});

test('ends with exit code 4 at once for a 403 without an earlier success', async () => {
  const { cb, asked } = await servedHome((reply) => reply.writeHead(403).end('Sorry'));
  const { code, err } = await cb(list);
  expect(code).toBe(4);
  expect(err).toMatch(/403 Forbidden.*does not exist.*permission.*requests may be too frequent/s);
  expect(asked).toHaveLength(1);
});

test('does not mistake a rate limit for an inactive order', async () => {
  const { cb, asked } = await servedHome((reply, number) =>
    reply.writeHead(number === 1 ? 403 : 200).end('{"orderData":{"receipt":"SALE0001"}}'),
  );
  expect(await cb('orders active SALE0001')).toMatchObject({ code: 0, out: 'active\n' });
  expect(asked.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'HEAD']);
});
