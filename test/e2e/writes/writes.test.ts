/** Writes of single commands: dry runs, warnings, confirmations, and what they change. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../../support/cb.ts';
import { linesOf, rowsIn } from '../../support/lines.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';

test('prints the request and its effects with --dry-run, and changes nothing', async () => {
  const at = await servedShop();
  const ran = await at.cb('orders change-date MONTHLY1 --change-date 2026-04-10 --dry-run');
  // The order is read once for the sentence and its warnings, and once to look whether the change is done.
  expect(at.sandbox.requests).toHaveLength(2);
  expect(ran).toEqual({
    code: 0,
    out: 'POST /rest/1.3/orders2/MONTHLY1/changeDate\n  changeDate=2026-04-10\n',
    err: 'Dry run, nothing is sent: Move the next payment of the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF to 2026-04-10. The next payment, 29.00 USD, is currently due on 2026-03-26.\n',
  });
  expect(at.writes()).toEqual([]);
});

test.each([
  ['orders reinstate CANCEL01 --yes', 'done.csv', /^done,method,path.*\ntrue,POST,/],
  ['orders reinstate CANCEL01 --yes', 'done.xlsx', /^PK/],
  ['orders reinstate CANCEL01 --dry-run', 'plan.parquet', /^PAR1/],
  ['tickets create --from refunds.csv --type tech --reason other --dry-run', 'plan.xlsx', /^PK/],
  ['orders active MONTHLY1', 'active.xlsx', /^PK/],
])('%s --out %s writes a file of this format', async (line, name, content) => {
  const { cb, folder } = await servedShop();
  writeFileSync(join(folder, 'refunds.csv'), 'receipt\nDIGITAL1\n');
  expect(await cb(`${line} --out ${name}`)).toMatchObject({ code: 0, out: '' });
  expect(readFileSync(join(folder, name), 'latin1')).toMatch(content);
});

test('prints the request, warnings, and existing match with --dry-run -o json, and a list for several tickets', async () => {
  const at = await servedShop();
  const ran = await at.cb('tickets close 1001 --dry-run -o json');
  expect(ran).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(ran.out)).toEqual({
    request: { method: 'PUT', path: '/rest/1.3/tickets/1001', query: { action: 'close' } },
    action: `Close ticket 1001 (refund of 37.00 USD for "Ada Sample", TICKET01, "The 'No-Dig' Guide") at GREENLEAF.`,
    warnings: [
      {
        kind: 'cancels-refund',
        message: 'Closing ticket 1001 cancels the open refund of 37.00 for TICKET01',
        receipt: 'TICKET01',
        amount: '37.00',
      },
    ],
    existing: [],
  });
  const several = await at.cb('tickets close 1001 1003 --dry-run -o json');
  expect(several.code).toBe(0);
  expect(JSON.parse(several.out)).toMatchObject([
    { request: { path: '/rest/1.3/tickets/1001' }, warnings: [{ kind: 'cancels-refund' }] },
    { request: { path: '/rest/1.3/tickets/1003' }, warnings: [] },
  ]);
  expect(at.writes()).toEqual([]);
});

const cancelParcel = 'tickets create PARCEL01 --type cncl --reason ticket.type.cancel.7';
const refundTicket01 =
  'tickets create TICKET01 --type rfnd --refund-type FULL --reason ticket.type.refund.2';
const refundDigital1 = refundTicket01.replace('TICKET01', 'DIGITAL1');

const unknownReceipt = 'tickets create NOPE1234 --type tech --reason ticket.type.tech_support.9';
const refundsSale = /Canceling PARCEL01 refunds the sale \(52\.40 USD\) .*--allow-refund/s;
const notice = 'ship notice add PARCEL01 --date today --carrier USPS --tracking T1';
const changeAddress =
  "orders change-address DIGITAL1 --address1 '1 Main St' --city Boise --country-code US";
const tooLong = `tickets comment 1001 --comment ${'x'.repeat(2000)}`;
const pauseDigital1 = 'orders pause DIGITAL1 --restart-date 2026-05-02';

const cancelMonthly = cancelParcel.replace('PARCEL01', 'MONTHLY1');
const hasCancellation = /(?<!warning: )MONTHLY1 already has an open CANCEL ticket/;

test.each<[name: string, line: string, code: number, words: RegExp, first?: string]>([
  ['a receipt that does not exist', unknownReceipt, 4, /403/],
  ['a ticket that does not exist', 'tickets close 4711', 4, /403/],
  ['an unknown product', 'products delete NOPE-01 --site GREENLEAF', 4, /Nothing was sent/],
  ['a cancellation that refunds a sale', cancelParcel, 10, refundsSale],
  ['the same with --allow-refund', `${cancelParcel} --allow-refund`, 0, /refunds the sale/],
  ['a comment on a ticket that does not exist', 'tickets comment 4711 --comment Hi', 4, /403/],
  ['an open refund', refundTicket01, 4, /TICKET01/],
  ['a notice of a digital item', notice.replace('PARCEL01', 'DIGITAL1'), 4, /has nothing to ship/],
  ['a change of address of a sale', changeAddress, 4, /DIGITAL1 is not a subscription/],
  ['a pause of a sale', pauseDigital1, 4, /DIGITAL1 is not a subscription/],
  ['a text that is too long', tooLong, 2, /ClickBank accepts 2000 at most/],
  ['a second notice', notice, 4, /T1/, notice],
  ['a second notice with --allow-duplicate', `${notice} --allow-duplicate`, 0, /T1/, notice],
  ['a second cancellation', cancelMonthly, 4, hasCancellation, cancelMonthly],
])('ends --dry-run of %s as the real command ends', async (...given) => {
  const [, line, code, words, first] = given;
  const at = await servedShop();
  if (first) await at.cb(`${first} --yes`);
  const before = at.writes().length;
  const ran = await at.cb(`${line} --dry-run`);
  expect(ran).toMatchObject({ code, err: expect.stringMatching(words) });
  expect(ran.out).toMatch(/^(POST|DELETE|PUT) \/rest\/1\.3\//);
  if (code === 4) {
    const err = ran.err.replace(/^Dry run.*\n/, '');
    expect(await at.cb(`${line} --yes`)).toEqual({ code, out: '', err });
  }
  expect(at.writes()).toHaveLength(before);
});

test('prints the request as not checked and ends with exit code 3 for --dry-run without an API key', async () => {
  const ran = await home().cb('orders reinstate CANCEL01 --dry-run -o json');
  expect(ran.code).toBe(3);
  expect(JSON.parse(ran.out)).toMatchObject({
    request: { path: '/rest/1.3/orders2/CANCEL01/reinstate' },
    warnings: [{ kind: 'not-checked', message: 'Not checked: There is no API key yet' }],
  });
  const { err } = await home().cb('orders reinstate CANCEL01 --dry-run');
  expect(err).toMatch(/^warning: Not checked: There is no API key yet\.$/m);
});

/** A service with a key that may write, but only read its own roles. */
async function writeOnly(role = 'api_order_write') {
  const { cb, asked } = await servedHome((reply, _, { method, url }) => {
    if (method !== 'GET') reply.writeHead(204).end();
    else if (url.endsWith('/debug')) reply.end(`roles: ${role}`);
    else reply.writeHead(403).end('no permission');
  });
  return { cb, writes: () => asked.filter(({ method }) => method !== 'GET') };
}

