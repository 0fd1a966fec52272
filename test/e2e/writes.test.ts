/** Changing a subscription: shown, confirmed, sent once, and then so. */
import { expect, test } from 'vitest';
import { type Home, sandboxHome } from '../support/cb.ts';
import { person } from '../support/person.ts';

async function item({ cb }: Home, receipt: string): Promise<Record<string, unknown>> {
  const { out } = await cb(`--sandbox orders get ${receipt} -o json`);
  return JSON.parse(out)[0].lineItemData[0];
}

test('pause moves the next payment', async () => {
  const at = await sandboxHome(60);
  const ran = await at.cb('--sandbox orders pause MONTHLY1 --restart-date +45d --yes');
  expect(ran).toMatchObject({ code: 0, out: '' });
  expect((await item(at, 'MONTHLY1')).nextPaymentDate).toMatch(/^2026-05-02T/);
});

test('extend adds periods', async () => {
  const at = await sandboxHome(60);
  const before = (await item(at, 'LIMITED1')).futurePayments;
  await at.cb('--sandbox orders extend LIMITED1 --num-periods 2 --yes');
  expect((await item(at, 'LIMITED1')).futurePayments).toBe(Number(before) + 2);
});

test('reinstate makes a cancelled subscription active', async () => {
  const at = await sandboxHome(60);
  expect((await at.cb('--sandbox orders active CANCEL01')).code).toBe(9);
  await at.cb('--sandbox orders reinstate CANCEL01 --yes');
  expect((await at.cb('--sandbox orders active CANCEL01')).code).toBe(0);
});

test('change-product moves to the new product from the day after', async () => {
  const at = await sandboxHome(60);
  const ran = await at.cb(
    '--sandbox orders change-product MONTHLY1 --old-sku CLUB-M --new-sku CLUB-PLUS-M --yes',
  );
  expect(ran.code).toBe(0);
  // The sale keeps what was sold; its subscription has the terms of the new product.
  expect(await item(at, 'MONTHLY1')).toMatchObject({ itemNo: 'CLUB-M', rebillAmount: 49 });
});

test('A rule of the service comes back as 4 with its words', async () => {
  const at = await sandboxHome(60);
  const ran = await at.cb(
    '--sandbox orders change-address DIGITAL1 --address1 a --city b --country-code US --yes',
  );
  expect(ran.code).toBe(4);
  expect(ran.err).toContain('400');
});

test('A key without the permission is 4', async () => {
  const at = await sandboxHome(60);
  const ran = await at.cb('--profile sandbox:read-only orders reinstate CANCEL01 --yes');
  expect(ran.code).toBe(4);
  expect(ran.err).toMatch(/403.*permission/);
});

test('--dry-run prints what would be sent and changes nothing', async () => {
  const at = await sandboxHome(60);
  const line = '--sandbox orders change-date MONTHLY1 --change-date 2026-04-10 --dry-run';
  const before = await item(at, 'MONTHLY1');
  expect((await at.cb(line)).out).toBe(
    'POST /rest/1.3/orders2/MONTHLY1/changeDate\n  changeDate=2026-04-10\n',
  );
  expect(JSON.parse((await at.cb(`${line} -o json`)).out)).toEqual({
    method: 'POST',
    path: '/rest/1.3/orders2/MONTHLY1/changeDate',
    query: { changeDate: '2026-04-10' },
  });
  expect(await item(at, 'MONTHLY1')).toEqual(before);
});

test('--dry-run needs no key', async () => {
  const at = await sandboxHome(60);
  expect((await at.cb('orders reinstate CANCEL01 --dry-run')).code).toBe(0);
});

test('On a terminal the order is shown and a yes is needed', async () => {
  const at = await sandboxHome(60);
  const yes = person(true);
  const ran = await at.cb('--sandbox orders change-date MONTHLY1 --change-date 2026-04-10', {
    columns: 80,
    person: yes,
  });
  expect(ran.code).toBe(0);
  expect(yes.asked).toEqual([
    'orders change-date MONTHLY1 changeDate=2026-04-10 (profile sandbox)?',
  ]);
  expect(ran.err).toMatch(/MONTHLY1 {2}Ada Sample {2}29\.00 USD.*\n.*next payment/);
  expect((await item(at, 'MONTHLY1')).nextPaymentDate).toMatch(/^2026-04-10T/);
});

test('On a terminal a no sends nothing: 10', async () => {
  const at = await sandboxHome(60);
  const before = await item(at, 'MONTHLY1');
  const ran = await at.cb('--sandbox orders change-date MONTHLY1 --change-date 2026-04-10', {
    columns: 80,
    person: person(false),
  });
  expect(ran.code).toBe(10);
  expect(await item(at, 'MONTHLY1')).toEqual(before);
});

test('What is missing is asked for on a terminal, and named elsewhere', async () => {
  const at = await sandboxHome(60);
  const who = person('MONTHLY1', '2026-04-10', true);
  const ran = await at.cb('--sandbox orders change-date', { columns: 80, person: who });
  expect(ran.code).toBe(0);
  expect(who.asked).toHaveLength(3);
  const ci = { columns: 80, env: { CI: 'true' } };
  expect((await at.cb('--sandbox orders change-date', ci)).err).toContain(
    '<receipt>, --change-date',
  );
  expect((await at.cb('--sandbox orders change-date --no-input', { columns: 80 })).code).toBe(2);
});

test('With -o json a change answers with what was done', async () => {
  const at = await sandboxHome(60);
  const { out } = await at.cb('--sandbox orders extend LIMITED1 --num-periods 1 --yes -o json');
  expect(JSON.parse(out)).toMatchObject({ done: true, query: { numPeriods: '1' } });
});

test('Booleans are sent as typed, and not at all when not typed', async () => {
  const at = await sandboxHome(60);
  const line = 'orders change-product MONTHLY1 --old-sku A --new-sku B --dry-run';
  const query = async (flags: string) =>
    JSON.parse((await at.cb(`${line} ${flags} -o json`)).out).query;
  expect(await query('')).toEqual({ oldSku: 'A', newSku: 'B' });
  expect(await query('--carry-affiliate --no-apply-prorated-refund')).toEqual({
    oldSku: 'A',
    newSku: 'B',
    carryAffiliate: 'true',
    applyProratedRefund: 'false',
  });
});
