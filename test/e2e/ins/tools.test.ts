/** `cb ins decrypt`, `verify`, `trigger` and `secrets`: where secrets are kept, and that none is ever shown. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { encryptNotification } from '../../../src/features/ins/index.ts';
import { openNotification } from '../../../src/features/ins/open-notification.ts';
import { home, now, sandboxHome } from '../../support/cb.ts';
import { receiveNotifications } from '../../support/ins-listener.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';

const secret = 'SECRET1KEY2026AB';
const env = { CB_INS_SECRET: secret };
const text =
  '{"transactionTime":"20260218T151138-0800","receipt":"ABCD1234","transactionType":"SALE","totalOrderAmount":1.00,"version":6.0}';
const body = encryptNotification(text, secret);

/** Fixed, because one in 256 wrong keys leaves a padding that looks right. */
const iv = Buffer.from('0123456789abcdef');

test('decrypts a file or stdin to JSON with the digits as sent, and to other formats', async () => {
  const { folder, cb } = home();
  writeFileSync(join(folder, 'body.json'), body);
  const fields = 'receipt,totalOrderAmount';
  const json = expect.stringMatching(/"totalOrderAmount": 1\.00,\s+"version": 6\.0\s/);
  for (const [line, out] of [
    ['ins decrypt body.json', json],
    ['ins decrypt', json],
    ['ins decrypt -', json],
    ['ins decrypt -o ndjson', `${text}\n`],
    [`ins decrypt -o csv --fields ${fields}`, `${fields}\nABCD1234,1.00\n`],
  ]) {
    expect(await cb(line, { env, stdin: body })).toMatchObject({ code: 0, out });
  }
});

test('tries every stored secret, and names the one that fits', async () => {
  const { cb } = home();
  for (const [name, stored] of Object.entries({ a: 'WRONG1', b: secret })) {
    await cb(`ins secrets add ${name} --with-secret`, { stdin: stored });
  }
  const opened = await cb('ins decrypt - ', { columns: 80, stdin: body });
  expectExit(opened, 0, "Decrypted with the secret 'b'.");
  const other = encryptNotification(text, 'ANOTHER1', { iv });
  expectExit(
    await cb('ins decrypt', { stdin: other }),
    3,
    /^cb: None of the 2 known secrets decrypts the notification\. The secret probably belongs to another account, or the body was changed in transit\. Try: cb ins verify $/,
  );
});

type Check = Readonly<Record<'check' | 'status', string>>;

const checksOf = (out: string) =>
  JSON.parse(out).map(({ check, status }: Check) => `${check} ${status}`);

test('verifies a notification step by step, stops at the step that fails with exit code 9, and says that there is no signature to check', async () => {
  const { cb } = home();
  const { code, out } = await cb('ins verify -o json', { env, stdin: body });
  expect(code).toBe(0);
  const steps = 'body fields base64 iv length key utf-8 json type version receipt time signature';
  expect(checksOf(out)).toEqual(steps.split(' ').map((step) => `${step} ok`));
  const altered = encryptNotification(text.replace('Time', 'Tixe'), secret);
  const doubtful = await cb('ins verify -o json', { env, stdin: altered });
  expect(checksOf(doubtful.out)).toContain('time warning');
  const stdin = encryptNotification(text, 'ANOTHER1', { iv });
  const failed = await cb('ins verify - -o table', { columns: 200, env, stdin });
  expect(failed.code).toBe(9);
  expect(failed.out).toContain('error    key        The padding is wrong after decryption.');
  expect(failed.out).toContain('Tried: CB_INS_SECRET.');
  expect(failed.out).not.toContain('utf-8');
  const signed = `POST /ins HTTP/1.1\nX-ClickBank-Signature: abc\n\n${body}`;
  const asked = await cb('ins verify -o json', { env, stdin: signed });
  expect(asked.code).toBe(0);
  expect(JSON.parse(asked.out).at(-1)).toEqual({
    check: 'signature',
    status: 'warning',
    found: "ClickBank documents no signature, so X-ClickBank-Signature can't be checked.",
    fix: 'Do not require it: genuine notifications have none.',
  });
});

