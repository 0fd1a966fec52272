/** The refund wizard step by step: finding the sale, going back, and what each choice does. */
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { clientOf } from '../../support/client.ts';
import { forwardingTo, type Hooks } from '../../support/gateway.ts';
import { ctrlC, type Person, person } from '../../support/person.ts';
import { newestSale, oneLine } from '../../support/queue.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';

const back = '<';
const cancel = '!';

/** A sandbox, and cb with a scripted person; with `alter`, a service between them that changes responses. */
async function desk(orders = 60, alter?: Hooks['alter']) {
  const { sandbox, key, cb, writes } = await servedShop({ orders });
  const env = alter ? { CB_BASE_URL: (await forwardingTo(sandbox.url, { alter })).url } : {};
  return {
    ...{ sandbox, cb },
    client: clientOf(sandbox.url, { apiKey: key }),
    /** Runs the wizard. */
    refund: (words: string, who: Person) =>
      cb(`tickets refund ${words}`, { env, columns: 80, person: who }),
    /** The query of each write that was sent, with its receipt. */
    sent: () =>
      writes().map(({ path }): Record<string, string> => {
        const url = new URL(path, 'http://sandbox');
        const receipt = url.pathname.split('/').at(-1) ?? '';
        return { receipt, ...Object.fromEntries(url.searchParams) };
      }),
  };
}

/** Runs the wizard once, with these answers. */
async function wizard(words: string, ...answers: readonly (string | boolean)[]) {
  const at = await desk();
  const who = person(...answers);
  return { ...at, who, ran: await at.refund(words, who) };
}

const why = 'ticket.type.refund.7';

/** The answers of a person who refunds all of a payment. */
const full = ['rfnd', 'FULL', why, '', 'send'];

/** The last choices of each question. */
const leaving = ['Back (Esc)', 'Cancel (Ctrl-C): nothing is sent'];

test.each([
  ['email', 'ada.sample@'],
  ['lastName', 'Samp'],
])('finds a sale by %s in a period and shows a list', async (way, term) => {
  const { who, ran, sent } = await wizard('', way, term, 'last-7-days', 'DIGITAL1', ...full);
  expect(ran.code).toBe(0);
  expect(who.offered[2]?.join('\n')).toMatch(/DIGITAL1 {2}2026-03-1\d {2}37\.00 USD {2}sale/);
  expect(who.offered[2]?.at(-1)).toBe('Cancel (Ctrl-C): nothing is sent');
  expect(sent()).toEqual([{ receipt: 'DIGITAL1', type: 'rfnd', refundType: 'FULL', reason: why }]);
});

test('asks again for the period after an empty search, and for an unknown receipt', async () => {
  const nobody = ['lastName', 'Nobodysname', 'last-7-days', back, back, cancel];
  const { ran, ...at } = await wizard('', ...nobody);
  expectExit(ran, 10, "No payment by 'Nobodysname' was found in that period.");
  const wrong = person('receipt', 'NOSUCH99', 'DIGITAL1', cancel);
  expect(await at.refund('', wrong)).toMatchObject({ code: 10 });
  const receipt = 'Receipt (Esc: back, Ctrl-C: cancel):';
  expect(wrong.asked).toEqual([
    ...['How do you want to find the sale?', receipt, receipt, 'What do you want to do?'],
  ]);
  expect(at.sent()).toEqual([]);
});

test.each([
  [100, false],
  [101, true],
])('shows at most a hundred of the %i payments that a search finds', async (found, isCut) => {
  const at = await desk(60, (body, request) => {
    if (!request.includes('/orders2/list')) return body;
    const row = [JSON.parse(body).orderData].flat().find(({ receipt }) => receipt === 'DIGITAL1');
    const receipts = Array.from({ length: found }, (_, i) => `MANY${1000 + i}`);
    return JSON.stringify({ orderData: receipts.map((receipt) => ({ ...row, receipt })) });
  });
  const who = person('email', 'ada.sample@', 'last-7-days', cancel);
  const ran = await at.refund('--timeout 30s', who);
  const says = 'Only the first 100 payments are shown. Go back to narrow the search.';
  expect(oneLine(ran.err).includes(says)).toBe(isCut);
  expect(who.offered[2]?.filter((line) => line.startsWith('MANY'))).toHaveLength(100);
});