test.each([
  ['can not be read', 'api_order_write'],
  ['is refused', 'api_order_read'],
])('comments on and closes the ticket of a cancellation whose order %s', async (_, role) => {
  const row = { ticketid: '7', receipt: 'A1', type: 'CANCEL', status: 'OPEN' };
  const { cb, asked } = await servedHome((reply, _, { method, url }) => {
    if (method !== 'GET') row.status = 'CLOSED';
    if (url.includes('/tickets/')) reply.end(JSON.stringify(row));
    else if (url.endsWith('/debug')) reply.end(`roles: ${role}`);
    else reply.writeHead(403).end('No');
  });
  expectExit(await cb('tickets comment 7 --comment Hi --dry-run'), 0, 'Add the comment');
  const told = 'warning: Not checked: whether closing ticket 7 cancels a refund';
  expectExit(await cb('tickets close 7 --yes'), 0, told);
  expect(asked.filter(({ method }) => method !== 'GET')).toHaveLength(1);
});

test('requires --allow-refund for a cancellation that refunds a sale, and on a terminal one yes', async () => {
  const at = await servedShop();
  const refunds =
    'Canceling PARCEL01 refunds the sale (52.40 USD) because it is not a subscription.';
  const refused = await at.cb(`${cancelParcel} --yes`);
  expectExit(refused, 10, `${refunds} Nothing was sent. Pass --allow-refund`);
  expect(at.writes()).toEqual([]);
  const who = person(true);
  expectExit(await at.cb(cancelParcel, { columns: 80, person: who }), 0, '');
  expect(who.asked).toEqual([expect.stringContaining(refunds)]);
  expect(at.writes()).toHaveLength(1);
});

