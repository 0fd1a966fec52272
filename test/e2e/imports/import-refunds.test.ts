/** Imports whose rows refund money although they are not refund tickets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, home, sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const line = '--sandbox tickets create --from cancel.csv --type cncl --reason ticket.type.cancel.7';

async function prepared(...receipts: string[]): Promise<Home> {
  const at = await sandboxHome(60);
  writeFileSync(join(at.folder, 'cancel.csv'), `${['receipt', ...receipts].join('\n')}\n`);
  return at;
}

async function tickets({ cb }: Home, receipt: string): Promise<number> {
  const { out } = await cb(`--sandbox tickets list --receipt ${receipt} --type cncl -o json`);
  return JSON.parse(out).length;
}

const sentence = /1 of 2 rows would refund a one-time sale: line 3 DIGITAL1 \(\d+\.\d\d USD\)\./;

test('sends rows that would refund a sale only after a yes or with --allow-refund, and names them', async () => {
  const at = await prepared('MONTHLY1', 'DIGITAL1');
  const refused = await at.cb(`${line} --yes`);
  expect(refused).toMatchObject({ code: 10, err: expect.stringMatching(sentence) });
  expect(refused.err).toContain('Nothing was sent.');
  expect(refused.err).toContain('--allow-refund');
  const no = person(false);
  expect((await at.cb(line, { columns: 80, person: no })).code).toBe(10);
  expect(no.asked).toEqual([expect.stringMatching(sentence)]);
  expect(no.asked[0]).toContain('Create 2 cancellation tickets with profile sandbox?');
  expect(no.asked[0]).toContain("1 refund, total 37.00 USD. This can't be undone.");
  expect([await tickets(at, 'MONTHLY1'), await tickets(at, 'DIGITAL1')]).toEqual([0, 0]);
  const ran = await at.cb(`${line} --yes --allow-refund`);
  expect(ran.code).toBe(0);
  expect(ran.err).toMatch(/warning: Line 3 \(DIGITAL1\): Canceling DIGITAL1 refunds the sale/);
  const results = readFileSync(join(at.folder, 'cancel.csv.results.csv'), 'utf8');
  expect(results).toMatch(/^2,MONTHLY1,done,$/m);
  expect(results).toMatch(/^3,DIGITAL1,done,Canceling DIGITAL1 refunds the sale/m);
  expect(await tickets(at, 'DIGITAL1')).toBe(1);
});

test('sends rows that would refund a sale after a yes on a terminal, without --allow-refund', async () => {
  const at = await prepared('MONTHLY1', 'DIGITAL1');
  expect((await at.cb(line, { columns: 80, person: person(true) })).code).toBe(0);
  expect([await tickets(at, 'MONTHLY1'), await tickets(at, 'DIGITAL1')]).toEqual([1, 1]);
});

test('names the number and the total of refunds in the question', async () => {
  const at = await prepared('DIGITAL1', 'MONTHLY1-B004', 'NOSUCH99');
  const no = person(false);
  const refunds =
    '--sandbox tickets create --from cancel.csv --type rfnd --reason ticket.type.refund.2 --refund-type FULL';
  expect((await at.cb(refunds, { columns: 80, person: no })).code).toBe(10);
  expect(no.asked[0]).toContain(
    "Create 3 refund tickets with profile sandbox? 3 refunds, total 66.00 USD, and 1 of unknown amount. This can't be undone.",
  );
});

test('warns about a payment that cannot be refunded, also in a dry run', async () => {
  const at = await prepared('REFUND01');
  const refunds =
    '--sandbox tickets create --from cancel.csv --type rfnd --reason ticket.type.refund.2 --refund-type FULL --yes';
  const says = /REFUND01 can't be refunded: it has already been refunded/;
  expect((await at.cb(`${refunds} --dry-run`)).out).toMatch(says);
  expect((await at.cb(refunds, { clock: virtualClock() })).err).toMatch(says);
});

test('rejects --raw, since there is no single response', async () => {
  const at = await prepared('MONTHLY1');
  const ran = await at.cb(`${line} --yes --raw`);
  expect(ran).toMatchObject({ code: 2, err: expect.stringContaining('--raw prints one response') });
  expect(await tickets(at, 'MONTHLY1')).toBe(0);
});

test('warns in a dry run and ends with the exit code of the real command', async () => {
  const at = await prepared('MONTHLY1', 'DIGITAL1');
  const ran = await at.cb(`${line} --yes --dry-run`);
  expect(ran.code).toBe(10);
  expect(ran.out).toMatch(
    /line 3: POST .*DIGITAL1\n( {2}.*\n)* {2}warning: Canceling DIGITAL1 refunds/,
  );
  const json = await at.cb(`${line} --allow-refund --dry-run -o json`);
  expect(json.code).toBe(0);
  expect(JSON.parse(json.out)).toMatchObject([
    { line: 2, checked: true, warnings: [], existingMatch: null },
    { line: 3, checked: true, warnings: [{ kind: 'refunds-sale', requires: 'allow-refund' }] },
  ]);
  expect(await tickets(at, 'DIGITAL1')).toBe(0);
});

test('says in a dry run which rows already exist', async () => {
  const at = await prepared('MONTHLY1');
  await at.cb(`${line} --yes`);
  writeFileSync(join(at.folder, 'cancel.csv'), 'receipt\nMONTHLY1\nLIMITED1\n');
  const ran = await at.cb(`${line} --yes --dry-run --restart`);
  expect(ran.code).toBe(0);
  expect(ran.out).toContain('would not be sent: MONTHLY1 already has an open CANCEL ticket');
});

test('says "not checked" in a dry run if the service is unreachable, and ends with exit code 6', async () => {
  const { cb, folder } = home();
  writeFileSync(join(folder, 'cancel.csv'), 'receipt\nMONTHLY1\n');
  const env = { CB_BASE_URL: 'http://127.0.0.1:1', CB_API_KEY: 'API-NOBODY' };
  const ran = await cb(`${line.replace('--sandbox ', '')} --dry-run --max-wait 0`, { env });
  expect(ran).toMatchObject({ code: 6, out: expect.stringContaining('  not checked') });
  expect(ran.err).toContain('The rows were not checked: ');
});
