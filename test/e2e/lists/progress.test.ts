/** Progress of long lists on a terminal. */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

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
    expect(code).toBe(0);
    expect(err).toMatch(/\d rows, \d pages/);
    expect(err).not.toContain('busy');
    // For the progress, and to compare the list.
    expect(asked.filter(({ url }) => url.includes('/count'))).toHaveLength(2);
  });
});
