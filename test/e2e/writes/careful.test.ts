/** Irreversible writes: no duplicates, no surprises, lost responses, values of tickets in words, and one dialog about money. */
import { expect, test } from 'vitest';
import { sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { agent, oneLine, oneTicket, script } from '../../support/queue.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedShop } from '../../support/sandbox.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

async function served(faults?: string) {
  const at = await servedShop();
  const clock = virtualClock();
  if (faults) at.sandbox.setFaults(faults);
  return { ...at, clock, on: (line: string) => at.cb(`${line} --max-wait 5`, { clock }) };
}

const refund =
  'tickets create DIGITAL1 --type rfnd --refund-type FULL --reason ticket.type.refund.2 --yes';
const changeAddress =
  "orders change-address SHIPBOX1 --address1 '1 Main St' --city Boise --country-code US --yes";
const notice = 'ship notice add PARCEL01 --date today --carrier USPS --tracking T1 --yes';

async function count(at: Awaited<ReturnType<typeof served>>, line: string): Promise<number> {
  return JSON.parse((await at.on(`${line} -o json`)).out).length;
}

const lowerCase = notice.replace('USPS --tracking T1', 'usps --tracking t1');
const refundParcel = refund.replace('DIGITAL1', 'PARCEL01');
const cancelParcel = 'tickets create PARCEL01 --type cncl --reason 7 --yes --allow-refund';

test.each([
  [refund, 'tickets list --receipt DIGITAL1', 'DIGITAL1 already has an open REFUND ticket'],
  [notice, 'ship notice list PARCEL01', 'PARCEL01 already has a ship notice with USPS T1'],
  [lowerCase, 'ship notice list PARCEL01', 'already has a ship notice with usps t1', notice],
  [
    refundParcel,
    'tickets list --receipt PARCEL01',
    'PARCEL01 already has an open CANCEL ticket',
    cancelParcel,
  ],
])('does not repeat %s', async (line, list, words, first = line) => {
  const at = await served();
  const before = await count(at, list);
  expect((await at.on(first)).code).toBe(0);
  const again = await at.on(line);
  expectExit(again, 4, words);
  expectExit(again, 4, '--allow-duplicate');
  // It is found before the question: this person would have no answer.
  const asking = await at.cb(line.replace(' --yes', ''), { columns: 80, person: person() });
  expect(asking.code).toBe(4);
  expect(at.writes()).toHaveLength(1);
  expect(await count(at, list)).toBe(before + 1);
});

test('sends a duplicate with --allow-duplicate, and the service decides', async () => {
  const at = await served();
  await at.on(notice);
  expect((await at.on(`${notice} --allow-duplicate`)).code).toBe(0);
  expect(await count(at, 'ship notice list PARCEL01')).toBe(2);
  await at.on(refund);
  const again = await at.on(`${refund} --allow-duplicate`);
  expectExit(again, 4, 'Refund ticket already open');
});

test.each([
  [`${notice} -o json`, /PARCEL01/],
  ['tickets close 1001 --yes -o json', /CLOSED/],
  ['products delete GUIDE-01 --site GREENLEAF --yes -o json', /"done": true/],
  // There is no response to print as received.
  ['tickets close 1001 --yes -o xml', /^\n$/],
  ['tickets close 1001 --yes --raw', /^\n$/],
])('verifies %s by reading back when the response is lost', async (line, shown) => {
  const at = await served('cut-after=#1,only=POST,only=PUT,only=DELETE');
  const { code, out, err } = await at.on(line);
  expect(err).toContain('The response was unclear, but a check found that the write is done.');
  expect(code).toBe(0);
  expect(out).toMatch(shown);
  expect(at.writes()).toHaveLength(1);
});

test.each([
  [notice, 10_000],
  [`${notice} --verify-wait 30s`, 30_000],
  ['products delete GUIDE-01 --site GREENLEAF --yes', 10_000],
])('searches for a write that was lost, %s for %i ms', async (line, least) => {
  const at = await served('503=#1,only=POST,only=DELETE');
  const failed = await at.on(line);
  expectExit(failed, 8, 'before you run it again');
  expect(failed.err).not.toMatch(/safe to repeat|not done/);
  expect(at.clock.waited).toBeGreaterThanOrEqual(least);
  expect(at.clock.waited).toBeLessThan(least + 10_000);
});

test.each([
  ['400', 'ship notice add PARCEL01 --date 2020-01-01 --carrier USPS --tracking T1 --yes', ''],
  ['403', notice, '403=#1,only=POST'],
])('says that a write refused with %s is not done', async (status, line, faults) => {
  const ran = await (await served(faults)).on(line);
  expectExit(ran, 4, new RegExp(`Not done: .*${status}`));
});

const reinstate = 'api POST /1.3/orders2/CANCEL01/reinstate --yes';

test.each([
  [changeAddress, 'cut-after=#1', /before you run it again.*do not show the shipping address/],
  [reinstate, '503=#1', /before you run it again/],
  [reinstate, 'cut-after=#1', /before you run it again/],
  // A gateway may have delivered the request.
  [reinstate, '429=100%', /before you run it again/],
])('ends %s, which can not be verified, with exit code 8 after %s', async (line, fault, says) => {
  const at = await served(`${fault},only=POST`);
  expectExit(await at.on(line), 8, new RegExp(`outcome is unknown.*${says.source}`));
  expect(at.writes().length).toBeLessThanOrEqual(1);
  expect((await at.cb('log -o csv')).out).toMatch(/,(?:api|orders change-address),.*,unknown,/);
});

const create = '--sandbox tickets create digital1';

test('a reason in words waits for the type that the person picks', async () => {
  const { cb } = await sandboxHome(60);
  const somebody = person('tech');
  const line = `${create} --reason 'download problems' --dry-run -o json`;
  const { out } = await cb(line, { columns: 80, person: somebody });
  expect(somebody.asked).toHaveLength(1);
  expect(out).toContain('ticket.type.tech_support.2');
});

test("asks again for a percentage that can't be refunded, and takes one with its sign", async () => {
  const { cb } = await sandboxHome(60);
  const line = `${create} --type rfnd --reason other --refund-type percent --dry-run`;
  const { out } = await cb(line, { columns: 80, person: person('50%') });
  expect(out).toContain('refundAmount=50\n');
  const wrong = await cb(line, { columns: 80, person: person('81%') });
  expect(wrong.err).toContain("'81%' was rejected: The value must be from 1 to 80 percent.");
});

const cancel = '!';

/** The queue and the wizard about an order with a support ticket. */
async function withTicket(options: Parameters<typeof oneTicket>[0]) {
  const at = await oneTicket(options);
  return {
    ...at,
    queue: (who: ReturnType<typeof agent>, env = at.env) => at.work(who, { args: at.args, env }),
    wizard: (who: ReturnType<typeof person>, env = at.env) =>
      at.cb(`tickets refund ${at.receipt}`, { env, columns: 80, person: who }),
  };
}

test('asks the same about a partial refund of a subscription in the wizard and the queue', async () => {
  const at = await withTicket({ receipt: 'MONTHLY1' });
  const who = person('MONTHLY1-B004', 'rfnd', 'PARTIAL_PERCENT', '50', 'keep', cancel);
  const inWizard = oneLine((await at.wizard(who)).err);
  const keys = script('f', '1', 'p', '50', 'k', 'escape', 'escape', 'escape', 'escape', 'q');
  const inQueue = oneLine((await at.queue(keys)).err);
  for (const said of [
    'A refund pays back MONTHLY1-B004 and ends future billing, unless you keep the subscription.',
    'ClickBank would refund 14.50 USD.',
  ]) {
    expect(inWizard).toContain(said);
    expect(inQueue).toContain(said);
  }
  const plain = (questions: readonly string[]) =>
    questions.map((question) => question.replace(/ \(Esc: back[^)]*\):$/, ''));
  const asked = plain(who.asked).filter((question) => question !== 'What do you want to do?');
  expect(asked).toContain('Percentage to refund, 1 to 80 (at most 29.00 USD)');
  expect(plain(keys.asked.slice(1, 6))).toEqual(asked);
  expect(at.sent()).toEqual([]);
});

