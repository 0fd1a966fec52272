/** `cb log`: what was sent, by whom, and how it ended. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withoutPerson } from '../../../src/ledger/entry.ts';
import { tickets } from '../../../src/operations/tickets.ts';
import { type Home, now } from '../../support/cb.ts';
import { servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';

const ledgerIn = (folder: string) => join(folder, '.local/share/clickbank-cli/ledger.ndjson');

async function logOf({ cb }: Pick<Home, 'cb'>, flags = '') {
  const { out, code, err } = await cb(`log -o json ${flags}`);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as Record<string, unknown>[];
}

test('shows single writes with their outcome, who sent them and where', async () => {
  const at = await servedShop();
  const on = (line: string) => at.cb(line, { env: { USER: 'ada' } });
  await on('tickets comment 1001 --comment Hello --yes');
  await on('ship notice add PARCEL01 --date 2020-01-01 --carrier USPS --yes');
  await on('api POST /1.3/orders2/CANCEL01/reinstate --yes');
  at.sandbox.setFaults('cut-after=#1,only=PUT');
  await on('tickets close 1001 --yes');
  at.sandbox.setFaults('503=100%,only=POST');
  await on('orders extend LIMITED1 --num-periods 1 --yes --verify-wait 0s');
  const rows = await logOf(at);
  const done = rows.filter(({ outcome }) => outcome === 'done');
  expect(done.map(({ operation, detail }) => [operation, detail])).toEqual([
    ['tickets close', 'The response was unclear, but a check found it.'],
    ['api', null],
    ['tickets comment', null],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ origin: 'command', by: 'ada (--yes)', service: at.sandbox.url });
  }
  const outcomes = rows.map(({ operation, about, outcome }) => [`${operation} ${about}`, outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({
    'tickets comment 1001': 'done',
    'tickets close 1001': 'done',
    'ship notice add --generation 3 PARCEL01': 'not done',
    'orders extend LIMITED1': 'unknown',
    'api POST /rest/1.3/orders2/CANCEL01/reinstate': 'done',
  });
  expect(rows).toHaveLength(5);
});

test('shows the amount of a refund, and none of other writes', async () => {
  const at = await servedShop();
  const create = (words: string) => at.cb(`tickets create ${words} --yes --allow-refund`);
  await create('DIGITAL1 --type rfnd --reason duplicate --refund-type full');
  await at.cb('tickets comment 1001 --comment Hello --yes');
  await create('UPSELL02 --type cncl --reason ticket.type.cancel.7');
  writeFileSync(join(at.folder, 'refunds.csv'), 'receipt\nUPSELL03\n');
  await create('--from refunds.csv --type rfnd --reason duplicate --refund-type full');
  await create('MONTHLY1 --type cncl --reason ticket.type.cancel.7');
  const rows = await logOf(at);
  expect(Object.fromEntries(rows.map(({ about, amount }) => [about, amount]))).toEqual({
    ...{ DIGITAL1: '37.00', UPSELL02: '19.00', UPSELL03: '24.00' },
    ...{ 1001: null, MONTHLY1: null },
  });
});

test('filters by origin, time and unknown outcomes, renders every format, and refuses a damaged ledger', async () => {
  const at = await servedShop();
  await at.cb('tickets comment 1001 --comment Hello --yes');
  at.sandbox.setFaults('503=100%,only=PUT');
  await at.cb('tickets comment 1001 --comment Again --yes --verify-wait 0s');
  expect(await logOf(at, '--unknown')).toMatchObject([{ outcome: 'unknown', about: '1001' }]);
  expect(await logOf(at, '--origin queue')).toEqual([]);
  expect(await logOf(at, '--since today')).toHaveLength(2);
  expect(await logOf(at, '--since tomorrow')).toEqual([]);
  const table = await at.cb('log', { columns: 100 });
  expect(table.out).toMatch(/command +tickets comment +1001 +unknown/);
  expect((await at.cb('log --origin command -o csv')).out).toMatch(/^time,origin,operation,/i);
  const path = ledgerIn(at.folder);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"done"', '"sent"'));
  expect(await at.cb('log')).toMatchObject({ code: 2, out: '' });
});

test('shows a write as sending only while the process that sends it runs', async () => {
  const seen: unknown[] = [];
  const { cb, folder } = await servedHome(async (reply, _, { method }) => {
    if (method === 'GET') return void reply.writeHead(403).end('No.');
    seen.push((await logOf({ cb }))[0]?.outcome);
    const line = JSON.parse(readFileSync(ledgerIn(folder), 'utf8').split('\n')[1] ?? '');
    expect(line).toMatchObject({ state: 'sending', sentFrom: { pid: process.pid } });
    // As after kill -9, when another process may have its ID.
    for (const sentFrom of [
      { ...line.sentFrom, pid: 2 ** 22 },
      { ...line.sentFrom, boot: 'before' },
    ]) {
      writeFileSync(ledgerIn(folder), `{"ledger":1}\n${JSON.stringify({ ...line, sentFrom })}\n`);
      seen.push((await logOf({ cb }))[0]?.outcome);
    }
    reply.writeHead(400).end('No.');
  });
  await cb('tickets comment 1001 --comment Hello --yes');
  expect(seen).toEqual(['sending', 'unknown', 'unknown']);
});

test('keeps comments only as a keyed hash when the outcome is certain, and no key', async () => {
  const at = await servedShop();
  at.sandbox.setFaults('503=100%,only=PUT');
  await at.cb("tickets comment 1001 --comment 'Dear Ada' --yes --verify-wait 0s");
  expect(readFileSync(ledgerIn(at.folder), 'utf8')).toContain('Dear Ada');
  const other = await servedShop();
  await other.cb("tickets comment 1001 --comment 'Dear Ada' --yes");
  const text = readFileSync(ledgerIn(other.folder), 'utf8');
  expect(text).not.toContain('Dear Ada');
  expect(text).toMatch(/"comment":"hmac-sha256:[0-9a-f]{64}"/);
  expect(text).not.toContain(other.key);
});

test('keeps no comment that the service repeats, once the outcome is certain or the customer forgotten', async () => {
  const { cb, folder } = await servedHome((reply, _, { method }) =>
    reply.writeHead(method === 'GET' ? 403 : 400).end('The comment Dear (Ada) is too short.'),
  );
  const { err } = await cb("tickets comment 1001 --comment 'Dear (Ada)' --yes");
  expect(err).toContain('Dear (Ada)');
  const text = readFileSync(ledgerIn(folder), 'utf8');
  expect(text).not.toContain('Ada');
  expect(text).toContain('The comment … is too short.');
  const { params } = tickets.comment;
  const why = 'The comment Dear (Ada) is late.';
  const entry = { id: 'a', at: now.toISOString(), state: 'unknown', why } as const;
  const args = { id: '1001', comment: 'Dear (Ada)' };
  const left = { ...entry, why: 'The comment … is late.', args: { id: '1001' } };
  expect(withoutPerson({ ...entry, args }, params)).toEqual(left);
});

test('keeps writes about a forgotten customer, but nothing that names the person, or changes nothing', async () => {
  const at = await servedShop();
  const [order] = JSON.parse((await at.cb('orders get DIGITAL1 -o json')).out);
  const tickets = JSON.parse((await at.cb('tickets list -o json')).out);
  const other = tickets.find(({ email }: { email: string }) => email !== order.email);
  at.sandbox.setFaults('503=100%,only=POST,only=PUT');
  const refund = '--type rfnd --reason ticket.type.refund.2 --refund-type FULL';
  const unsure = '--yes --verify-wait 0s';
  await at.cb(`tickets create DIGITAL1 ${refund} --comment 'For Ada' ${unsure}`);
  await at.cb(`tickets comment 1001 --comment 'Dear Ada' ${unsure}`);
  await at.cb("api PUT /1.3/tickets/1001 -f action=comment -f 'comment=Hello Ada' --yes");
  await at.cb(`tickets comment ${other.ticketid} --comment 'To another one' ${unsure}`);
  at.sandbox.setFaults(undefined);
  await at.cb('sync --tables orders,tickets');
  const path = ledgerIn(at.folder);
  const text = readFileSync(path, 'utf8');
  for (const comment of ['For Ada', 'Dear Ada', 'Hello Ada']) expect(text).toContain(comment);
  writeFileSync(path, 'damaged\n');
  const forget = `sync forget --email ${order.email} --yes`;
  expect((await at.cb(forget)).code).not.toBe(0);
  writeFileSync(path, text);
  expect((await at.cb(forget)).code).toBe(0);
  const left = readFileSync(path, 'utf8');
  expect(left).not.toMatch(/(?:For|Dear|Hello) Ada/);
  expect(left).toContain('To another one');
  expect(await logOf(at, '--unknown')).toHaveLength(4);
});