test.each([
  [cancelParcel, 0],
  ['tickets change 1002 --type cncl', 0],
  // ClickBank has no ticket 99.
  ["tickets reopen 1001 99 --comment 'Again'", 8],
  ['orders change-product MONTHLY1 --old-sku CLUB-M --new-sku CLUB-PLUS-M', 0],
])('requires --allow-refund for %s without a terminal', async (line, code) => {
  const at = await servedShop();
  if (line.includes('reopen')) await at.cb('tickets close 1001 --yes');
  const before = at.writes().length;
  expect((await at.cb(`${line} --yes`)).code).toBe(10);
  expect((await at.cb(`${line} --yes --dry-run`)).code).toBe(10);
  expect(at.writes()).toHaveLength(before);
  expect((await at.cb(`${line} --allow-refund --yes`)).code).toBe(code);
});

/** Each write command, and its confirmation question. */
const questions = rowsIn(`
tickets create MONTHLY1-B004 --type rfnd --refund-type FULL --reason ticket.type.refund.2 → Refund 29.00 USD to "Ada Sample" (MONTHLY1-B004, "Garden Club, monthly") from GREENLEAF? Future billing ends. This can't be undone.
tickets create MONTHLY1-B004 --type rfnd --refund-type PARTIAL_PERCENT --refund-amount 50 --retain-subscription --reason ticket.type.refund.2 → Refund 14.50 USD (50 percent) to "Ada Sample" (MONTHLY1-B004, "Garden Club, monthly") from GREENLEAF? The subscription continues. This can't be undone.
tickets create PARCEL01 --type rfnd --refund-type PARTIAL_AMOUNT --refund-amount 9.50 --reason ticket.type.refund.2 → Refund 9.50 USD to "Ada Sample" (PARCEL01, "Gardener's Trowel <steel>") from GREENLEAF? The refund completes after you acknowledge the return. This can't be undone. Acknowledge it with cb tickets returned.
tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 → Cancel the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF? Future billing ends, and nothing is refunded.
tickets create PARCEL01 --type cncl --reason ticket.type.cancel.7 → Cancel the order of "Ada Sample" (PARCEL01, "Gardener's Trowel <steel>") at GREENLEAF? Canceling PARCEL01 refunds the sale (52.40 USD) because it is not a subscription. This can't be undone.
tickets create PARCEL01 --type tech --reason ticket.type.tech_support.9 → Open a technical support ticket for "Ada Sample" (PARCEL01, "Gardener's Trowel <steel>") at GREENLEAF?
tickets close 1001 → Close ticket 1001 (refund of 37.00 USD for "Ada Sample", TICKET01, "The 'No-Dig' Guide") at GREENLEAF? Closing ticket 1001 cancels the open refund of 37.00 for TICKET01.
tickets reopen 1002 --comment 'Again' → Reopen ticket 1002 (closed technical support for "Ada Sample", DIGITAL1, "The 'No-Dig' Guide") at GREENLEAF?
tickets change 1003 --type rfnd → Change ticket 1003 (technical support for "Ada Sample", MONTHLY1, "Garden Club, monthly") at GREENLEAF to a full refund? Changing ticket 1003 to a refund requests a full refund of MONTHLY1 (29.00 USD). MONTHLY1 can't be refunded: it is too old. Future billing ends. This can't be undone.
tickets change 1003 --type cncl → Change ticket 1003 (technical support for "Ada Sample", MONTHLY1, "Garden Club, monthly") at GREENLEAF to a cancellation? Future billing ends. This can't be undone.
tickets comment 1003 --comment 'On it' → Add the comment 'On it' to ticket 1003 (technical support for "Ada Sample", MONTHLY1, "Garden Club, monthly") at GREENLEAF?
tickets returned 1004 → Acknowledge the return for ticket 1004 (refund of 52.40 USD for "Ada Sample", RETURN01, "Gardener's Trowel <steel>") at GREENLEAF and complete its refund? This can't be undone.
orders reinstate CANCEL01 → Reinstate the subscription of "Ada Sample" (CANCEL01, "Garden Club, monthly") at GREENLEAF? The customer is billed again, 29.00 USD each time.
orders pause MONTHLY1 --restart-date 2026-05-02 → Pause the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF until 2026-05-02? The next payment, 29.00 USD, is currently due on 2026-03-26.
orders extend LIMITED1 --num-periods 2 → Add 2 payments of 49.00 USD to the subscription of "Ada Sample" (LIMITED1, "Greenhouse Plans in 7 Payments") at GREENLEAF?
orders change-product MONTHLY1 --old-sku CLUB-M --new-sku CLUB-PLUS-M → Change the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF from CLUB-M to CLUB-PLUS-M? Changing the product of MONTHLY1 refunds the unused part of the current period. The next payment is taken the day after the change. Pass --no-apply-prorated-refund to prevent this refund.
orders change-product MONTHLY1 --old-sku CLUB-M --new-sku CLUB-PLUS-M --no-apply-prorated-refund --next-rebill-date 2026-04-01 → Change the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF from CLUB-M to CLUB-PLUS-M? The next payment is taken on 2026-04-01. Nothing is refunded.
orders change-date MONTHLY1 --change-date 2026-04-10 → Move the next payment of the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF to 2026-04-10? The next payment, 29.00 USD, is currently due on 2026-03-26.
orders change-address SHIPBOX1 --address1 '1 Main St' --city Boise --country-code US → Change the shipping address of the subscription of "Ada Sample" (SHIPBOX1, "Garden Box by Mail") at GREENLEAF to '1 Main St, Boise, US'?
ship notice add PARCEL01 --date 2026-03-18 --carrier USPS --tracking T1 → Add a ship notice for "Ada Sample" (PARCEL01, "Gardener's Trowel <steel>") at GREENLEAF: USPS T1, shipped on 2026-03-18?
ship notice add PARCEL01 --date 2026-03-18 --carrier USPS --tracking T1 --generation 2 → Add a ship notice for "Ada Sample" (PARCEL01, "Gardener's Trowel <steel>") at GREENLEAF: USPS T1, shipped on 2026-03-18?
ship notice add PARCEL01 --date 2026-03-18 --carrier USPS --tracking T1 --generation 1 → Add a ship notice for "Ada Sample" (PARCEL01, "Gardener's Trowel <steel>") at GREENLEAF: USPS T1, shipped on 2026-03-18?
ship notice add PARCEL02 --date 2026-03-18 --carrier UPS --item GLOVES --fill-order → Add a ship notice for "Ada Sample" (PARCEL02, "Garden Gloves") at GREENLEAF: UPS, shipped on 2026-03-18? The whole order is marked as shipped.
products save NEW-01 --site GREENLEAF --currency USD --price 19.00 --language EN --title 'A new guide' --digital --categories EBOOK --thank-you-page https://example.com/t --pitch-page https://example.com/p → Create product NEW-01 (A new guide) of GREENLEAF with a price of 19.00 USD?
products save GUIDE-01 --site GREENLEAF --currency USD --price 19.00 --language EN --title 'A new guide' --digital --categories EBOOK --thank-you-page https://example.com/t --pitch-page https://example.com/p → Change product GUIDE-01 (A new guide) of GREENLEAF with a price of 19.00 USD? Settings that are not given are erased.
products delete GUIDE-01 --site GREENLEAF → Delete product GUIDE-01 (The "No-Dig" Guide) of GREENLEAF? This can't be undone.
`);

