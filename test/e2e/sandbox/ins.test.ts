/** `cb sandbox ins`, and what a killed sandbox keeps: no confirmed write is lost or partly done, and no notification lost or doubled. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KEYS } from '../../../src/sandbox/http/keys.ts';
import { NEW_PRODUCT } from '../../sandbox/good-request.ts';
import { answering, decrypted, receive, SECRET } from '../../sandbox/notifications/receiver.ts';
import { ask } from '../../sandbox/raw.ts';
import { damageIn, rowsIn } from '../../sandbox/store/store-file.ts';
import { CANCEL, TECH } from '../../sandbox/tickets/ticket-raw.ts';
import { cb } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { person } from '../../support/person.ts';
import { expectExit } from '../../support/refusal.ts';
import { jsonOf } from '../../support/sandbox.ts';
import { tier } from '../../support/tier.ts';

const REFUND = '--sandbox tickets create MONTHLY1 --type cncl --reason ticket.type.cancel.1 --yes';

async function shop() {
  const home = await sandboxHome(60);
  return { ...home, json: (line: string) => jsonOf(home, line) };
}

test('adds a URL with a new secret key, and prints only the key on stdout', async () => {
  const { cb, json } = await shop();
  const to = await receive();
  const added = await cb(`sandbox ins add ${to.url}`);
  expect(added).toEqual({
    code: 0,
    out: expect.stringMatching(/^[A-Z0-9]{16}\n$/),
    err: expect.stringContaining(`The sandbox sends notifications of version 8 to ${to.url}.`),
  });
  expect(await json('sandbox ins list')).toEqual([{ url: to.url, version: 8 }]);
  const tested = await cb('sandbox ins test');
  expect(tested).toEqual({ code: 0, out: '', err: `${to.url}: delivered (status 200)\n` });
  const text = decrypted(to.bodies[0] ?? '', added.out.trim());
  expect(JSON.parse(text)).toMatchObject({ transactionType: 'TEST', version: 8 });
});

test('takes the secret key and the version from options, or the key from stdin', async () => {
  const { cb, json } = await shop();
  const to = await receive();
  const version6 = await cb(`sandbox ins add ${to.url} --secret ${SECRET} --event-version 6`);
  const err = `The sandbox sends notifications of version 6 to ${to.url}.\n`;
  expect(version6).toEqual({ code: 0, out: '', err });
  await cb('sandbox ins test');
  expect(to.events()).toMatchObject([{ version: 6, receipt: '********' }]);
  expect(await cb(`sandbox ins remove ${to.url}`)).toMatchObject({ code: 0, out: '' });
  const piped = `sandbox ins add ${to.url} --secret - --event-version=7`;
  expect(await cb(piped, { stdin: `${SECRET}\n` })).toMatchObject({ code: 0, out: '' });
  await cb('sandbox ins test');
  expect(to.events()[1]).toMatchObject({ version: 7 });
  expect(await json('sandbox ins list')).toEqual([{ url: to.url, version: 7 }]);
});

test('tells a receiver of what a command changes before the command ends', async () => {
  const { cb, json } = await shop();
  const to = await receive();
  await cb(`sandbox ins add ${to.url} --secret ${SECRET}`);
  expect((await cb(REFUND)).code).toBe(0);
  expect(to.events()).toMatchObject([{ transactionType: 'CANCEL-REBILL', receipt: 'MONTHLY1' }]);
  const sent = { time: '2026-03-18T11:30:00-07:00', status: 200, error: null };
  expect(await json('sandbox ins log')).toEqual([
    {
      ...{ ...sent, id: 1, type: 'CANCEL-REBILL', receipt: 'MONTHLY1', url: to.url },
      ...{ state: 'delivered', attemptCount: 1, nextAttempt: null },
      ...{ body: to.texts()[0], sent: to.bodies[0] },
      attempts: [{ ...sent, number: 1, fault: null }],
    },
  ]);
});

test('shows attempts, errors and the next attempt in a table, and exits with code 6 if a receiver does not accept the test notification', async () => {
  const { cb, json } = await shop();
  const to = await receive(answering(500));
  await cb(`sandbox ins add ${to.url} --secret ${SECRET}`);
  await cb(REFUND);
  await cb('sandbox clock advance 4h');
  const { out } = await cb('sandbox ins log', { columns: 120 });
  expect(out).toMatch(/CANCEL-REBILL +MONTHLY1 +pending +2 +500 +2026-03-18 19:30/);
  await cb('sandbox clock advance 1d');
  const states = await json('sandbox ins log --query \'[?receipt==`"MONTHLY1"`].state\'');
  expect(states).toEqual(['lost']);
  const says = `${to.url}: not delivered (status 500) cb: The test`;
  expectExit(await cb('sandbox ins test'), 6, says, '');
});

test('sends to another machine only after confirmation, and to this one without', async () => {
  const { cb, json } = await shop();
  for (const host of ['10.0.0.1', 'localhost.example', '127.0.0.1.example']) {
    const says = 'is not this machine. Pass --yes to proceed.';
    expectExit(await cb(`sandbox ins add http://${host}/ins`), 10, says, '');
  }
  const line = 'sandbox ins add https://shop.example/ins';
  const no = person(false);
  expect(await cb(line, { columns: 80, person: no })).toMatchObject({ code: 10 });
  expect(no.asked).toEqual(["Send the sandbox's notifications to shop.example, another machine?"]);
  expect(await json('sandbox ins list')).toEqual([]);
  expect(await cb(line, { columns: 80, person: person(true) })).toMatchObject({ code: 0 });
  for (const host of ['10.0.0.1/ -y', 'localhost:9/', '127.1.2.3/', '[::1]:8/']) {
    expect(await cb(`sandbox ins add http://${host}`)).toMatchObject({ code: 0 });
    const url = `http://${host.replace(' -y', '')}`;
    expect(await json('sandbox ins list')).toContainEqual({ url, version: 8 });
    await cb(`sandbox ins remove ${url}`);
  }
});

test('accepts two URLs at most, and none twice, until cb sandbox reset removes them', async () => {
  const { cb, json } = await shop();
  for (const [port, code, says] of [
    [1, 0, ''],
    [1, 2, 'already sends'],
    [2, 0, ''],
    [3, 2, 'two URLs at most'],
  ] as const) {
    expectExit(await cb(`sandbox ins add http://localhost:${port}/`), code, says);
  }
  await cb('sandbox reset');
  expect(await json('sandbox ins list')).toEqual([]);
});

test('shows, sets and clears the faults of notifications', async () => {
  const { cb, json } = await shop();
  expect(await json('sandbox ins faults')).toEqual({ faults: null, took: [] });
  const faults = 'duplicate=10%,cut=#1';
  const says = `The sandbox simulates faults of notifications: ${faults}. Stop with cb sandbox ins faults off.`;
  expect(await cb(`sandbox ins faults ${faults}`)).toMatchObject({ code: 0, err: `${says}\n` });
  expect(await json('sandbox ins faults')).toMatchObject({ faults });
  await cb('sandbox ins faults off');
  expect(await json('sandbox ins faults')).toEqual({ faults: null, took: [] });
});

const ROUNDS = tier(4, 20);
const fileIn = (folder: string) => join(folder, '.local/share/clickbank-cli/sandbox.sqlite');

/** Sold by the main vendor, and without a ticket. */
const FREE = `SELECT receipt FROM purchase p WHERE vendor = 'GREENLEAF' AND NOT EXISTS
  (SELECT 1 FROM ticket k WHERE k.purchase_id = p.id) AND EXISTS
  (SELECT 1 FROM txn t WHERE t.receipt = p.receipt AND t.type = 'SALE')`;