test('sets fields with the type that they have, and removes fields', async () => {
  const { cb } = home();
  const set = [
    ...['totalOrderAmount=1.00', 'lineItems.0.quantity=3', 'lineItems[0].shippable=true'],
    ...['customer.billing.email=7', 'customer.billing.address={}', 'vendorVariables.a=1'],
    ...['brandNew=2', 'upsell.upsellFlowId=56'],
  ].map((one) => `--set ${one}`);
  const { out } = await cb(
    `ins trigger sale --plain --receipt MINE0001 ${set.join(' ')} --remove customer.shipping --remove lineItems.0.paymentPlan`,
  );
  expect(out).toContain('"totalOrderAmount":1.00,');
  const event = JSON.parse(out);
  expect(event).toMatchObject({ receipt: 'MINE0001', brandNew: '2', upsell: { upsellFlowId: 56 } });
  expect(event.customer).toEqual({
    billing: { ...event.customer.billing, email: '7', address: {} },
  });
  expect(event.vendorVariables).toMatchObject({ a: '1' });
  expect(event.lineItems[0]).toMatchObject({ quantity: 3, shippable: true });
  expect(event.lineItems[0]).not.toHaveProperty('paymentPlan');
});

test('makes an event of an order in the sandbox', async () => {
  const { cb } = await sandboxHome();
  const { code, out } = await cb('--sandbox ins trigger BILL --from-order monthly1 --plain');
  expect(code).toBe(0);
  expect(out).toContain('"totalOrderAmount":29.00,');
  expect(JSON.parse(out)).toMatchObject({
    receipt: expect.stringMatching(/^MONTHLY1-B\d+$/),
    vendor: 'greenleaf',
    customer: { billing: { email: 'ada.sample@example.com' } },
  });
  expect((await cb('--sandbox ins trigger BILL --from-order NOSUCH01 --plain')).code).toBe(4);
});

test('takes the secret of the sandbox, however the sandbox is chosen', async () => {
  const { cb } = await sandboxHome(60);
  for (const [at, own] of [secret, 'SECONDKEY1'].entries()) {
    await cb(`sandbox ins add http://127.0.0.1:424${at} --secret ${own}`);
  }
  await cb('ins secrets add --with-secret', { stdin: 'OTHERKEY1' });
  const trigger = async (options: string, from = {}) => {
    const { out } = await cb(`ins trigger SALE ${options}`, { env: from });
    return openNotification(out, [secret, 'SECONDKEY1']).secret;
  };
  expect(await trigger('--sandbox')).toBe(0);
  expect(await trigger('--sandbox --secret-name sandbox-2')).toBe(1);
  expect(await trigger('', { CB_PROFILE: 'sandbox' })).toBe(0);
  await cb('profiles use sandbox');
  expect(await trigger('')).toBe(0);
});

test('reads the secrets of the sandbox without sending its queued notifications', async () => {
  const { cb } = await sandboxHome();
  await cb(`sandbox ins add http://127.0.0.1:1 --secret ${secret}`);
  const tomorrow = { now: () => new Date(now.getTime() + 86_400_000) };
  await cb('--sandbox ins decrypt', { ...tomorrow, stdin: body });
  const { out } = await cb('sandbox ins log -o json --query max([].attemptCount)', tomorrow);
  expect(out).toBe('0\n');
});

test('sends one notification to a receiver here, whatever it answers, and asks before it sends to another machine', async () => {
  for (const status of [200, 302, 400, 500]) {
    const receiver = await receiveNotifications(status);
    const ran = await home().cb(`ins trigger SALE --to ${receiver.url}`, { env });
    const refused = `^cb: The receiver answered ${status} in`;
    const sent = '^Sent SALE SAMPLE01\\. The receiver answered 200 in \\d+ ms\\.\n$';
    const [code, says] = status === 200 ? [0, sent] : [9, refused];
    expect(ran).toMatchObject({ code, err: expect.stringMatching(says) });
    expect(receiver.bodies).toHaveLength(1);
    expect(openNotification(receiver.bodies[0] ?? '', [secret]).exact.receipt).toBe('SAMPLE01');
  }
  const asked = person(false);
  const line = 'ins trigger SALE --to https://example.com/ins';
  const declined = await home().cb(line, { env, columns: 80, person: asked });
  expect(declined.code).toBe(10);
  expect(asked.asked).toEqual(['Send a sample SALE notification to example.com?']);
});

test('shows hostile events on a terminal without their escape sequences', async () => {
  const { cb } = home();
  const receipt = '\u001b]0;owned\u0007\u001b[31mA';
  const hostile = encryptNotification({ receipt, transactionType: receipt }, secret);
  for (const line of ['ins decrypt -', 'ins decrypt - -o table', 'ins verify - -o table']) {
    const { out, err } = await cb(line, { env, stdin: hostile, columns: 100 });
    for (const part of ['\u0007', '\u001b]', '\u001b[31m']) expect(out + err).not.toContain(part);
    expect(out).toContain('A');
  }
});

