/** cb doctor: reports problems of the setup and their fixes, without secrets; --online checks each key with its service. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canary } from '../../support/canary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { answering, doctor, doctorWith, folder, shop, write } from '../../support/doctor.ts';
import { person } from '../../support/person.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

const live = 'https://api.clickbank.com';

test('finds no error on a new machine, and creates no file', async () => {
  const made = home();
  const { code, find } = await doctor(made);
  expect(code).toBe(0);
  expect(find('node')).toMatchObject({ status: 'ok', found: '20.18.0 on linux', fix: null });
  expect(find('config-file')).toMatchObject({ status: 'warning', fix: matching(/cb login/) });
  expect(find('sandbox-driver')?.status).toBe('ok');
  const onSandbox = await doctor(made, '', { env: { CB_PROFILE: 'sandbox' } });
  expect(onSandbox.find('config-file')?.status).toBe('ok');
  expect(existsSync(join(made.folder, '.config'))).toBe(false);
});

test('names an incremental export of an earlier version, and says that starting again doubles rows', async () => {
  const made = home();
  const since = join(made.folder, '.local/share/clickbank-cli/since');
  mkdirSync(since, { recursive: true });
  writeFileSync(join(since, 'nightly.json'), '{"version":1,"seen":{}}');
  writeFileSync(join(since, 'nightly.json.rows'), '');
  const { code, find } = await doctor(made);
  expect(code).toBe(0);
  expect(find('since-last nightly')).toMatchObject({
    status: 'warning',
    found: matching(/nightly\.json can't be used: an older version of cb wrote it\.$/),
    fix: 'Delete it to export everything again from the first day. A file that has the rows already then gets them twice, so begin a new file.',
  });
  expect(find('since-last nightly.json')).toBeUndefined();
});

test.each([40, 60, 80])('wraps its findings between words at %i columns', async (columns) => {
  const made = home();
  write(made, { profiles: {} });
  const { out } = await made.cb('doctor', { columns });
  expect(out).toMatch(/fix:\s+Run\s+`cb login`/);
  const lines = out.split('\n').filter((line) => line.trim().includes(' '));
  const wide = lines.filter((line) => line.length > columns && !line.includes('/'));
  expect(wide).toEqual([]);
});

test.each([
  ['18.20.4', 'error', 3],
  ['20.17.0', 'error', 3],
  ['20.18.1', 'ok', 0],
  ['24.1.0', 'ok', 0],
])('reports Node %s as %s, by what the package supports', async (node, status, exit) => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { code, find } = await doctor(home(), '', { node });
  expect({ status: find('node')?.status, code }).toEqual({ status, code: exit });
  if (exit > 0) expect(find('node')?.fix).toContain(engines.node.replace('>=', ''));
});

const matching = (text: RegExp) => expect.stringMatching(text);
const error = { status: 'error' };
const ofGone = { current: 'gone', profiles: { shop: { baseUrl: live, key: canary } } };
const tooFast = { baseUrl: live, key: canary, settings: { pace: 99 } };
const elsewhere = { CB_BASE_URL: 'https://service.example.com' };

test.each<[stored: unknown, check: string, finding: object, code: number, env?: object]>([
  ['[]', 'config-file', error, 3],
  ['null', 'config-file', error, 3],
  ['{"profiles": 7}', 'config-file', error, 3],
  ['{"profiles": {"shop": null}}', 'profile shop', error, 3],
  [
    `{"profiles": {"shop": {"key": ${canary}`,
    'config-file',
    { ...error, found: matching(/config\.json: it is not valid JSON/), fix: matching(/Fix it/) },
    3,
  ],
  [
    { current: 'sandbox', profiles: {} },
    'config-file',
    { status: 'ok', found: matching(/the sandbox is in use/) },
    0,
  ],
  [ofGone, 'profile shop', { status: 'ok', found: live }, 3],
  [ofGone, 'current-profile', error, 3],
  [
    { current: 'shop', profiles: { shop: tooFast } },
    'setting pace of shop',
    { fix: 'cb config unset pace --profile shop' },
    3,
  ],
  [shop(live), 'CB_BASE_URL', error, 3, elsewhere],
  [shop(live), 'CB_BASE_URL', { status: 'ok' }, 0, { ...elsewhere, CB_API_KEY: canary }],
  [
    shop(live),
    'state-folder',
    { status: 'warning', found: matching(/share one pace\.$/), fix: matching(/\/dev\/null/) },
    0,
    { XDG_STATE_HOME: '/dev/null' },
  ],
])('checks the stored profiles: case %#, %2$s', async (stored, check, finding, exit, env = {}) => {
  const { code, find } = await doctorWith(stored, '', { env: { ...env } });
  expect({ code, ...find(check) }).toMatchObject({ code: exit, ...finding });
});

test('reports a file that others can read, with the command that fixes it', async () => {
  const made = home();
  const file = write(made, shop(live));
  chmodSync(file, 0o644);
  chmodSync(join(made.folder, folder), 0o755);
  const { code, find } = await doctor(made);
  expect(code).toBe(3);
  expect(find('config-mode')).toMatchObject({ status: 'error', fix: `chmod 600 ${file}` });
  const fix = `chmod 700 ${join(made.folder, folder)}`;
  expect(find('config-folder-mode')).toMatchObject({ status: 'warning', fix });
  chmodSync(file, 0o600);
  chmodSync(join(made.folder, folder), 0o700);
  const fixed = await doctor(made);
  expect(fixed.code).toBe(0);
  expect(fixed.find('config-mode')).toMatchObject({ status: 'ok', found: 'mode 0600' });
});

test.each([
  ['CB_PROFILE', 'shop9', 'error', 'does not exist'],
  ['CB_PROFILE', canary, 'error', 'does not exist'],
  ['CB_PROFILE', 'sandbox:read-only', 'ok', 'sandbox:read-only'],
  ['CB_BASE_URL', 'http://service.example.com', 'error', 'does not use https'],
  ['CB_BASE_URL', canary, 'error', 'is not a valid URL'],
  ['CB_BASE_URL', `https://${canary}:x@service.example.com`, 'error', 'must not contain a user'],
  ['CB_BASE_URL', 'https://service.example.com/', 'ok', 'https://service.example.com'],
  ['CB_API_KEY', `${canary} x`, 'error', 'invalid character'],
  ['CB_API_KEY', canary, 'ok', 'set'],
  ['HTTPS_PROXY', 'http://me:s3/cr@t@127.0.0.1:3128', 'error', 'does not name an HTTP proxy'],
  ['https_proxy', 'me:s3cr%40t@127.0.0.1:3128', 'ok', 'http://127.0.0.1:3128, used for requests'],
  ['ALL_PROXY', 'socks5://127.0.0.1:3128', 'error', 'does not name an HTTP proxy'],
  ['NO_PROXY', 'localhost', 'ok', 'localhost'],
  ['NODE_EXTRA_CA_CERTS', 'gone.pem', 'warning', "gone.pem can't be read"],
  ['NO_COLOR', '1', 'ok', 'color is disabled'],
])('checks %s=%s: %s, %s', async (name, value, status, found) => {
  const made = home();
  const { code, find } = await doctor(made, '', { env: { [name]: value } });
  expect(find(name)).toMatchObject({ status, found: expect.stringContaining(found) });
  expect(find(name)?.found).not.toMatch(/s3|cr@t/);
  expect(find(name)?.fix === null).toBe(status === 'ok');
  expect(code).toBe(status === 'error' ? 3 : 0);
});

test('shows a line for each finding on a terminal, and asks before it sends anything', async () => {
  const made = home();
  const { url, asked } = await answering('api_order_read');
  write(made, shop(url));
  const who = person(false);
  const env = { CB_PROFILE: 'shop9' };
  const { code, out } = await made.cb('doctor', { columns: 90, person: who, env });
  expect(code).toBe(3);
  expect(who.asked).toEqual(['Also check the key of shop with a request?']);
  expect(asked).toEqual([]);
  expect(out).toMatch(/^ok +node +20\.18\.0 on linux$/m);
  expect(out).toMatch(
    /^error +CB_PROFILE .*\n +fix: Set it to one of sandbox, shop, or unset it\.$/m,
  );
  expect(out).toMatch(/^1 error, 0 warnings$/m);
  const agreed = await made.cb('doctor', { columns: 60, person: person(true) });
  expect(agreed.out).toContain('key shop');
});

test('checks connection, key, permissions, and clock of each profile, also of the sandbox, only with --online', async () => {
  const { url, asked } = await answering(`api_order_read\n${canary}\n`);
  const offline = await doctorWith(shop(url));
  expect({ code: offline.code, asked }).toEqual({ code: 0, asked: [] });
  expect(offline.find('reach shop')).toBeUndefined();
  const { code, find } = await doctorWith(shop(url), '--online');
  expect(code).toBe(0);
  expect(find('reach shop')?.found).toMatch(/responded in \d+ ms/);
  expect(find('key shop')?.status).toBe('ok');
  expect(find('permissions shop')?.found).toBe('Permissions of the key: api_order_read.');
  expect(find('clock')?.status).toBe('ok');
  const ofSandbox = await doctor(await sandboxHome(60), '--sandbox --online');
  expect(ofSandbox.find('key sandbox')?.status).toBe('ok');
  expect(ofSandbox.find('permissions sandbox')?.found).toContain('api_order_write');
});

test('ends with exit code 6 for an unreachable service, 5 for one that fails, or 3 if a key is invalid too', async () => {
  const away = shop('http://127.0.0.1:1');
  const alone = await doctorWith(away, '--online');
  expect(alone.code).toBe(6);
  const unreachable = { ...error, found: matching(/127\.0\.0\.1:1/), fix: expect.any(String) };
  expect(alone.find('reach shop')).toMatchObject(unreachable);
  expect((await doctorWith(away, '--online', { env: { CB_API_KEY: ' ' } })).code).toBe(3);
  const { url } = await serve((reply) => reply.writeHead(500).end());
  expect((await doctorWith(shop(url), '--online')).code).toBe(5);
});

const clockIs = (how: string) =>
  `The clock of this machine is 12 minutes ${how} the service's clock.`;

test.each<[text: string, minutes: number, check: string, finding: object, code: number]>([
  ['api_order_read', -12, 'clock', { ...error, found: clockIs('ahead of') }, 3],
  ['api_order_read', 12, 'clock', { ...error, found: clockIs('behind') }, 3],
  ['api_order_read', 0, 'order amounts shop', { found: matching(/^unknown: (?!none)/) }, 0],
  // Not an accepted key.
  ['<!DOCTYPE html>Sign in', 0, 'reach shop', { ...error, found: matching(/is a web page\.$/) }, 5],
])(
  'checks a service that answers %j, %i minutes ahead',
  async (text, minutes, check, finding, exit) => {
    const { url } = await answering(text, minutes);
    const { code, find } = await doctorWith(shop(url), '--online');
    expect({ code, ...find(check) }).toMatchObject({ code: exit, ...finding });
    expect(find('key shop')?.status).toBe(text.startsWith('<') ? undefined : 'ok');
  },
);

test('checks only the profiles that --profile names', async () => {
  const { url } = await answering('api_order_read');
  const away = { baseUrl: 'http://127.0.0.1:1', key: canary };
  const stored = { current: 'away', profiles: { away, shop: { ...away, baseUrl: url } } };
  const { code, find } = await doctorWith(stored, '--online --profile shop');
  expect({ code, away: find('reach away') }).toEqual({ code: 0, away: undefined });
  const gone = await doctorWith(stored, '--online --profile gone');
  expect(gone.find('key gone')).toMatchObject({ status: 'error' });
});

const inDollars =
  /^in US dollars: order \w+ has totalOrderAmount [\d.]+, currency (?:JPY|INR), and you earn [\d.]+ USD$/;

test.each([
  ['dollars', inDollars],
  ['customer', /^in the customer's currency: order \w+ has /],
] as const)('says that order amounts are in %s', async (orderAmounts, found) => {
  const { env } = await serveSandbox({ orders: 600, orderAmounts });
  const { find } = await doctorWith(shop(env.CB_BASE_URL, env.CB_API_KEY), '--online');
  expect(find('order amounts shop')).toMatchObject({ status: 'ok', found: matching(found) });
});

const unknown = /^unknown: none of the latest orders shows/;
const recorded =
  /^in US dollars: order SALE0001 has totalOrderAmount 11\.94, currency PHP, and you earn 9\.06 USD$/;

/** Sales: currency, what the customer paid, and what the account earns. */
test.each([
  ['there is none', [], unknown],
  ['all are in other currencies', ['USD 47.00 21.23', 'EUR 10.58 8.25'], unknown],
  ['such an order earned nothing', ['PHP 11.94 0.00'], unknown],
  ['one of 2019 follows one with a tiny share', ['JPY 900.00 4.00', 'PHP 11.94 9.06'], recorded],
])('says what shows the currency of orders, or nothing, if %s', async (_, sales, found) => {
  const orderData = sales.map((sale, at) => {
    const [currency, totalOrderAmount, accountAmount] = sale.split(' ');
    return {
      ...{ receipt: `SALE000${at}`, transactionType: 'SALE', currency, totalOrderAmount },
      ...{ transactionTime: '2026-03-17T10:00:00-07:00', lineItemData: [{ accountAmount }] },
    };
  });
  const { url } = await serve((reply, _, { url: path }) =>
    path.includes('/orders2/list')
      ? reply.end(JSON.stringify({ orderData }))
      : reply.writeHead(200, { 'content-type': 'text/plain' }).end('api_order_read'),
  );
  const { find } = await doctorWith(shop(url), '--online');
  expect(find('order amounts shop')).toMatchObject({ status: 'ok', found: matching(found) });
});
