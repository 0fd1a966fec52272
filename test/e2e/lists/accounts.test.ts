/** Several accounts in one table, and the account of a read: chosen from those of the key, from the settings, or the only one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../src/run.ts';
import { listedByOthers } from '../../../src/shell/display/summary.ts';
import { home, world } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedShop } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';
import { until } from '../../support/virtual-clock.ts';
import { readWorkbook } from '../../support/workbook.ts';

/** A service that knows its accounts by their keys. */
async function agency(pages = 1) {
  const load = { now: new Set<string>(), most: 0 };
  const state = { broken: 'API-BROKEN', never: '', isStuck: false };
  const server = await serve((reply, _, { url, headers }) => {
    const key = headers.authorization ?? '';
    load.now.add(key);
    if (key === state.never && headers.page === '2') {
      state.isStuck = true;
      return;
    }
    load.most = Math.max(load.most, load.now.size);
    setTimeout(() => {
      load.now.delete(key);
      if (key === state.broken) reply.writeHead(404).end('gone');
      else if (url.includes('/count')) reply.end(String(pages));
      else if (url.includes('/quickstats/accounts')) {
        // ClickBank may list an account twice.
        const account = { nickName: key.slice(4) };
        reply.end(JSON.stringify({ accountData: [account, account] }));
      } else if (url.includes('/quickstats/list')) {
        const quickStats = { quickStatDate: '2026-02-01T00:00:00-08:00', sale: '5.00', refund: 0 };
        reply.end(JSON.stringify({ accountData: { nickName: key.slice(4), quickStats } }));
      } else {
        const page = Number(headers.page);
        const lineItemData = { accountAmount: '3.00' };
        const orderData = { receipt: `${key.slice(4)}${page}`, lineItemData };
        reply.writeHead(page < pages ? 206 : 200).end(JSON.stringify({ orderData }));
      }
    }, 20);
  });
  const { cb, folder } = home();
  const login = async (name: string, key: string) => {
    const env = { CB_BASE_URL: server.url };
    const { code, err } = await cb(`login --profile ${name} --with-key`, { env, stdin: key });
    if (code !== 0) throw new Error(err);
  };
  await login('alpha', 'API-ALPHA');
  await login('beta', 'API-BETA');
  return { ...server, cb, folder, login, load, state };
}

const list = 'orders list --period 2026-02 --fields profile,receipt -o csv';

test('lists and counts orders of several profiles or all with a column for the profile', async () => {
  const { cb, load } = await agency(3);
  const { code, out } = await cb(`${list} --profile beta,alpha`);
  expect(code).toBe(0);
  expect(out).toBe(
    'profile,receipt\nbeta,BETA1\nbeta,BETA2\nbeta,BETA3\nalpha,ALPHA1\nalpha,ALPHA2\nalpha,ALPHA3\n',
  );
  expect(load.most).toBe(2);
  const shown = 'orders list --period 2026-02 --no-color --profile alpha,beta';
  expect((await cb(shown, { columns: 80 })).out).toMatch(/^Profile .*Receipt.*\nalpha .*ALPHA1/);
  const many = await agency(25);
  await many.login('beta-shop', 'API-BETA');
  expect((await many.cb(`${shown}-shop`, { columns: 80 })).out).toMatch(/\nbeta-shop .*BETA1/);
  expect(await cb('orders count --period 2026-02 -o tsv --all-profiles')).toMatchObject({
    code: 0,
    out: 'profile\tcount\nalpha\t3\nbeta\t3\n',
  });
});