const MADE =
  "SELECT 'product ' || sku made FROM product UNION ALL SELECT 'ticket ' || receipt FROM ticket";

/** Tickets without the first entry of their log, and entries without a ticket. */
const HALVES = `SELECT k.id, c.id entry FROM ticket k FULL JOIN ticket_comment c ON c.ticket_id = k.id
  WHERE k.id IS NULL OR c.id IS NULL`;

/** The transactions since the first event, of which not each has exactly one notification. */
const UNTOLD = `SELECT t.receipt, t.type FROM txn t
  WHERE t.time > (SELECT min(time) FROM notification) AND t.type NOT LIKE '%FEE'
    AND 1 <> (SELECT count(*) FROM notification n
      WHERE n.receipt = t.receipt AND n.type = t.type AND n.time = t.time)`;

interface Write {
  readonly method: string;
  readonly path: string;
  /** The created data, as named by `MADE`; a change of a subscription makes none, and may be refused. */
  readonly makes?: string;
}

/** A source of distinct writes. */
async function writesFor(folder: string): Promise<() => Write> {
  const receipts = (await rowsIn(fileIn(folder), FREE)).map(({ receipt }) => String(receipt));
  let number = 0;
  return () => {
    number += 1;
    const receipt = number % 3 === 0 ? receipts.pop() : undefined;
    // A ticket and the first entry of its log: two rows.
    if (receipt !== undefined) {
      return { method: 'POST', path: `tickets/${receipt}?${TECH}`, makes: `ticket ${receipt}` };
    }
    if (number % 3 === 1) {
      const sku = `SKU${number}`;
      return { method: 'PUT', path: `products/${sku}?${NEW_PRODUCT}`, makes: `product ${sku}` };
    }
    const isCancel = number % 2 === 0;
    const path = isCancel ? `tickets/MONTHLY1?${CANCEL}` : 'orders2/MONTHLY1/reinstate';
    return { method: 'POST', path };
  };
}