test('refuses an unknown receipt on the command line, reports an invalid one as a usage error, and names `tickets create` with --no-input', async () => {
  const at = await desk();
  at.sandbox.setFaults('latency=200ms');
  const unknown = await at.refund('NOSUCH99', person());
  expect(unknown.code).toBe(4);
  expect(unknown.err).not.toMatch(/waiting|destroyed|closed/);
  expect(unknown.err.match(/cb:/g)).toHaveLength(1);
  const faulty = await at.refund('a/b', person());
  expectExit(faulty, 2, 'Use letters, digits and dashes');
  expectExit(await at.refund('DIGITAL1 --no-input', person()), 2, 'cb tickets create');
});

test('goes back through every question to the first one, forward again, and edits a comment', async () => {
  const forth = ['MONTHLY1-B004', 'rfnd', 'PARTIAL_PERCENT', '25', 'keep', why, 'sorry'];
  const again = [...forth.map(() => back), 'receipt', 'CART0003', 'KIT-03', 'rfnd', 'FULL', why];
  const comments = ['a comment', back, 'a better comment', 'send'];
  const { who, ran, sent } = await wizard('MONTHLY1', ...forth, ...again, ...comments);
  expect(ran.code).toBe(0);
  expect(who.prefilled).toEqual([undefined, '', 'sorry', undefined, 'sorry', 'a comment']);
  const refund = { type: 'rfnd', refundType: 'FULL', reason: why, sku: 'KIT-03' };
  expect(sent()).toEqual([{ receipt: 'CART0003', ...refund, comment: 'a better comment' }]);
});

