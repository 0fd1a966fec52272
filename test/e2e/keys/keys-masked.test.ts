/** A service that echoes requests: no output contains the key in any form that cb redacts. */
import { expect, test } from 'vitest';
import { home, type Ran, sandboxHome } from '../../support/cb.ts';
import { servedHome } from '../../support/served-home.ts';
import { type Asked, serve } from '../../support/server.ts';
import { tier } from '../../support/tier.ts';

const key = 'API-Q7RX2MPL9CANARY4TZ8WK3VB6NH1JD5GF0SY';
const developerKey = `DEV-CANARY7P3X9K2M5W8:${key}`;

/** The key and the encoded forms that SECURITY.md names; base64 without characters that depend on other bytes. */
function formsOf(secret: string): string[] {
  const base64 = ['', 'u', 'me'].map((before) => {
    const packed = Buffer.from(`${before}${secret}`).toString('base64');
    return packed.replace(/.=+$/, '').slice(before === '' ? 0 : before.length + 1);
  });
  const hex = Buffer.from(secret).toString('hex');
  const percent = [encodeURIComponent(secret), secret.replace(/\W/g, encodedByte)];
  return [secret, withoutPrefix(secret), ...percent, hex, hex.replace(/../g, '%$&'), ...base64];
}

/** As `%2D` for a hyphen, which encodeURIComponent leaves as it is. */
function encodedByte(one: string): string {
  return `%${one.charCodeAt(0).toString(16)}`;
}

function withoutPrefix(secret: string): string {
  return secret.slice(secret.lastIndexOf('API-') + 'API-'.length);
}

/** Resolves the escapes of JSON and XML, as a reader of the output could. */
function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#x([0-9a-f]+);/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#(\d+);/g, (_, digits) => String.fromCharCode(Number(digits)))
    .replace(/<!\[CDATA\[|\]\]>|<!--.*?-->|<\?.*?\?>/g, '')
    .replaceAll('\\/', '/');
}

function expectNoKey({ out, err }: Pick<Ran, 'out' | 'err'>): void {
  const shown = unescaped(`${out}\n${err}`).toLowerCase();
  const found = formsOf(key).filter((form) => shown.includes(form.toLowerCase()));
  expect(found).toEqual([]);
}

type Echo = (asked: Asked) => string;

const codes = (text: string, write: (code: number) => string) =>
  [...text].map((one) => write(one.charCodeAt(0))).join('');

const ordered = (fields: string) => `<x><orderData><receipt>A1</receipt>${fields}</orderData></x>`;
const named = (name: string) => ordered(`<fullName>${name}</fullName>`);

const echoes: Readonly<Record<string, Echo>> = {
  text: ({ headers }) => `Invalid API key ${headers.authorization}, go away`,
  json: ({ headers }) => JSON.stringify({ error: 'no', headers }),
  xml: ({ headers }) => `<error><key>${headers.authorization}</key></error>`,
  html: ({ headers }) => `<html><body>no: <b>${headers.authorization}</b></body></html>`,
  'other forms': ({ headers: { authorization = '' } }) => formsOf(authorization).join(' '),
  'upper and lower case': ({ headers: { authorization = '' } }) =>
    `${authorization.toLowerCase()} ${authorization.toUpperCase()}`,
  'its line of a dump': ({ headers }) => `Authorization:${headers.authorization}\r\nPage:1\r\n`,
};

const lines = [
  'orders list --period today -o ndjson',
  'orders list --period today -o json --debug',
  'orders list --period today --out orders.csv',
  'orders list --period today --since-last a --out a.csv',
  'orders list --period today --resume --out b.csv --debug',
  'orders get MONTHLY1 --raw',
  'orders active MONTHLY1 -o json',
  'tickets create MONTHLY1 --type tech --reason ticket.type.tech_support.9 --yes -o json',
  'whoami',
  'api GET /1.3/orders2/list -i',
  'api POST /1.3/orders2/A/pause --yes --debug',
  'login --with-key --profile other',
  'doctor --online -o json',
];

/** In `npm test`, each form with two of the statuses, and each command with one of them. */
const echoed = Object.entries(echoes).flatMap(([form, echo], at) => {
  const statuses = [200, 400, 206, 401, 302, 403, 404, 429, 500];
  const some = statuses.map((_, i) => statuses[(2 * at + i) % statuses.length] ?? 200);
  return tier(some.slice(0, 2), some).map((status, i) => [form, status, echo, i] as const);
});

test.each(echoed)(
  'does not show the key in a response that quotes it as %s with status %i',
  async (_, status, echo, turn) => {
    const { cb, url } = await servedHome((reply, _number, asked) => {
      const { authorization = '' } = asked.headers;
      const location = `http://127.0.0.1:1/?${encodeURIComponent(authorization)}`;
      reply.writeHead(status, { 'x-echo': authorization, location }).end(echo(asked));
    });
    const some = lines.filter((_, i) => tier(i % 2 === turn, true));
    for (const used of status === 400 ? [key, developerKey] : [key]) {
      const env = { CB_BASE_URL: url, CB_API_KEY: used };
      for (const line of some) {
        const ran = await cb(`${line} --max-wait 0`, { env, stdin: used });
        expectNoKey(ran);
        expect(ran.out + ran.err).not.toBe('');
      }
    }
  },
);