test('names order, amount, and account in the question of each write', async () => {
  const at = await servedShop();
  expect(questions).toHaveLength(26);
  for (const [line, question] of questions) {
    const who = person(false);
    const ran = await at.cb(line, { columns: 80, person: who });
    expect(who.asked).toEqual([question]);
    expect(ran.code).toBe(10);
    expect(ran.err).toMatch(/^Using http:\/\/127\.0\.0\.1:\d+ with the key in CB_API_KEY\./m);
  }
  expect(at.writes()).toEqual([]);
});

const outcomes = rowsIn(`
tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 → Canceled the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF, ticket N. The payment due on 2026-03-26 and later ones are not taken, and nothing is refunded. To undo it: cb orders reinstate MONTHLY1
orders reinstate MONTHLY1 → Reinstated the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF. The customer is billed again, 29.00 USD each time.
orders pause MONTHLY1 --restart-date 2026-05-02 → Paused the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF until 2026-05-02. The next payment is due on 2026-05-02. To undo it: cb orders change-date MONTHLY1 --change-date 2026-03-26
tickets create PARCEL01 --type rfnd --refund-type FULL --reason ticket.type.refund.2 → Requested a refund of 52.40 USD to "Ada Sample" (PARCEL01, "Gardener's Trowel <steel>") from GREENLEAF, ticket N. The refund completes after you acknowledge the return. This can't be undone.
tickets close 1001 → Closed ticket 1001 (refund of 37.00 USD for "Ada Sample", TICKET01, "The 'No-Dig' Guide") at GREENLEAF. To undo it: cb tickets reopen 1001 --comment 'Closed by mistake'
tickets returned 1004 → Acknowledged the return for ticket 1004 (refund of 52.40 USD for "Ada Sample", RETURN01, "Gardener's Trowel <steel>") at GREENLEAF and completed its refund. This can't be undone.
`);