test('cancels a subscription without asking for an amount, and says that nothing is refunded', async () => {
  const answers = ['MONTHLY1', 'cncl', 'ticket.type.cancel.5', '', 'send'];
  const { ran } = await wizard('MONTHLY1', ...answers);
  expectExit(ran, 0, /only ends future billing \(next payment 2026-/);
  const says =
    'Cancel the subscription of "Ada Sample" (MONTHLY1, "Garden Club, monthly") at GREENLEAF. Future billing ends, and nothing is refunded.';
  expectExit(ran, 0, says);
  // Without --allow-refund.
  expect(ran.err).toContain(
    'cb tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.5 --yes',
  );
});

test.each([
  ['PARTIAL_AMOUNT', '9.50', 'end', '9.50 USD'],
  ['PARTIAL_PERCENT', '50%', 'keep', '14.50 USD (50 percent)'],
])('refunds as %s %s of a rebill with its own receipt: %s, %s', async (...given) => {
  const [refundType, typed, keep, refunds] = given;
  const refundAmount = typed.replace('%', '');
  const answers = ['MONTHLY1-B004', 'rfnd', refundType, typed, keep, why, '', 'send'];
  const { ran, sent } = await wizard('MONTHLY1', ...answers);
  const then = keep === 'keep' ? 'The subscription continues.' : 'Future billing ends.';
  const sale = '"Ada Sample" (MONTHLY1-B004, "Garden Club, monthly") from GREENLEAF';
  expectExit(ran, 0, `Refund ${refunds} to ${sale}. ${then}`);
  expect(sent()).toEqual([
    {
      ...{ receipt: 'MONTHLY1-B004', type: 'rfnd', reason: why, refundType, refundAmount },
      ...(keep === 'keep' && { retainSubscription: 'true' }),
    },
  ]);
  // The printed command sends the same request.
  const [, line = ''] = /^cb (tickets create .*)$/m.exec(ran.err) ?? [];
  const fresh = await desk();
  expect(await fresh.cb(line)).toMatchObject({ code: 0 });
  expect(fresh.sent()).toEqual(sent());
});

test('shows the refund when canceling a one-time sale', async () => {
  const answers = ['cncl', 'ticket.type.cancel.7', '', 'send'];
  const { who, ran } = await wizard('DIGITAL1', ...answers);
  const says = 'Canceling DIGITAL1 refunds the sale (37.00 USD) because it is not a subscription.';
  expectExit(ran, 0, says);
  expect(who.offered[0]).toContain('Cancel the order, which also refunds it');
  expect(who.offered[1]?.some((name) => name.includes('cannot afford'))).toBe(true);
  expect(ran.err).toContain(
    'cb tickets create DIGITAL1 --type cncl --reason ticket.type.cancel.7 --allow-refund --yes',
  );
});

test('does not offer to cancel or keep an ended subscription', async () => {
  const answers = ['CANCEL01-B002', 'rfnd', 'FULL', why, cancel];
  const { who, ran } = await wizard('CANCEL01', ...answers);
  expectExit(ran, 10, 'the subscription has already ended');
  expect(who.offered[1]).toEqual(['Refund', ...leaving]);
});

test('offers only Back and Cancel for a refunded payment, and says why on the first screen', async () => {
  const { who, ran } = await wizard('REFUND01', cancel);
  expect(who.offered[0]).toEqual(leaving);
  expect(ran.err).toMatch(/Refundable +no: it has already been refunded/);
  expect(ran.err).toContain("REFUND01 can't be refunded: it has already been refunded.");
  expect(ran.err).toContain('There are no other actions for this payment.');
  expect(ran.err).toMatch(/Refunded +37\.00 USD refunded on 2026-\d\d-\d\d \(GUIDE-01\)/);
});

test('shows an open refund on the first screen, whose ticket can be shown and commented on', async () => {
  const answers = ['show 1001', 'comment 1001', 'On it', 'send'];
  const { who, ran, sent } = await wizard('TICKET01', ...answers);
  expectExit(ran, 0, /Open tickets +1001 REFUND of 37\.00 on TICKET01 GUIDE-01 since/);
  expect(ran.err).toContain(
    "TICKET01 can't be refunded: it already has an open refund (ticket 1001).",
  );
  expect(ran.err).toContain('CUSTOMER OPENED: It is not what I had in mind.');
  expect(who.offered[0]).toEqual([
    ...['Show ticket 1001', 'Add a comment to ticket 1001', ...leaving],
  ]);
  expect(sent()).toEqual([{ receipt: '1001', comment: 'On it' }]);
  expect(ran.err).toContain("cb tickets comment 1001 --comment 'On it' --yes");
});

/** A service with this sale, which has no ticket, and whose refund is refused. */
const selling = (sale: object) =>
  servedHome((reply, _, { url }) => {
    const isAmount = url.includes('refundAmounts');
    const body = url.includes('/tickets/list') ? null : [{ transactionType: 'SALE', ...sale }];
    reply.writeHead(isAmount ? 400 : 200, { 'content-type': 'application/json' });
    reply.end(isAmount ? 'No refund today.' : JSON.stringify(body));
  });

test('reports an unexpected refusal once, and then no longer offers the refund', async () => {
  const line = { itemNo: 'A', productTitle: 'Guide', recurring: false };
  const { cb } = await selling({ receipt: 'SOLD0001', lineItemData: [line] });
  const who = person('rfnd', cancel);
  const ran = await cb('tickets refund SOLD0001', { columns: 80, person: who });
  expectExit(ran, 10, 'No refund today.');
  expect(who.offered).toEqual([
    ['Refund', 'Cancel the order, which also refunds it', ...leaving],
    leaving,
  ]);
});

test('lists the payments of a subscription newest first, each with its refundable state, and cancels it by a refunded one', async () => {
  const at = await desk();
  const refunded =
    'tickets create MONTHLY1-B003 --type rfnd --refund-type FULL --retain-subscription';
  await at.cb(`${refunded} --reason ${why} --yes`);
  const who = person('MONTHLY1-B003', 'cncl', 'ticket.type.cancel.5', '', 'send');
  expect(await at.refund('MONTHLY1', who)).toMatchObject({ code: 0 });
  const lines = (who.offered[0] ?? []).slice(0, -2);
  const days = lines.map((line) => /\d{4}-\d\d-\d\d/.exec(line)?.[0] ?? '');
  expect(days.length).toBeGreaterThan(2);
  expect(days).toEqual([...days].sort().reverse());
  expect(lines[0]).toMatch(/^MONTHLY1-B\d+ {2}[-\d]+ {2}29\.00 USD {2}refundable {2}rebill$/);
  expect(lines.find((line) => line.startsWith('MONTHLY1-B003'))).toContain(
    'not refundable: refund already open',
  );
  expect(who.offered[1]?.[0]).toBe('Cancel the subscription: no further payments, no refund');
  expect(at.sent().at(-1)).toMatchObject({ receipt: 'MONTHLY1-B003', type: 'cncl' });
});

const percentage = 'Percentage to refund, 1 to 80 (at most 37.00 USD)';
const amountInUsd = 'Amount to refund in USD, at most 37.00 USD';

test.each([
  ['PARTIAL_PERCENT', percentage, '81', 'The value must be from 1 to 80 percent.'],
  ['PARTIAL_PERCENT', percentage, 'half', 'Use a number like 19.90.'],
  ['PARTIAL_AMOUNT', amountInUsd, '5%', 'Use a number like 19.90.'],
  ['PARTIAL_AMOUNT', amountInUsd, '37.01', 'The amount must be at most 37.00 USD.'],
])('rejects as %s, for the question "%s", the answer %s', async (kind, asked, typed, why) => {
  const { who, ran, sent } = await wizard('DIGITAL1', 'rfnd', kind, typed);
  expect(ran.err).toContain(`'${typed}' was rejected: ${why}`);
  expect(who.asked.slice(-2)).toEqual([
    'How much do you want to refund, at most 37.00 USD?',
    `${asked} (Esc: back, Ctrl-C: cancel):`,
  ]);
  expect(sent()).toEqual([]);
});

test('asks again for an amount that the service refuses, and never preselects a full refund', async () => {
  const at = await desk();
  await at.cb(
    `tickets create DIGITAL1 --type rfnd --refund-type PARTIAL_AMOUNT --refund-amount 30 --reason ${why} --yes`,
  );
  at.sandbox.advance(2 * 86_400);
  // 80 percent of the payment is more than the remaining 7.00.
  const who = person('rfnd', 'PARTIAL_PERCENT', '80', '10', cancel);
  const ran = await at.refund('DIGITAL1', who);
  expect(oneLine(ran.err)).toContain('80 was not accepted:');
  const asked = 'Percentage to refund, 1 to 80 (at most 7.00 USD) (Esc: back, Ctrl-C: cancel):';
  expect(who.asked.slice(-3)).toEqual([asked, asked, 'What is the reason?']);
  const again = person('rfnd', 'PARTIAL_PERCENT', '80', back, cancel);
  await at.refund('DIGITAL1', again);
  expect(again.preselected).toEqual(['rfnd', 'FULL', 'PARTIAL_PERCENT']);
});

test('does not offer partial refunds again after a refusal, and preselects nothing', async () => {
  const at = await desk(400);
  const receipt = await newestSale(at.client, 'YOGAHOME');
  const who = person('rfnd', 'PARTIAL_PERCENT', '50', 'FULL', back, cancel);
  const ran = await at.refund(receipt, who);
  expectExit(ran, 10, 'not enabled for partial refunds');
  expect(who.offered[1]).toContain('A percentage');
  const full = expect.stringMatching(/^Full remaining amount \([\d.]+ \w{3}\)$/);
  expect(who.offered[2]).toEqual([full, ...leaving]);
  expect(who.preselected[2]).toBe(back);
  const again = person('rfnd', 'PARTIAL_PERCENT', '50', back, 'rfnd', cancel);
  await at.refund(receipt, again);
  expect(again.preselected).toEqual(['rfnd', 'FULL', back, 'rfnd', back]);
});

test('preselects the payment and the kind of amount of a person who went back', async () => {
  const answers = ['MONTHLY1-B003', 'rfnd', 'PARTIAL_PERCENT', back, back, back, cancel];
  const { who, refund } = await wizard('MONTHLY1', ...answers);
  expect(who.asked.at(-1)).toBe('Which payment of the subscription?');
  expect(who.preselected.at(-1)).toBe('MONTHLY1-B003');
  const other = person('rfnd', 'PARTIAL_PERCENT', back, back, 'rfnd', cancel);
  await refund('DIGITAL1', other);
  expect(other.preselected.at(-1)).toBe('PARTIAL_PERCENT');
});

test('shows amounts in the currencies of the customer and the product, and in dollars', async () => {
  const at = await desk(900);
  const receipt = await newestSale(at.client, 'COOKWELL', 'GBP');
  const ran = await at.refund(receipt, person('rfnd', 'FULL', cancel));
  expect(ran.err).toMatch(/ClickBank would refund [\d.]+ GBP \([\d.]+ USD, [\d.]+ EUR\)\./);
});

test('removes escape sequences from the names of customers and items', async () => {
  const evil = 'Eve\u001b[2J\u001b]0;x\u0007 Sample\nRefunded  0';
  const items = ['A', 'B'].map((itemNo) => ({ itemNo, productTitle: `${evil} ${itemNo}` }));
  const sale = { receipt: 'EVIL0001', fullName: evil, lineItemData: items };
  const { cb } = await selling(sale);
  const who = person(cancel);
  const ran = await cb('tickets refund EVIL0001 --no-color', { columns: 80, person: who });
  expect(ran.code).toBe(10);
  expect(ran.err).toContain('Customer      Eve Sample Refunded');
  expect(who.offered[0]?.[0]).toBe('A  Eve Sample Refunded  0 A  one-time');
  expect(`${ran.err}${who.offered}`).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('checks and prints the request with --dry-run, and sends nothing', async () => {
  const answers = ['rfnd', 'FULL', why, "it's late"];
  const { ran, ...at } = await wizard('DIGITAL1 --dry-run', ...answers);
  const says = 'Dry run, nothing is sent: Refund 37.00 USD to "Ada Sample" (DIGITAL1,';
  const out = `POST /rest/1.3/tickets/DIGITAL1\n  type=rfnd\n  reason=${why}\n  refundType=FULL\n  comment=it's late\n`;
  expectExit(ran, 0, says, out);
  expect(ran.err).toContain(
    `cb tickets create DIGITAL1 --type rfnd --reason ${why} --refund-type FULL --comment 'it'\\''s late' --yes`,
  );
  const json = await at.refund('DIGITAL1 --dry-run -o json', person(...answers));
  expect(JSON.parse(stripVTControlCharacters(json.out))).toMatchObject({
    request: { method: 'POST', query: { comment: "it's late" } },
    warnings: [],
    existing: [],
  });
  expect(at.sent()).toEqual([]);
});

test('highlights the reason that was chosen last for the type of ticket', async () => {
  const { who: first, ran, ...at } = await wizard('DIGITAL1', ...full);
  expect(ran.code).toBe(0);
  expect(first.preselected.at(-2)).toBe('ticket.type.refund.1');
  const second = person(...full, true, 'receipt', 'UPSELL02', cancel);
  expect(await at.refund('PARCEL01', second)).toMatchObject({ code: 10 });
  expect(second.preselected[2]).toBe(why);
  const cancellation = person('MONTHLY1-B004', 'cncl', 'ticket.type.cancel.5', '', 'send');
  expect(await at.refund('MONTHLY1', cancellation)).toMatchObject({ code: 0 });
  expect(cancellation.preselected[2]).toBe('ticket.type.cancel.1');
  const third = person('rfnd', 'FULL', cancel);
  await at.refund(await newestSale(at.client, 'GREENLEAF'), third);
  expect(third.preselected[2]).toBe(why);
});

test('refunds for a second customer, found by a search, in the same call', async () => {
  const answers = [...full, true, 'receipt', 'PARCEL01', ...full, false];
  const { ran, sent } = await wizard('DIGITAL1', ...answers);
  expect(ran.code).toBe(0);
  expect(sent().map(({ receipt }) => receipt)).toEqual(['DIGITAL1', 'PARCEL01']);
});

test.each<[string, (string | boolean)[], number, string]>([
  ['at the question for one', [ctrlC], 0, ''],
  ['in its dialog', [true, ctrlC], 130, 'Interrupted. Nothing more was sent.'],
  ['by Cancel', [true, 'receipt', 'PARCEL01', cancel], 10, 'Canceled. Nothing more was sent.'],
])('ends after one refund if the person leaves a second one %s', async (_, left, code, says) => {
  const { ran, sent } = await wizard('DIGITAL1', ...full, ...left);
  expectExit(ran, code, says);
  expect(sent()).toHaveLength(1);
});

test('refunds a sale although the service answers 400 to the list of its tickets', async () => {
  const at = await desk(60, (body, request) =>
    request.includes('/tickets/list') ? undefined : body,
  );
  expect(await at.refund('DIGITAL1', person(...full))).toMatchObject({ code: 0 });
  expect(at.sent()).toHaveLength(1);
});

test('says what to do after the return of a shipped item', async () => {
  const { ran, cb } = await wizard('PARCEL01 -o json --no-color', ...full);
  const returned = `cb tickets returned ${JSON.parse(ran.out).ticketid}`;
  expectExit(ran, 0, 'Refund 52.40 USD to "Ada Sample" (PARCEL01');
  expectExit(ran, 0, 'The refund completes after you acknowledge the return');
  expectExit(ran, 0, returned);
  expect(await cb(`${returned.slice(3)} --yes`)).toMatchObject({ code: 0 });
});

test('sends nothing and ends with exit code 10 on Cancel at each question', async () => {
  const at = await desk();
  const answers = ['MONTHLY1-B004', 'rfnd', 'PARTIAL_PERCENT', '50', 'keep', why, '', 'send'];
  for (const i of answers.keys()) {
    const who = person(...answers.slice(0, i), cancel);
    const ran = await at.refund('MONTHLY1', who);
    const said = [who.asked.at(-1), ran.code, /Canceled\. Nothing was sent\./.test(ran.err)];
    expect(said).toEqual([who.asked[i], 10, true]);
  }
  expect(at.sent()).toEqual([]);
});
