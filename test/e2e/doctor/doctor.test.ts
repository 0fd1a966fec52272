/** cb doctor: what is wrong with a set-up is named, with what mends it, and no secret is told. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canary } from '../../support/canary.ts';
import { home } from '../../support/cb.ts';
import { answering, doctor, folder, shop, write } from '../../support/doctor.ts';
import { person } from '../../support/person.ts';

test('On a new machine nothing is at fault, and nothing is made', async () => {
  const made = home();
  const { code, find } = await doctor(made);
  expect(code).toBe(0);
  expect(find('node')).toEqual({
    check: 'node',
    status: 'ok',
    found: '20.18.0 on linux',
    fix: null,
  });
  expect(find('config-file')).toMatchObject({
    status: 'warning',
    fix: expect.stringContaining('cb login'),
  });
  expect(find('sandbox-driver')).toMatchObject({ status: 'ok' });
  expect(existsSync(join(made.folder, '.config'))).toBe(false);
});

test.each([
  ['18.20.4', 'fault', 3],
  ['20.17.0', 'fault', 3],
  ['20.18.1', 'ok', 0],
  ['24.1.0', 'ok', 0],
])('Node %s is: %s', async (node, status, exit) => {
  const { code, find } = await doctor(home(), '', { node });
  expect({ status: find('node')?.status, code }).toEqual({ status, code: exit });
});

test('The oldest Node is the one that the package asks for', async () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { find } = await doctor(home(), '', { node: '1.0.0' });
  expect(find('node')?.fix).toContain(engines.node.replace('>=', ''));
});

test('A broken file with the profiles is a fault, told without a piece of it', async () => {
  const made = home();
  const file = write(made, `{"profiles": {"shop": {"key": ${canary}`);
  const { code, find } = await doctor(made);
  expect(code).toBe(3);
  expect(find('config-file')).toMatchObject({
    status: 'fault',
    found: expect.stringMatching(/config\.json: it is not JSON/),
    fix: expect.stringContaining('mend it'),
  });
  expect(readFileSync(file, 'utf8')).toContain(canary);
});

test.each(['[]', 'null', '{"profiles": 7}', '{"profiles": {"shop": null}}'])(
  'A file that holds %s is a fault',
  async (content) => {
    const made = home();
    write(made, content);
    expect((await doctor(made)).code).toBe(3);
  },
);

test('A file that others may read is a fault, and the fix is the command that mends it', async () => {
  const made = home();
  const file = write(made, shop('https://api.clickbank.com'));
  chmodSync(file, 0o644);
  chmodSync(join(made.folder, folder), 0o755);
  const { code, find } = await doctor(made);
  expect(code).toBe(3);
  expect(find('config-mode')).toMatchObject({ status: 'fault', fix: `chmod 600 ${file}` });
  expect(find('config-folder-mode')).toMatchObject({
    status: 'warning',
    fix: `chmod 700 ${join(made.folder, folder)}`,
  });
  chmodSync(file, 0o600);
  chmodSync(join(made.folder, folder), 0o700);
  const mended = await doctor(made);
  expect(mended.code).toBe(0);
  expect(mended.find('config-mode')).toMatchObject({ status: 'ok', found: '0600' });
});

test('Profiles are told by name and service; a current one that is gone is a fault', async () => {
  const made = home();
  const { profiles } = shop('https://api.clickbank.com') as { profiles: object };
  write(made, { current: 'gone', profiles });
  const { code, find } = await doctor(made);
  expect(code).toBe(3);
  expect(find('profile shop')).toMatchObject({ status: 'ok', found: 'https://api.clickbank.com' });
  expect(find('current-profile')).toMatchObject({ status: 'fault' });
});

test('A setting that somebody mistyped is a fault with the command that forgets it', async () => {
  const made = home();
  const profile = { baseUrl: 'https://api.clickbank.com', key: canary, settings: { pace: 99 } };
  write(made, { current: 'shop', profiles: { shop: profile } });
  const { code, find } = await doctor(made);
  expect(code).toBe(3);
  expect(find('setting pace of shop')?.fix).toBe('cb config unset pace --profile shop');
});

test.each([
  ['CB_PROFILE', 'shop9', 'fault', 'not there'],
  ['CB_PROFILE', canary, 'fault', 'not there'],
  ['CB_PROFILE', 'sandbox:read-only', 'ok', 'sandbox:read-only'],
  ['CB_BASE_URL', 'http://service.example.com', 'fault', 'not https'],
  ['CB_BASE_URL', canary, 'fault', 'is not a URL'],
  ['CB_BASE_URL', `https://${canary}:x@service.example.com`, 'fault', 'neither a user'],
  ['CB_BASE_URL', 'https://service.example.com/', 'ok', 'https://service.example.com'],
  ['CB_API_KEY', '', 'fault', 'empty'],
  ['CB_API_KEY', `${canary} x`, 'fault', 'strange character'],
  ['CB_API_KEY', canary, 'ok', 'set'],
  ['HTTPS_PROXY', 'http://me:s3/cr@t@127.0.0.1:3128', 'fault', 'http://***@127.0.0.1:3128,'],
  ['https_proxy', 'me:s3cr%40t@127.0.0.1:3128', 'ok', '***@127.0.0.1:3128, the way'],
  ['ALL_PROXY', 'socks5://127.0.0.1:3128', 'fault', "which cb can't use"],
  ['NO_PROXY', 'localhost', 'ok', 'localhost'],
  ['NODE_EXTRA_CA_CERTS', 'gone.pem', 'warning', "gone.pem can't be read"],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0', 'warning', 'all the same'],
  ['NO_COLOR', '1', 'ok', 'no colour'],
])('%s=%s is: %s, %s', async (name, value, status, found) => {
  const made = home();
  const { code, find } = await doctor(made, '', { env: { [name]: value } });
  expect(find(name)).toMatchObject({ status, found: expect.stringContaining(found) });
  expect(find(name)?.found).not.toMatch(/s3|cr@t/);
  expect(find(name)?.fix === null).toBe(status === 'ok');
  expect(code).toBe(status === 'fault' ? 3 : 0);
});

test('CB_BASE_URL beside a key that was stored for another service is a fault', async () => {
  const made = home();
  write(made, shop('https://api.clickbank.com'));
  const env = { CB_BASE_URL: 'https://service.example.com' };
  expect((await doctor(made, '', { env })).find('CB_BASE_URL')?.status).toBe('fault');
  const own = { ...env, CB_API_KEY: canary };
  expect((await doctor(made, '', { env: own })).find('CB_BASE_URL')?.status).toBe('ok');
});

test('A folder that something else is in the place of is a warning', async () => {
  const made = home();
  writeFileSync(join(made.folder, 'taken'), '');
  const env = { XDG_STATE_HOME: join(made.folder, 'taken') };
  const { code, find } = await doctor(made, '', { env });
  expect(code).toBe(0);
  expect(find('state-folder')).toMatchObject({
    status: 'warning',
    fix: expect.stringContaining(join(made.folder, 'taken')),
  });
});

test('A terminal gets a line each with the fix below, and is asked before anything is sent', async () => {
  const made = home();
  const { url, asked } = await answering('api_order_read');
  write(made, shop(url));
  const who = person(false);
  const { code, out } = await made.cb('doctor', {
    columns: 60,
    person: who,
    env: { CB_PROFILE: 'shop9' },
  });
  expect(code).toBe(3);
  expect(who.asked).toEqual(['Ask the service about shop too?']);
  expect(asked).toEqual([]);
  expect(out).toMatch(/^ok +node +20\.18\.0 on linux$/m);
  expect(out).toMatch(
    /^fault +CB_PROFILE .*\n +fix: set it to one of: sandbox, shop; or unset it$/m,
  );
  expect(out).toMatch(/^1 fault, 0 warnings$/m);
  expect((await made.cb('doctor', { columns: 60, person: person(true) })).out).toContain(
    'key shop',
  );
});

test('-o xml is refused, since no service sent anything', async () => {
  expect((await home().cb('doctor -o xml')).code).toBe(2);
});
