/** A service that gives back what it was sent: the key is on no screen, in no form. */
import { describe, expect, test } from 'vitest';
import { home, type Ran, sandboxHome } from '../support/cb.ts';
import { type Asked, serve } from '../support/server.ts';

const key = 'API-Q7RX2MPL9CANARY4TZ8WK3VB6NH1JD5GF0SY';
const developerKey = `DEV-CANARY7P3X9K2M5W8:${key}`;

/** Forms of a key that a program could make use of, or a person recognise. */
function formsOf(secret: string): string[] {
  const base64 = ['', 'u:', 'me:'].map((before) =>
    Buffer.from(`${before}${secret}`).toString('base64').slice(4, -4),
  );
  const hex = Buffer.from(secret).toString('hex');
  const urlEncoded = hex.replace(/../g, '%$&');
  return [secret, encodeURIComponent(secret), hex, urlEncoded, ...base64];
}

/** Not even eight characters of a form that stand together, in upper or lower case. */
function expectNoKey({ out, err }: Pick<Ran, 'out' | 'err'>): void {
  const shown = `${out}\n${err}`.toLowerCase();
  const pieces = formsOf(key).flatMap((form) =>
    [...Array(form.length - 7).keys()].map((at) => form.slice(at, at + 8).toLowerCase()),
  );
  expect(pieces.filter((piece) => shown.includes(piece))).toEqual([]);
}

type Echo = (asked: Asked) => string;

const echoes: Readonly<Record<string, Echo>> = {
  text: ({ headers }) => `Invalid API key ${headers.authorization}, go away`,
  json: ({ headers }) => JSON.stringify({ error: 'no', headers }),
  xml: ({ headers }) => `<error><key>${headers.authorization}</key></error>`,
  html: ({ headers }) => `<html><body>no: <b>${headers.authorization}</b></body></html>`,
  'a piece of it': ({ headers }) => `no: ${headers.authorization?.slice(6, 22)}…`,
  'other forms': ({ headers: { authorization = '' } }) => formsOf(authorization).join(' '),
  'upper and lower case': ({ headers: { authorization = '' } }) =>
    `${authorization.toLowerCase()} ${authorization.toUpperCase()}`,
  'its line of a dump': ({ headers }) => `Authorization:${headers.authorization}\r\nPage:1\r\n`,
};

const lines = [
  'orders list --period today -o ndjson',
  'orders list --period today -o json --debug',
  'orders list --period today --out orders.csv',
  'orders get MONTHLY1 --raw',
  'orders active MONTHLY1 -o json',
  'tickets create MONTHLY1 --type tech --reason ticket.type.tech_support.9 --yes -o json',
  'whoami',
  'api GET /1.3/orders2/list -i',
  'api POST /1.3/orders2/A/pause --yes --debug',
  'login --with-key --profile other',
  'doctor --online -o json',
];

describe.each(Object.entries(echoes))('An answer that quotes the key as %s', (_, echo) => {
  test.each([200, 206, 302, 400, 401, 403, 404, 429, 500])(
    'with %i shows none of it',
    async (status) => {
      const { url } = await serve((reply, _number, asked) => {
        const body = echo(asked);
        const location = `http://127.0.0.1:1/?${encodeURIComponent(asked.headers.authorization ?? '')}`;
        reply.writeHead(status, { 'x-echo': asked.headers.authorization, location }).end(body);
      });
      const { cb } = home();
      for (const used of status === 400 ? [key, developerKey] : [key]) {
        const env = { CB_BASE_URL: url, CB_API_KEY: used };
        for (const line of lines) {
          const ran = await cb(`${line} --max-wait 0`, { env, stdin: used });
          expectNoKey(ran);
          expect(ran.out + ran.err).not.toBe('');
        }
      }
    },
  );
});

test('With several profiles no key is shown in what was answered to another', async () => {
  const seen = new Set<string>();
  const { url } = await serve((reply, _number, { headers }) => {
    seen.add(headers.authorization ?? '');
    reply.writeHead(seen.size === 1 ? 200 : 400).end(seen.size === 1 ? '5' : [...seen].join(' '));
  });
  const { cb } = home();
  const other = `${key.slice(0, 4)}${[...key.slice(4)].reverse().join('')}`;
  for (const [name, one] of Object.entries({ a: key, b: other })) {
    await cb(`login --with-key --no-check --profile ${name} --base-url ${url}`, { stdin: one });
  }
  const ran = await cb('orders count --period today --all-profiles -o json --debug');
  expect([...seen]).toEqual([key, other]);
  expect(ran.code).toBe(8);
  expectNoKey(ran);
});

test('Words that stand in a key too are data like others', async () => {
  const { cb } = await sandboxHome(300);
  // Its key holds the word, as the keys of the sandbox tell what they are for.
  const { out } = await cb('api GET /1.3/orders2/list --profile sandbox:affiliate');
  expect(out).toContain('"affiliate":');
  expect(out).not.toContain('(the key)');
});