/** Successful responses: an order whose fields and names contain the key, in every notation of JSON and XML. */
const rows: Readonly<Record<string, (key: string) => string>> = {
  'JSON escapes': (k) =>
    `{"orderData":{"receipt":"A1","fullName":"a\\"b ${codes(k, (code) => `\\u00${code.toString(16)}`)}"}}`,
  'one JSON escape': (k) =>
    `{"orderData":{"receipt":"A1","fullName":"${k.replace('K', '\\u004B')}"}}`,
  'escaped slashes in base64': (k) =>
    `{"orderData":{"receipt":"A1","note":"${Buffer.from(`u:${k}`).toString('base64').replaceAll('/', '\\/')}"}}`,
  'a field name': (k) => `{"orderData":{"receipt":"A1","${k}":{"${k.toLowerCase()}":["${k}"]}}}`,
  'an escaped field name': (k) =>
    `{"orderData":{"receipt":"A1","${k.replace('A', '\\u0041')}":"x"}}`,
  'mixed case': (k) =>
    `{"orderData":{"receipt":"A1","fullName":"${[...k].map((one, i) => (i % 2 ? one.toLowerCase() : one)).join('')}"}}`,
  'encoded forms': (k) => JSON.stringify({ orderData: { receipt: 'A1', notes: formsOf(k) } }),
  'XML character references': (k) => named(`&amp;${codes(k, (code) => `&#${code};`)}`),
  'hexadecimal XML character references': (k) =>
    named(codes(k, (code) => `&#x0${code.toString(16)};`)),
  'processing instructions': (k) => named(`${k.slice(0, 9)}<?x y?>${k.slice(9)}`),
  'CDATA sections with markup in them': (k) =>
    named(`<![CDATA[a<b&${k.slice(0, 9)}]]>${k.slice(9)}`),
  'CDATA sections that hold the marks of comments': (k) =>
    ordered(
      `<note><![CDATA[<!--]]></note><fullName>${k.slice(0, 9)}<![CDATA[${k.slice(9)}]]></fullName><role><![CDATA[-->]]></role>`,
    ),
  'split CDATA sections': (k) =>
    named(`${k.slice(0, 9)}<![CDATA[${k.slice(9, 20)}]]><!-- x -->${k.slice(20)}`),
  'an XML attribute': (k) =>
    `<x><orderData note="${k.replace('-', '&#45;')}"><receipt>A1</receipt></orderData></x>`,
};

test.each(Object.entries(rows))('shows no key in rows of any format: %s', async (_, body) => {
  const { cb } = await servedHome((reply) => reply.end(body(key)), { key });
  for (const format of ['-o json', '-o ndjson', '-o csv', '-o table', '-o tsv', '--raw']) {
    const ran = await cb(`orders get A1 ${format} --debug`);
    expect({ format, code: ran.code }).toEqual({ format, code: 0 });
    expect(ran.out).toContain('A1');
    expectNoKey(ran);
  }
});

test('keeps escapes and the case of other text as sent', async () => {
  const body = '{"orderData":{"receipt":"A1","fullName":"\\u0041nn \\u00e9 \\/ C:\\\\u0042"}}';
  const { cb } = await servedHome((reply) => reply.end(body), { key });
  expect((await cb('orders get A1 --raw')).out.trim()).toBe(body);
  const { out } = await cb('orders get A1 -o json');
  expect(JSON.parse(out)[0].fullName).toBe('Ann é / C:\\u0042');
});

test('redacts a key that looks like an escape', async () => {
  const odd = 'API-Q7\\u0041CANARY7K2M9&#65;X';
  const answer: Parameters<typeof servedHome>[0] = (reply, _, { headers }) =>
    reply.writeHead(400).end(`no: ${headers.authorization} & more`);
  const { cb } = await servedHome(answer, { key: odd });
  const { err } = await cb('orders get A1 --debug');
  expect(err).toContain('(the key)');
  expect(err).not.toContain('CANARY7K2M9');
});

test.each([
  ['opens comments and never closes them', '<!--'.repeat(750_000)],
  ['puts comments behind the start of the key', `API${'<!---->'.repeat(430_000)}`],
])('searches a body of 3 MB that %s in one pass', async (_, body) => {
  const { cb } = await servedHome((reply) => reply.writeHead(400).end(body), { key });
  expect((await cb('orders get A1 -o json')).code).toBe(4);
});

test('redacts the keys of all profiles in every response', async () => {
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

test('does not redact ordinary words that occur in a key', async () => {
  const { cb } = await sandboxHome(300);
  // The sandbox keys contain words for their purpose, such as this one.
  const path = '/1.3/orders2/list?startDate=2026-01-01&endDate=2026-03-18';
  const { out } = await cb(`api GET ${path} --profile sandbox:affiliate`);
  expect(out).toContain('"affiliate":');
  expect(out).not.toContain('(the key)');
});
