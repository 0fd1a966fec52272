/** The refund wizard and the ticket queue ask about money in one dialog: what one of them says, both say. */
import { expect, test } from 'vitest';
import { tickets } from '../../../src/operations/tickets.ts';
import { person } from '../../support/person.ts';
import { agent, oneLine, refundableSales, script, servedQueue } from '../../support/queue.ts';

const cancel = '!';

/** A queue with a support ticket about an order. */
async function withTicket(receiptFrom: string | ((at: Served) => Promise<string>), count = 120) {
  const at = await servedQueue({ orders: count });
  const receipt = typeof receiptFrom === 'string' ? receiptFrom : await receiptFrom(at);
  const reason = 'ticket.type.tech_support.4';
  await at.client.call(tickets.create, { receipt, type: 'tech', reason });
  const before = at.sent().length;
  return {
    ...at,
    receipt,
    sent: () => at.sent().slice(before),
    queue: (who: ReturnType<typeof agent>, env: Env = at.env) =>
      at.work(who, { args: `--receipt ${receipt}`, env }),
    wizard: (who: ReturnType<typeof person>, env: Env = at.env) =>
      at.cb(`tickets refund ${receipt}`, { env, columns: 80, person: who }),
  };
}

type Env = Readonly<Record<string, string>>;

type Served = Awaited<ReturnType<typeof servedQueue>>;

async function newestOf({ client }: Served, vendor: string): Promise<string> {
  const sales = await refundableSales(client, { vendor });
  return sales.find(({ lineItemData }) => !lineItemData?.[0]?.recurring)?.receipt ?? '';
}

test('asks the same about a partial refund of a subscription in the wizard and the queue', async () => {
  const at = await withTicket('MONTHLY1');
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
  expect(plain(keys.answers.slice(1, 6).map(({ question }) => question))).toEqual(asked);
  expect(at.sent()).toEqual([]);
});

test('warns in the wizard and the queue if ClickBank advises against a refund', async () => {
  const at = await withTicket('DIGITAL1');
  const env = await at.altered((body) =>
    body.replaceAll(/("customerRefundableState": ?)"REFUNDABLE"/g, '$1"SUGGESTED_REFUND_BLOCK"'),
  );
  const warning = 'A refund pays back DIGITAL1. ClickBank advises against it.';
  expect(oneLine((await at.wizard(person('rfnd', cancel), env)).err)).toContain(warning);
  expect(oneLine((await at.queue(script('f', 'escape', 'q'), env)).err)).toContain(warning);
  expect(at.sent()).toEqual([]);
});

test('offers only the full refund if the vendor allows no partial one, and ignores a key that was typed ahead', async () => {
  const at = await withTicket((served) => newestOf(served, 'YOGAHOME'), 400);
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
  const at = await withTicket('MONTHLY1');
  const keys = script(...['f', '1', 'f', 'k', 'escape', 'escape', 'p', '50', 'e', '2', 'y', 'q']);
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
  const at = await withTicket('MONTHLY1');
  const env = await at.altered((body, url) => (url.includes('refundAmounts') ? undefined : body));
  const keys = script('f', '1', 'escape', 'q');
  const ran = await at.queue(keys, env);
  expect(oneLine(ran.err)).toContain(
    "MONTHLY1-B004 can't be refunded: ClickBank returned 400 Bad Request: Not today.",
  );
  expect(keys.answers.slice(1, 3).map(({ question }) => question)).toEqual(
    Array.from({ length: 2 }, () => 'Which payment of the subscription?'),
  );
  expect(at.sent()).toEqual([]);
});
