/** The limits of a session: what a model that loops can make a person approve. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { orders } from '../../../../src/operations/orders.ts';
import { startAgent } from '../../../support/agent.ts';
import { forwardingTo, fullRefund, yes } from '../../../support/approvals.ts';
import { home, now } from '../../../support/cb.ts';
import { clientOf } from '../../../support/client.ts';
import { person } from '../../../support/person.ts';
import { listed } from '../../../support/queue.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { virtualClock } from '../../../support/virtual-clock.ts';

/** A sandbox, and the refundable one-time sales in it by currency. */
async function shop() {
  const served = await serveSandbox({ orders: 150 });
  const client = clientOf(served.sandbox.url, { apiKey: served.key });
  const days = { startDate: '2026-02-01', endDate: '2026-03-18' };
  const sales = await listed(client.list(orders.list, { ...days, role: 'VENDOR' }));
  const usable = sales.filter(
    (one) =>
      one.transactionType === 'SALE' &&
      one.customerRefundableState === 'REFUNDABLE' &&
      one.lineItemData?.length === 1 &&
      !/^(TICKET|RETURN|UPSELL)/.test(one.receipt ?? ''),
  );
  const inCurrency = (currency: string) =>
    usable.filter((one) => one.currency === currency).map(({ receipt }) => String(receipt));
  return { ...served, dollars: inCurrency('USD'), euros: inCurrency('EUR') };
}

const refundOf = (receipt: string) => ({ ...fullRefund, receipt });

test('makes at most --max-refunds refunds, and counts one whose outcome is unknown', async () => {
  const { env, dollars, sandbox, writes } = await shop();
  const lost: string[] = [];
  const { url } = await forwardingTo(sandbox.url, {
    // The second refund gets lost on its way to the sandbox.
    before: async (method, path) => {
      const isLost = method === 'POST' && path.includes(dollars[1] ?? '');
      if (isLost) lost.push(path);
      return !isLost;
    },
  });
  const agent = await startAgent({
    ...{ env: { ...env, CB_BASE_URL: url }, answer: yes, clock: virtualClock() },
    args: ['--allow-writes', '--max-refunds', '2'],
  });
  expect((await agent.call('refund_order', refundOf(dollars[0] ?? ''))).data.state).toBe('done');
  const unknown = await agent.call('refund_order', refundOf(dollars[1] ?? ''));
  expect(unknown).toMatchObject({ isError: true, data: { state: 'unknown' } });
  const status = await agent.call('plan_status', { plan: unknown.data.plan });
  expect(status.text).toContain('Check the order or ticket on the ClickBank website');
  const again = await agent.call('refund_order', refundOf(dollars[1] ?? ''));
  expect(again.text).toContain('This session may make at most 2 refunds.');
  const third = await agent.call('refund_order', refundOf(dollars[2] ?? ''));
  expect(third).toMatchObject({ isError: true });
  expect(third.text).toContain('Only a person can start a session with higher limits.');
  expect(lost).toHaveLength(1);
  expect(writes()).toHaveLength(1);
});

test('counts plans that wait for a terminal, and not those that were declined or have expired', async () => {
  const { env, dollars, writes } = await shop();
  const { cb, folder } = home();
  let time = now;
  const args = ['--allow-writes', '--max-refunds', '1'];
  const agent = await startAgent({ env, folder, args, now: () => time });
  const plan = async () => agent.call('refund_order', refundOf(dollars[0] ?? ''));
  const first = await plan();
  expect(first.data.state).toBe('waiting');
  expect((await plan()).text).toContain('at most 1 refund.');
  await cb(`approve ${first.data.plan} --decline`, { env });
  expect((await plan()).data.state).toBe('waiting');
  expect((await plan()).text).toContain('at most 1 refund.');
  time = new Date(now.getTime() + 40 * 60_000);
  const expired = await plan();
  expect(expired.data.state).toBe('waiting');
  // The text of a plan is deleted a day after the plan ends.
  time = new Date(now.getTime() + 26 * 3_600_000);
  await cb('log', { env, now: () => time });
  expect((await agent.call('plan_status', { plan: expired.data.plan })).isError).toBe(true);
  const last = await plan();
  expect(last.data.state).toBe('waiting');
  const options = { env, columns: 80, person: person('y'), now: () => time };
  expect(await cb(`approve ${last.data.plan}`, options)).toMatchObject({ code: 0 });
  expect((await plan()).isError).toBe(true);
  time = new Date(now.getTime() + 27 * 3_600_000);
  const another = () => agent.call('refund_order', refundOf(dollars[1] ?? ''));
  expect((await another()).text).toContain('at most 1');
  expect(writes()).toHaveLength(1);
});

test('refunds at most --max-refund-total of each currency, to the cent', async () => {
  const { env, writes } = await serveSandbox();
  const amount = (refundAmount: string) => ({
    ...fullRefund,
    refundType: 'PARTIAL_AMOUNT',
    refundAmount,
  });
  const args = ['--allow-writes', '--max-refund-total', '36.99USD,100EUR'];
  const agent = await startAgent({ env, args, answer: yes });
  const all = await agent.call('refund_order', fullRefund);
  expect(all.text).toContain('at most 36.99 USD in total, and 37.00 USD more would exceed that');
  const exact = await agent.call('refund_order', amount('36.99'));
  expect({ text: exact.text, state: exact.data.state }).toMatchObject({ state: 'done' });
  const cent = { ...amount('0.01'), receipt: 'TICKET01' };
  expect((await agent.call('refund_order', cent)).isError).toBe(true);
  expect(writes()).toHaveLength(1);
});

test('refuses refunds in a currency without a limit, and of an unknown amount', async () => {
  const { env, euros, writes } = await shop();
  const args = ['--allow-writes', '--max-refund-total', '1000USD'];
  const agent = await startAgent({ env, args, answer: yes });
  const [receipt = ''] = euros;
  expect(receipt).not.toBe('');
  expect((await agent.call('refund_order', refundOf(receipt))).text).toContain(
    'This session may refund nothing in EUR.',
  );
  const change = {
    ...{ change: 'change product', receipt: 'MONTHLY1', oldSku: 'CLUB-M', newSku: 'CLUB-PLUS-M' },
    applyProratedRefund: true,
  };
  expect((await agent.call('change_subscription', change)).text).toContain(
    'the amount of this one is not known',
  );
  expect(writes()).toEqual([]);
});

test('asks about nothing and sends nothing with too few requests left to check a write', async () => {
  const { env, writes } = await serveSandbox();
  const asked: ElicitRequestFormParams[] = [];
  const answer = (question: ElicitRequestFormParams) => {
    asked.push(question);
    return yes(question);
  };
  const args = ['--allow-writes', '--max-requests', '20'];
  const agent = await startAgent({ env, args, answer });
  expect((await agent.call('refund_order', fullRefund)).text).toContain('too few requests left');
  expect(asked).toEqual([]);
  expect(writes()).toEqual([]);
});

test('rejects an invalid --max-refund-total', async () => {
  const { cb } = home();
  for (const typed of ['200', 'USD', '200USD,5USD', '-5USD', '1e3USD', '200 US', '']) {
    const ran = await cb(`--sandbox mcp --allow-writes --max-refund-total '${typed}'`);
    expect({ typed, ...ran }).toMatchObject({ code: 2 });
    expect(ran.err).toMatch(/--max-refund-total/);
  }
});