test('tells on a terminal what each write did and how to undo it, and the record with --verbose', async () => {
  const at = await servedShop();
  const several = await at.cb('tickets comment 1003 1001 --comment Hello --yes', { columns: 80 });
  expect(several.out).toBe('');
  expect(several.err.match(/^Added the comment 'Hello' to ticket/gm)).toHaveLength(2);
  for (const [line, outcome] of outcomes) {
    const { code, out, err } = await at.cb(`${line} --yes`, { columns: 500 });
    const told = linesOf(err.replace(/(, ticket )\d+/, '$1N')).slice(
      line.includes('close') ? 1 : 0,
    );
    expect({ code, out, told: told.join(' ') }).toEqual({ code: 0, out: '', told: outcome });
  }
  const comment = 'tickets comment 1003 --comment Hello --yes';
  expect((await at.cb(`${comment} --verbose`, { columns: 80 })).out).toMatch(/Ticket ID.*1003$/m);
  expect((await at.cb(comment)).out).toMatch(/^(Ticket ID|ticketid)\b/);
});

test.each([
  [7, true],
  [8, false],
])('%d days later, offers to undo a pause if the payment is not due yet: %s', async (days, has) => {
  const at = await servedShop();
  await at.sandbox.advance(days * 86_400);
  const line = 'orders pause MONTHLY1 --restart-date 2026-05-02 --yes';
  const { err } = await at.cb(line, { columns: 500 });
  expect(err).toContain('The next payment is due on 2026-05-02.');
  expect(err.includes('To undo it: ')).toBe(has);
});

test('acts on a subscription by the SKU of its new product, and undoes that by its original one', async () => {
  const at = await servedShop();
  const products = '--old-sku CLUB-M --new-sku CLUB-PLUS-M --no-apply-prorated-refund';
  const changed = await at.cb(`orders change-product MONTHLY1 ${products} --yes`);
  expect(changed).toMatchObject({ code: 0, out: '' });
  const pause = 'orders pause MONTHLY1 --restart-date 2026-05-02';
  for (const [line, undo] of [
    [pause, 'change-date MONTHLY1 --change-date 2026-03-19'],
    ['tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5', 'reinstate MONTHLY1'],
  ]) {
    const ran = await at.cb(`${line} --sku CLUB-PLUS-M --yes`, { columns: 500 });
    expectExit(ran, 0, `To undo it: cb orders ${undo} --sku CLUB-M`);
  }
});

test('shows the whole request and says that it is not checked in the question of cb api', async () => {
  const at = await servedShop();
  const who = person(false);
  const line = 'api POST /1.3/orders2/MONTHLY1/extend -f numPeriods=1';
  expect(await at.cb(line, { columns: 80, person: who })).toMatchObject({ code: 10 });
  expect(who.asked).toEqual([
    `Send POST /rest/1.3/orders2/MONTHLY1/extend?numPeriods=1 to ${at.sandbox.url}? cb does not check the effects of this request.`,
  ]);
  expect((await at.cb(`${line} --dry-run`)).err).toMatch(/^Not checked: /);
  expect(at.writes()).toEqual([]);
});