/** Eight clients write to a separate server, which is killed after a number of responses. Returns the confirmed writes. */
async function writeUntilKilled(folder: string, next: () => Write, most: number): Promise<Write[]> {
  const server = cb(['sandbox', 'start'], { home: folder });
  const [url = ''] = /http:\S+/.exec(await server.until(/is running/)) ?? [];
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const confirmed: Write[] = [];
  const client = async () => {
    for (;;) {
      const write = next();
      const { method, path, makes } = write;
      const sent = ask({ url, keys: KEYS }, method, `/rest/1.3/${path}`, {}, agent);
      const response = await sent.catch(() => undefined);
      if (response === undefined) return;
      if (makes) expect([path, response.status]).toEqual([path, expect.toBeOneOf([200, 201])]);
      if (response.status < 300) confirmed.push(write);
      if (confirmed.length >= most) server.child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(server.child.signalCode ?? (await once(server.child, 'close'))[1]).toBe('SIGKILL');
  return confirmed;
}

test('keeps every confirmed write, delivers every event at least once, and records none twice, when killed many times', async () => {
  const { folder, cb: runHere } = home();
  const run = async (line: string) => {
    const { code, err } = await runHere(line, { now: () => new Date() });
    expect({ line, code, err }).toMatchObject({ code: 0 });
  };
  await run('sandbox seed --orders 300');
  // Some are answered late, so that there are always some on their way.
  let count = 0;
  const to = await receive((_, response) => {
    count += 1;
    setTimeout(() => response.end(), count % 3 === 0 ? 40 : 0);
  });
  await run(`sandbox ins add ${to.url} --secret ${SECRET}`);
  const next = await writesFor(folder);
  const confirmed: Write[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round % 4 === 0) {
      const advancing = cb(['sandbox', 'clock', 'advance', '30d'], { home: folder });
      await to.until(to.bodies.length + 5);
      advancing.child.kill('SIGKILL');
      await advancing.ended();
    } else confirmed.push(...(await writeUntilKilled(folder, next, (round * 7) % 23)));
    expect(await damageIn(fileIn(folder))).toEqual([]);
    const made = new Set((await rowsIn(fileIn(folder), MADE)).map((row) => row.made));
    expect(confirmed.filter(({ makes }) => makes && !made.has(makes))).toEqual([]);
    expect(await rowsIn(fileIn(folder), HALVES)).toEqual([]);
  }
  await run('sandbox clock advance 1d');
  const rows = await rowsIn(
    fileIn(folder),
    `SELECT n.type, n.time, n.receipt, d.delivered, d.attempts FROM notification n
     JOIN delivery d ON d.notification_id = n.id ORDER BY n.id`,
  );
  expect(rows.filter(({ delivered }) => delivered !== 1)).toEqual([]);
  const changes = rows.filter(({ type }) => /CANCEL-REBILL/.test(String(type)));
  const told = confirmed.filter(({ makes }) => makes === undefined);
  expect([told.length > 2, changes.length >= told.length]).toEqual([true, true]);
  expect(await rowsIn(fileIn(folder), UNTOLD)).toEqual([]);
  const received = to.events().map((event) => `${event.transactionType} ${event.receipt}`);
  const events = rows.map(({ type, receipt }) => `${type} ${receipt}`);
  // Each event arrives as often as it is recorded, or more often.
  const lost = events.filter((event) => {
    const at = received.indexOf(event);
    if (at >= 0) received.splice(at, 1);
    return at < 0;
  });
  expect(lost).toEqual([]);
  expect(events.length).toBeGreaterThan(ROUNDS * 2);
});

test('says that the file of the sandbox, or that of notifications, is damaged', async () => {
  const { cb, folder } = home();
  const data = join(folder, '.local/share/clickbank-cli');
  mkdirSync(data, { recursive: true });
  for (const [name, line] of [
    ['sandbox.sqlite', '--sandbox orders count'],
    ['notifications.sqlite', 'ins list'],
  ] as const) {
    writeFileSync(join(data, name), 'x'.repeat(5000));
    expectExit(await cb(line), 3, / \(SQLITE_NOTADB\)\. The file is damaged\./);
  }
});
