/** The writes of a program in the ledger that it names. */
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../support/cb.ts';
import { openShop, refund } from './shop.ts';

const support = {
  receipt: 'PARCEL01',
  type: 'tech',
  reason: 'ticket.type.tech_support.1',
} as const;

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
    'tickets close 1001 not done',
    'tickets create DIGITAL1 done',
    'tickets create DIGITAL1 unknown',
    'tickets create PARCEL01 done',
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