const shopSecret = 'K3YOFSHOP2AB';

const fileOf = (folder: string) => join(folder, '.config/clickbank-cli/notification-secrets.json');

test('stores a secret from stdin or a prompt in a file that only its owner can read, replaces it, and removes it', async () => {
  const { folder, cb } = home();
  const stored = () => JSON.parse(readFileSync(fileOf(folder), 'utf8')).secrets;
  const added = await cb('ins secrets add shop2 --with-secret', { stdin: `${shopSecret}\n` });
  expect(added).toEqual({ code: 0, out: '', err: "Stored the notification secret 'shop2'.\n" });
  expect(statSync(fileOf(folder)).mode & 0o777).toBe(0o600);
  expect(stored()).toEqual({ shop2: { secret: shopSecret } });
  const list = await cb('ins secrets list -o json');
  expect(JSON.parse(list.out)).toEqual([{ name: 'shop2', keptIn: 'file' }]);
  for (const typed of ['FIRST1', ` ${shopSecret} `]) {
    const asked = person(typed);
    const { code, err } = await cb('ins secrets add', { columns: 80, person: asked });
    expect([code, err]).toEqual([0, "Stored the notification secret 'default'.\n"]);
    expect(asked.asked).toEqual(['Secret key of the notifications:']);
  }
  expect(stored()).toEqual({ default: { secret: shopSecret }, shop2: { secret: shopSecret } });
  expect(await cb('ins secrets remove shop')).toMatchObject({
    ...{ code: 2, err: "cb: There is no notification secret 'shop'.\n    Did you mean shop2?\n" },
  });
  for (const name of ['shop2', 'default']) await cb(`ins secrets remove ${name}`);
  expect(readFileSync(fileOf(folder), 'utf8')).not.toContain(shopSecret);
});

const others = 'The secret has other characters than capital letters and digits.';

test.each([
  ['', 'The secret is empty.'],
  ['lowercase1', others],
  ['ABC DEF', others],
  ['ABCDEFGHIJKLMNOPQ', 'The secret is longer than 16 characters.'],
])('refuses the secret %j without quoting it', async (typed, why) => {
  const { cb } = home();
  const { code, err } = await cb('ins secrets add --with-secret', { stdin: typed });
  expect(code).toBe(2);
  expect(err).toMatch(`cb: ${why}\n    Nothing was stored.`);
  if (typed !== '') expect(err).not.toContain(typed);
});

test('does not quote an invalid CB_INS_SECRET', async () => {
  const { cb } = home();
  const env = { CB_INS_SECRET: 'not-valid-1' };
  const invalid = await cb('ins trigger SALE', { env });
  expect(invalid.err).toMatch(/^cb: CB_INS_SECRET is invalid\. The secret has other characters/);
  expect(invalid.err).not.toContain(env.CB_INS_SECRET);
  const { out } = await cb('doctor --no-online -o json', { env });
  const found = JSON.parse(out).find(({ check }: Check) => check === 'CB_INS_SECRET');
  expect(found.status).toBe('error');
  expect(out).not.toContain(env.CB_INS_SECRET);
});

test('reports a damaged file without quoting it, and never replaces it', async () => {
  const { folder, cb } = home();
  await cb('ins secrets add --with-secret', { stdin: shopSecret });
  const damaged = `{"secrets":{"default":"${shopSecret}"`;
  writeFileSync(fileOf(folder), damaged);
  for (const line of ['list', 'remove default', 'add --with-secret']) {
    const ran = await cb(`ins secrets ${line}`, { stdin: 'OTHER1' });
    expectExit(ran, 3, 'is damaged');
    expect(ran.err).not.toContain(shopSecret);
  }
  expect(readFileSync(fileOf(folder), 'utf8')).toBe(damaged);
});

test('keeps all secrets that are stored at the same time', async () => {
  const { cb } = home();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const add = (name: string) => cb(`ins secrets add ${name} --with-secret`, { stdin: shopSecret });
  await Promise.all(names.map(add));
  const { out } = await cb('ins secrets list -o tsv --no-header --fields name');
  expect(out).toBe(names.map((name) => `${name}\n`).join(''));
});