test('says which accounts several profiles read, and adds them up once', async () => {
  const { cb, folder, login } = await agency();
  await login('copy', 'API-ALPHA');
  expect((await cb(`${list} --profile alpha,beta`)).err).toBe('');
  expect(await cb(`${list} --profile alpha,beta,copy`)).toEqual({
    code: 0,
    out: 'profile,receipt\nalpha,ALPHA1\nbeta,BETA1\ncopy,ALPHA1\n',
    err: 'note: The rows of ALPHA are listed once for each profile that can read them.\n',
  });
  const [orders, stats] = ['orders list', 'quickstats list --totals'].map(
    (line) => `${line} --period 2026-02 --profile alpha,beta,copy`,
  );
  expect((await cb(`${orders} --no-color`, { columns: 80 })).out).toContain(
    '\n3 orders; you earn 6.00 USD\n',
  );
  expect((await cb(`${stats} -o csv`)).out).toMatch(
    /(\n\w+,2026-02-01.*){3}\n,,TOTAL,10\.00,0,0\n$/,
  );
  const file = join(folder, 'orders.xlsx');
  expect((await cb(`${orders} --out ${file}`)).code).toBe(0);
  const earned = { amount: 'youEarn', currency: 'USD', rows: '2', total: '6.00' };
  expect(readWorkbook(file).get('Totals')).toEqual([expect.objectContaining(earned)]);
});

test('names a profile that fails, lists the others with exit code 8, and keeps the file if all fail', async () => {
  const { cb, folder, login } = await agency();
  await login('broken', 'API-BROKEN').catch(() => undefined);
  const ran = await cb(`${list} --profile alpha,broken,beta --max-wait 0`);
  expectExit(ran, 8, /^cb: Profile broken: /, 'profile,receipt\nalpha,ALPHA1\nbeta,BETA1\n');
  const json = 'orders list --period 2026-02 -o json --profile alpha,broken --max-wait 0';
  const failure = JSON.parse((await cb(json)).err);
  expect(failure).toMatchObject({ code: 4, message: expect.stringMatching(/^Profile broken: /) });
  // Nothing replaces a file, and no list is empty, if all of them fail.
  await login('gone', 'API-BROKEN').catch(() => undefined);
  const file = join(folder, 'orders.csv');
  writeFileSync(file, 'of yesterday');
  for (const line of ['orders list', 'orders count', 'quickstats count']) {
    const all = `${line} --profile broken,gone --max-wait 0`;
    expect((await cb(`${all} --out ${file}`)).err).toMatch(
      /^cb: Profile broken: .*cb: Profile gone: /s,
    );
    expect(await cb(`${all} -o json`)).toMatchObject({ code: 4, out: '' });
  }
  expect(readFileSync(file, 'utf8')).toBe('of yesterday');
});

test('keeps separate state of an incremental export for each profile', async () => {
  const { cb } = await agency();
  const line = 'orders list --since-last both --fields receipt -o csv --no-header';
  // The service of this test sends the same order for each day.
  expect((await cb(`${line} --profile alpha`)).out).toBe('ALPHA1\nALPHA1\n');
  expect(await cb(`${line} --profile beta`)).toMatchObject({ code: 3, out: '' });
  expect((await cb(`${line} --profile alpha,beta`)).out).toBe('BETA1\nBETA1\n');
  expect(await cb(`${line} --profile beta`)).toEqual({ code: 0, out: '', err: '' });
});

test.each<[line: string, says: RegExp, exit?: number]>([
  ['orders list --profile alpha,', /must name each profile once/],
  ['orders list --profile alpha,alpha', /must name each profile once/],
  ['orders schema --all-profiles', /requires a single profile/],
  ['orders reinstate ABC12345 --yes --profile alpha,beta', /takes only one profile/],
  ['orders list --profile alpha,gamma', /no profile 'gamma'/, 3],
])('rejects cb %s before sending anything', async (line, says, exit = 2) => {
  const { cb, asked } = await agency();
  const before = asked.length;
  expectExit(await cb(line), exit, says);
  expect(asked).toHaveLength(before);
});