test('lists several tickets in sentences and asks one question', async () => {
  const at = await servedShop();
  const who = person(false);
  const ran = await at.cb('tickets close 1001 1003', { columns: 80, person: who });
  expect(who.asked).toEqual(['Send these 2 requests?']);
  const told = ran.err.replaceAll(/\s+/g, ' ');
  expect(told).toContain('- Close ticket 1001 (refund of 37.00 USD for "Ada Sample"');
  expect(told).toContain('Closing ticket 1001 cancels the open refund of 37.00 for TICKET01.');
  expect(told).toContain('- Close ticket 1003 (technical support for "Ada Sample"');
  expect(Math.max(...ran.err.split('\n').map((line) => line.length))).toBeLessThan(80);
});

test('names what a key that may not read left unchecked, in a dry run, with --yes, and in the question', async () => {
  const orders = await writeOnly();
  const refused = await orders.cb(`${cancelParcel} --yes`);
  const says = /Not checked: whether canceling PARCEL01 refunds a sale.*--allow-refund/;
  expectExit(refused, 10, says);
  const unchecked = 'warning: Not checked: whether closing ticket 1001 cancels a refund';
  expectExit(await orders.cb('tickets close 1001 --dry-run'), 0, unchecked);
  expect(orders.writes()).toEqual([]);
  await orders.cb(`${cancelParcel} --yes --allow-refund`);
  expect(orders.writes()).toHaveLength(1);
  const { err } = await orders.cb(`${refundDigital1} --yes`);
  expect(err).toContain('warning: Not checked: the order DIGITAL1 (this key may not read it).');
  expect(orders.writes()).toHaveLength(2);
  const at = await writeOnly('api_subscription_modifications');
  const who = person(false);
  await at.cb('orders reinstate CANCEL01', { columns: 80, person: who });
  expect(who.asked).toEqual([
    'Reinstate the subscription of CANCEL01? Not checked: the order CANCEL01 (this key may not read it). The customer is billed again.',
  ]);
});

test('asks for missing parameters on a terminal, and names them elsewhere', async () => {
  const { cb } = await servedShop();
  const who = person('MONTHLY1', '2026-04-10', true);
  expect((await cb('orders change-date', { columns: 80, person: who })).code).toBe(0);
  expect(who.asked).toHaveLength(3);
  const ci = { columns: 80, env: { CI: 'true' } };
  expect((await cb('orders change-date', ci)).err).toContain('<receipt>, --change-date');
  expect((await cb('orders change-date --no-input', { columns: 80 })).code).toBe(2);
});

test.each([
  ['MONTHLY1 --type rfnd --refund-type FULL', ['refund.2'], 'Refund 29.00 USD to "Ada Sample"'],
  ['MONTHLY1 --type cncl', ['cancel.2'], 'Cancel the subscription of "Ada Sample"'],
  ['DIGITAL1 --type tech', ['tech_support.2'], 'Open a technical support ticket for "Ada Sample"'],
  ['MONTHLY1', ['cncl', 'cancel.5'], 'Cancel the subscription of "Ada Sample"'],
  ['DIGITAL1 --type rfnd', ['refund.2', 'PARTIAL_AMOUNT', '9.50'], 'Refund 9.50 USD to "Ada'],
])('cb tickets create %s asks for %j with fitting reasons', async (words, given, last) => {
  const at = await servedShop();
  const answers = given.map((one) =>
    one.includes('.') && one !== '9.50' ? `ticket.type.${one}` : one,
  );
  const who = person(...answers, false);
  const ran = await at.cb(`tickets create ${words}`, { columns: 80, person: who });
  expect(ran.code, ran.err).toBe(10);
  expect(who.asked.at(-1)).toMatch(new RegExp(`^${last}`));
  const place = answers.findIndex((one) => one.startsWith('ticket.'));
  const reasons = who.offered[place] ?? [];
  const [kind = ''] = /^[a-z_]+\./.exec(given[place] ?? '') ?? [];
  expect(reasons.length).toBeGreaterThan(5);
  expect(reasons.filter((name) => !name.startsWith(`ticket.type.${kind}`))).toEqual([]);
});

test('sends booleans as typed, and omits absent ones', async () => {
  const { cb } = await servedShop();
  const line = 'orders change-product MONTHLY1 --old-sku A --new-sku B --dry-run -o json';
  const query = async (flags: string) =>
    JSON.parse((await cb(`${line} ${flags}`)).out).request.query;
  const skus = { oldSku: 'A', newSku: 'B' };
  expect(await query('')).toEqual(skus);
  expect(await query('--carry-affiliate --no-apply-prorated-refund')).toEqual({
    ...{ ...skus, carryAffiliate: 'true', applyProratedRefund: 'false' },
  });
});
