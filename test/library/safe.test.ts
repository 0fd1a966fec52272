/** Safe writes of a program: done, not done, or unknown, and in the ledger that it names. */
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { WritePlan } from '../../src/safe-write/plan.ts';
import { home } from '../support/cb.ts';
import { openShop, refund } from './shop.ts';

test('looks, sends once, and returns what the service replied; and sends nothing if confirm declines', async () => {
  const { client, writes } = await openShop();
  const declined = await client.safe.tickets.create(refund, { confirm: () => false });
  const error = { kind: 'declined', hint: 'Nothing was sent.' };
  expect(declined).toMatchObject({ state: 'not-done', error });
  expect(writes()).toHaveLength(0);
  const result = await client.safe.tickets.create(refund);
  expect(result).toMatchObject({ state: 'done', verified: false, reply: { type: 'REFUND' } });
  expect(result.plan?.action).toMatch(/^Refund 37\.00 USD to "Ada Sample"/);
  expect(writes()).toHaveLength(1);
});

test('gives a plan that ClickBank refused the kind of the refusal, whether confirm is absent, declines or agrees', async () => {
  const { client, writes } = await openShop();
  let sent = 0;
  const unknown = { ...refund, receipt: 'NOSUCH01' };
  const tooMuch = { ...refund, refundType: 'PARTIAL_AMOUNT', refundAmount: '9000.00' } as const;
  for (const [args, status] of [[unknown, 403] as const, [tooMuch, 400] as const]) {
    const error = { kind: 'refused', status, retryable: false };
    const declines = { confirm: () => false };
    for (const options of [undefined, declines]) {
      const result = await client.safe.tickets.create(args, options);
      expect(result).toMatchObject({ state: 'not-done', error });
      expect(result).toMatchObject({ error: { hint: 'Nothing was sent.' } });
      expect(result.state === 'done' || result.error.message).toMatch(`returned ${status}`);
    }
    expect(writes()).toHaveLength(sent++);
    const result = await client.safe.tickets.create(args, { confirm: () => true });
    expect(result).toMatchObject({ state: 'not-done', error });
    expect(writes()).toHaveLength(sent);
  }
});

test('sends a write with warnings only if confirm agrees', async () => {
  const { client, writes } = await openShop();
  const cancel = { receipt: 'DIGITAL1', type: 'cncl', reason: 'ticket.type.cancel.5' } as const;
  const refused = await client.safe.tickets.create(cancel);
  expect(refused).toMatchObject({
    state: 'not-done',
    error: {
      ...{ kind: 'declined', retryable: false },
      message: expect.stringContaining('refunds the sale (37.00 USD)'),
      hint: 'Nothing was sent. Pass `confirm` to decide about the warnings.',
    },
    plan: { warnings: [{ kind: 'refunds-sale', amount: '37.00', currency: 'USD' }] },
  });
  expect(writes()).toHaveLength(0);
  const plans: WritePlan[] = [];
  const confirm = (plan: WritePlan) => plans.push(plan) === 1;
  expect(await client.safe.tickets.create(cancel, { confirm })).toMatchObject({ state: 'done' });
  expect(plans).toMatchObject([{ request: { method: 'POST' } }]);
  expect(writes()).toHaveLength(1);
});

test('sends nothing if its signal ends while it is planned, or for any answer of confirm but true, and throws what confirm throws', async () => {
  const { client, writes } = await openShop();
  const stop = new AbortController();
  const agree = () => {
    stop.abort(new Error('The customer has left.'));
    return true;
  };
  for (const options of [
    { signal: AbortSignal.abort(new Error('The customer has left.')) },
    { signal: stop.signal, confirm: agree },
  ]) {
    expect(await client.safe.tickets.create(refund, options)).toMatchObject({
      state: 'not-done',
      error: { kind: 'cancelled', maybeDone: false, cause: { message: 'The customer has left.' } },
    });
  }
  const typed = { confirm: async () => 'no' as unknown as boolean };
  const error = { kind: 'declined' };
  expect(await client.safe.tickets.create(refund, typed)).toMatchObject({ error });
  const confirm = () => Promise.reject(new Error('The database is down.'));
  await expect(client.safe.tickets.create(refund, { confirm })).rejects.toThrow('database');
  expect(writes()).toEqual([]);
});

test('does not repeat an equal ticket, unless it is allowed to', async () => {
  const { client, writes } = await openShop();
  await client.safe.tickets.create(refund);
  const again = await client.safe.tickets.create(refund, { confirm: () => true });
  const error = { kind: 'refused', code: 'existing-match', retryable: false };
  expect(again).toMatchObject({ state: 'not-done', error });
  expect(writes()).toHaveLength(1);
  const allowed = { confirm: () => true, allowDuplicate: true };
  await client.safe.tickets.create(refund, allowed);
  expect(writes()).toHaveLength(2);
  // The state of the subscription says less than the ticket that ended it.
  const cancel = { receipt: 'MONTHLY1', type: 'cncl', reason: 'ticket.type.cancel.7' } as const;
  await client.safe.tickets.create(cancel);
  expect(await client.safe.tickets.create(cancel)).toMatchObject({ error });
  expect(writes()).toHaveLength(3);
});