test('warns in the wizard and the queue if ClickBank advises against a refund', async () => {
  const at = await withTicket({ receipt: 'DIGITAL1' });
  const env = await at.altered((body) =>
    body.replaceAll(/("customerRefundableState": ?)"REFUNDABLE"/g, '$1"SUGGESTED_REFUND_BLOCK"'),
  );
  const warning = 'A refund pays back DIGITAL1. ClickBank advises against it.';
  expect(oneLine((await at.wizard(person('rfnd', cancel), env)).err)).toContain(warning);
  expect(oneLine((await at.queue(script('f', 'escape', 'q'), env)).err)).toContain(warning);
  expect(at.sent()).toEqual([]);
});

test('offers only the full refund if the vendor allows no partial one, and ignores a key that was typed ahead', async () => {
  const at = await withTicket({ vendor: 'YOGAHOME', orders: 400 });
  const keys = ['f', 'p', '50', 'escape', 'q'];
  const offered: (readonly string[] | undefined)[] = [];
  const who = agent(({ question, keys: possible }) => {
    if (question.startsWith('How much')) offered.push(possible);
    return keys.shift() ?? 'q';
  });
  const fresh: (boolean | undefined)[] = [];
  const ran = await at.queue({
    ...who,
    key: (question, choices, options) => {
      if (question.startsWith('How much')) fresh.push(options?.isFresh);
      return who.key(question, choices, options);
    },
  });
  expect(oneLine(ran.err)).toContain('50 was not accepted:');
  expect(oneLine(ran.err)).toContain('not enabled for partial refunds');
  expect(offered).toEqual([
    ['f', 'p', 'a', 'escape'],
    ['f', 'escape'],
  ]);
  expect(fresh).toEqual([false, true]);
  expect(at.sent()).toEqual([]);
});

test('goes back one question at a time in the queue, and forgets the later answers', async () => {
  const at = await withTicket({ receipt: 'MONTHLY1' });
  const keys = script('f', '1', 'f', 'k', 'escape', 'escape', 'p', '50', 'e', '2', 'y', 'q');
  expect((await at.queue(keys)).code).toBe(0);
  const { searchParams } = new URL(at.sent()[0]?.path ?? '', 'http://sandbox');
  expect(Object.fromEntries(searchParams)).toEqual({
    type: 'rfnd',
    reason: 'ticket.type.refund.2',
    refundType: 'PARTIAL_PERCENT',
    refundAmount: '50',
  });
});

test('says in the queue why ClickBank refuses any refund, asks again which payment, and sends nothing', async () => {
  const at = await withTicket({ receipt: 'MONTHLY1' });
  const env = await at.altered((body, url) => (url.includes('refundAmounts') ? undefined : body));
  const keys = script('f', '1', 'escape', 'q');
  const ran = await at.queue(keys, env);
  expect(oneLine(ran.err)).toContain(
    "MONTHLY1-B004 can't be refunded: ClickBank returned 400 Bad Request: Not today.",
  );
  const which = 'Which payment of the subscription?';
  expect(keys.asked.slice(1, 3)).toEqual([which, which]);
  expect(at.sent()).toEqual([]);
});
