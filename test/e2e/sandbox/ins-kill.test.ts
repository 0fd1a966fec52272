/** When the sandbox is killed, no confirmed write is lost or partly done, and no notification is lost or doubled. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { KEYS } from '../../../src/sandbox/http/keys.ts';
import { NEW_PRODUCT } from '../../sandbox/good-request.ts';
import { receive, SECRET } from '../../sandbox/notifications/receiver.ts';
import { ask } from '../../sandbox/raw.ts';
import { damageIn, rowsIn } from '../../sandbox/store/store-file.ts';
import { CANCEL, TECH } from '../../sandbox/tickets/ticket-raw.ts';
import { cb } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { tier } from '../../support/tier.ts';

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
  const times = (list: readonly string[], text: string) =>
    list.filter((each) => each === text).length;
  const events = rows.map(({ type, receipt }) => `${type} ${receipt}`);
  const lost = [...new Set(events)].filter(
    (event) => times(received, event) < times(events, event),
  );
  expect(lost).toEqual([]);
  expect(events.length).toBeGreaterThan(ROUNDS * 2);
});
