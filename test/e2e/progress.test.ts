/** A person who waits for a long list sees how far it has come. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../support/cb.ts';
import { serve } from '../support/server.ts';

/** Eight pages of an order each, which take their time. */
async function slowShop() {
  const server = await serve((reply, _, { url, headers }) => {
    const page = Number(headers.page);
    if (url.includes('/count')) reply.end('8');
    else {
      setTimeout(() => {
        reply.writeHead(page < 8 ? 206 : 200);
        reply.end(JSON.stringify({ orderData: { receipt: `PAGE${page}` } }));
      }, 250);
    }
  });
  return { ...server, env: { CB_BASE_URL: server.url, CB_API_KEY: 'API-TEST' } };
}

const line = 'orders list --period today --fields receipt';

test('After a second the terminal tells rows, pages, rate, time and what is left, and then no more', async () => {
  const { env } = await slowShop();
  const { cb, folder } = home();
  const { code, out, err } = await cb(`${line} --out orders.csv`, { env, columns: 80 });
  expect({ code, out }).toEqual({ code: 0, out: '' });
  expect(err).toMatch(/\d of 8 rows, \d pages, \d rows\/s, \d s, about \d s left/);
  expect(err.endsWith('\r\x1b[K')).toBe(true);
  expect(readFileSync(join(folder, 'orders.csv'), 'utf8').split('\n')).toHaveLength(10);
});

test('Nothing of it where the rows themselves come to the terminal, or nobody looks', async () => {
  const { env } = await slowShop();
  const { cb } = home();
  const [seen, piped] = await Promise.all([
    cb(`${line} -o csv`, { env, columns: 80 }),
    cb(`${line} --out orders.csv`, { env }),
  ]);
  expect(seen).toMatchObject({ code: 0, err: '' });
  expect(piped).toMatchObject({ code: 0, err: '' });
});