test('finds a write whose response was lost, or does not know its outcome', async () => {
  const { client, sandbox, writes } = await openShop();
  sandbox.setFaults('cut-before=#1,only=POST');
  expect(await client.safe.tickets.create(refund, { wait: 0 })).toMatchObject({
    state: 'unknown',
    error: { kind: 'incomplete', code: 'unknown-outcome', maybeDone: true, retryable: false },
  });
  expect(writes()).toHaveLength(1);
  sandbox.setFaults('cut-after=#1,only=POST');
  const found = await client.safe.tickets.create(refund);
  expect(found).toMatchObject({ state: 'done', verified: true, reply: { receipt: 'DIGITAL1' } });
  expect(writes()).toHaveLength(2);
});

test('keeps the error of a refusal, and of a read before the write', async () => {
  const { client, sandbox, writes } = await openShop({ client: { maxWait: 0 } });
  sandbox.setFaults('429=#1,only=POST');
  expect(await client.safe.tickets.create(refund, { wait: 0 })).toMatchObject({
    state: 'not-done',
    error: { kind: 'rate-limit', status: 429, retryable: true },
  });
  sandbox.setFaults('503=#9');
  expect(await client.safe.tickets.create(refund)).toMatchObject({
    state: 'not-done',
    error: { kind: 'failed', status: 503, retryable: true },
    plan: undefined,
  });
  expect(writes()).toHaveLength(1);
});

const reason = 'ticket.type.tech_support.1';
const support = { receipt: 'PARCEL01', type: 'tech', reason } as const;

test('records each write before and after it is sent, and cb log shows it', async () => {
  const { cb, folder } = home();
  const ledger = join(folder, '.local/share/clickbank-cli/ledger.ndjson');
  const { client, sandbox, writes } = await openShop({ client: { ledger } });
  await client.orders.count();
  await client.safe.tickets.create(refund);
  await client.tickets.create(support);
  sandbox.setFaults('cut-before=100%,only=POST');
  await expect(client.tickets.create(support)).rejects.toMatchObject({ maybeDone: true });
  await client.safe.tickets.create(refund, { wait: 0, allowDuplicate: true });
  sandbox.setFaults('429=#1,only=PUT');
  await expect(client.tickets.close({ id: '1001' })).rejects.toMatchObject({ maybeDone: false });
  await expect(client.tickets.close({ id: 'x' })).rejects.toMatchObject({ kind: 'request' });

  const { out, code } = await cb('log --origin program -o json');
  const rows = JSON.parse(out) as Record<string, unknown>[];
  const shown = rows.map(({ operation, about, outcome }) => [operation, about, outcome].join(' '));
  expect(code).toBe(0);
  expect(shown.toSorted()).toEqual([
    ...['tickets close 1001 unknown', 'tickets create DIGITAL1 done'],
    ...['tickets create DIGITAL1 unknown', 'tickets create PARCEL01 done'],
    'tickets create PARCEL01 unknown',
  ]);
  expect(rows[0]).toMatchObject({ origin: 'program', by: expect.any(String) });
  expect(writes()).toHaveLength(rows.length);
  expect(readFileSync(ledger, 'utf8')).not.toContain(sandbox.apiKey);
  expect(await cb('log --origin command -o json')).toMatchObject({ out: '[]\n' });
});

test('sends no write that it cannot record', async () => {
  const { client, writes } = await openShop({ client: { ledger: '/dev/null/ledger.ndjson' } });
  const error = { kind: 'request', hint: 'Nothing was sent.' };
  await expect(client.tickets.create(support)).rejects.toMatchObject(error);
  const result = await client.safe.tickets.create(refund);
  expect(result).toMatchObject({ state: 'not-done', error });
  expect(result.state === 'done' || result.error.message).toMatch(/^The write can't be recorded:/);
  expect(writes()).toHaveLength(0);
});

test('reports an outcome that it cannot record, and never records a write that is done as not done', async () => {
  const ledger = join(home().folder, 'ledger.ndjson');
  const kept = `${ledger}.kept`;
  const events: string[] = [];
  const { client, writes } = await openShop({
    client: {
      ledger,
      // A folder takes the place of the ledger while the request is on its way.
      fetch: (...sent) => {
        if (sent[1]?.method === 'POST') {
          renameSync(ledger, kept);
          mkdirSync(ledger);
        }
        return fetch(...sent);
      },
      onEvent: ({ type }) => {
        events.push(type);
        throw new Error('broken listener');
      },
    },
  });
  await expect(client.tickets.create(support)).rejects.toThrow('broken listener');
  expect(events).toEqual(['request', 'unrecorded']);
  expect(writes()).toHaveLength(1);
  expect(readFileSync(kept, 'utf8')).not.toContain('not done');
});