test('requests a profile that failed in an interrupted export again with --resume', async () => {
  const stop = new AbortController();
  const { cb, folder, login, state } = await agency(2);
  await login('broken', 'API-BROKEN').catch(() => undefined);
  const line =
    'orders list --period 2026-02 --fields profile,receipt --profile alpha,broken,beta --max-wait 0 --out all.csv';
  state.never = 'API-BETA';
  const { context, stderr } = world(folder, { signal: stop.signal });
  const stopped = run(line.split(' '), context);
  // The second profile has failed, and the third never gets a response.
  await until(() => state.isStuck && stderr.text.includes('Profile broken: '));
  stop.abort(130);
  expect(await stopped).toBe(130);
  state.never = '';
  state.broken = '';
  expect((await cb(`${line} --resume`)).code).toBe(0);
  expect(readFileSync(join(folder, 'all.csv'), 'utf8')).toBe(
    'profile,receipt\nalpha,ALPHA1\nalpha,ALPHA2\nbroken,BROKEN1\nbroken,BROKEN2\nbeta,BETA1\nbeta,BETA2\n',
  );
});

const dimension = 'analytics dimension VENDOR --role VENDOR -o json';
const names = 'GREENLEAF, FITLAB24, COOKWELL, CODEMENTOR, YOGAHOME, TOPAFF1';

const hasAccount = (out: string) => JSON.parse(out)[0].accountNickName;

test('offers the accounts of the key on a terminal, names them elsewhere and for a wrong one, and needs no answer for the only account of a key', async () => {
  const { cb, sandbox, keyOf } = await servedShop();
  const who = person('FITLAB24');
  const chosen = await cb(`${dimension} --no-color`, { columns: 80, person: who });
  expect(chosen.code).toBe(0);
  expect(sandbox.requests.at(-1)?.path).toContain('account=FITLAB24');
  expect(who.offered).toEqual([names.split(', ')]);
  const line = 'analytics dimension VENDOR --role VENDOR';
  expect(await cb(line)).toEqual({
    ...{ code: 2, out: '' },
    err: `cb: --account is missing.\n    Accounts of this key: ${names}. Try: cb config set account GREENLEAF\n`,
  });
  const wrong = await cb(`${line} --account GREENLAF`);
  expectExit(wrong, 4, `This key has no account 'GREENLAF'. Accounts of this key: ${names}.`);
  const titled = await cb(`${line} --account GREENLEAF`, { columns: 80 });
  expect(titled.out).toMatch(/^\w+ \d+ to .*GREENLEAF as vendor/);
  // No title above an error.
  expect((await cb(`${line} --account GREENLAF`, { columns: 80 })).out).toBe('');
  const env = { CB_API_KEY: keyOf('affiliate') };
  expect((await cb('analytics dimension AFFILIATE --role AFFILIATE', { env })).code).toBe(0);
  expect(sandbox.requests.at(-1)?.path).toContain('account=TOPAFF1');
});

test('keeps a default account for a profile and for the sandbox', async () => {
  const { cb } = home();
  expect(await cb('--sandbox config set account cookwell')).toMatchObject({ code: 0 });
  expect((await cb('--sandbox config get account')).out).toBe('COOKWELL\n');
  expect(hasAccount((await cb(`--sandbox ${dimension}`)).out)).toBe('COOKWELL');
  const named = await cb(`--sandbox ${dimension} --account GREENLEAF`);
  expect(hasAccount(named.out)).toBe('GREENLEAF');
  await cb('--sandbox config unset account');
  expect((await cb(`--sandbox ${dimension}`)).code).toBe(2);
});

test('leads from the nickname of an affiliate to --role AFFILIATE', async () => {
  const { cb } = await servedShop();
  const none = await cb('orders list --vendor TOPAFF1 --period last-month');
  expect(none.err).toContain('For what TOPAFF1 earned as an affiliate, use --role AFFILIATE.');
});

test('adds up a row of two profiles once, however many rows come between', () => {
  const isRepeated = listedByOthers();
  const repeatedOf = (profile: string) => {
    const rows = Array.from({ length: 100_001 }, (_, receipt) => ({ receipt, profile }));
    return rows.filter((row) => isRepeated(row)).length;
  };
  expect([repeatedOf('one'), repeatedOf('two')]).toEqual([0, 100_001]);
});
