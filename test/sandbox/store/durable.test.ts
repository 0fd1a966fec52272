/** Confirmed writes survive a killed process, and no write is partly done. */
import { once } from 'node:events';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import { KEYS } from '../../../src/sandbox/http/keys.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { openDatabase } from '../../../src/storage/sqlite.ts';
import { cb } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { tier } from '../../support/tier.ts';
import { goodValues, NEW_PRODUCT, sendTo } from '../good-request.ts';
import { told } from '../notifications/receiver.ts';
import { ask, getJson, openSandbox } from '../raw.ts';
import { contentOf, damageIn, rowsIn, storeFile, watchStatements } from './store-file.ts';

const ROUNDS = tier(3, 10);
const fileIn = (home: string) => join(home, '.local/share/clickbank-cli/sandbox.sqlite');

test('keeps every confirmed write when killed during writes', async () => {
  const { folder, cb: run } = home();
  await run('sandbox seed --orders 300', { now: () => new Date() });
  const world = await worldOf(folder);
  for (let round = 1; round <= ROUNDS; round += 1) {
    await writeUntilKilled(folder, world, round * 20);
    expect(await damageIn(fileIn(folder))).toEqual([]);
    const made = new Set(await madeIn(folder));
    expect(world.answered.filter(({ makes }) => !made.has(makes))).toEqual([]);
    expect(await halvesIn(folder)).toEqual([]);
  }
  expect(world.answered.length).toBeGreaterThan(ROUNDS * 20);
});

test.each([['SIGKILL', null], ['SIGINT', 130], ...tier([], [['SIGTERM', 143] as const])] as const)(
  'leaves no partial sandbox if %s ends a seed, and keeps the sandbox before it',
  async (signal, code) => {
    const { folder, cb: run } = home();
    const file = fileIn(folder);
    expect(await seedUntil(signal, folder)).toBe(code);
    expect(await rowsIn(file, 'SELECT name FROM sqlite_master')).toEqual([]);
    const { err } = await run('sandbox seed --orders 300');
    expect(err).toContain('Creating 300 sample orders');
    const before = await contentOf(file);
    expect(await seedUntil(signal, folder)).toBe(code);
    expect(await damageIn(file)).toEqual([]);
    expect(await contentOf(file)).toEqual(before);
  },
);

const TOLD = ['tickets returned', 'orders reinstate', 'orders change-product'];

const writes = catalogue.filter(({ method }) => method !== 'GET' && method !== 'HEAD');

test.each(writes)(
  'rolls back $command and its notification completely when the disk is full at any statement',
  async (operation) => {
    const watched = watchStatements('run');
    const file = storeFile();
    const { sandbox } = await told({ file });
    const values = goodValues(operation);
    const before = await contentOf(file);
    let number = 0;
    let status = 500;
    while (status === 500) {
      expect(await contentOf(file)).toEqual(before);
      number += 1;
      watched.before(number, () => {
        throw new Error('database or disk is full');
      });
      status = (await sendTo(sandbox, operation, values)).status;
    }
    watched.before(Number.POSITIVE_INFINITY, () => {});
    const after = await contentOf(file);
    expect(after).not.toEqual(before);
    // At least one statement for the event, and three for its notification.
    const isTold = after.notification?.length !== 0;
    expect(number).toBeGreaterThan(isTold ? 4 : 1);
    expect(isTold).toBe(TOLD.includes(operation.command));
  },
);

test.each([
  'orders2/list?startDate=2025-04-01&endDate=2026-03-18',
  'orders2/CART0003',
  'tickets/1003',
  'tickets/list',
])('never mixes two states in one response: %s', async (path) => {
  const read = async (sandbox: Sandbox) => (await getJson(sandbox, `/rest/1.3/${path}`)).text;
  for (let number = 1, isChanged = true; isChanged; number += 1) {
    isChanged = false;
    const file = storeFile();
    const watched = watchStatements('all');
    const sandbox = await openSandbox({ file });
    const before = await read(sandbox);
    const other = await openDatabase(file);
    watched.before(number, () => {
      isChanged = true;
      other.execute(CHANGE);
    });
    const during = await read(sandbox);
    watched.before(Number.POSITIVE_INFINITY, () => {});
    const after = await read(sandbox);
    expect([before, after]).toContain(during);
    expect(after === before).toBe(!isChanged);
    expect(number > 3 || isChanged).toBe(true);
    other.close();
    await sandbox.close();
  }
});

/** Changes that another process may make meanwhile, in one transaction. */
const CHANGE = `BEGIN; UPDATE txn SET receipt = 'CHANGED'; UPDATE line_item SET title = 'changed';
  UPDATE ticket SET source = 'changed'; UPDATE ticket_comment SET comment = 'changed'; COMMIT`;

/** Kills a process while it seeds, and returns its exit code. */
async function seedUntil(signal: NodeJS.Signals, home: string): Promise<number | null> {
  const seeding = cb(['sandbox', 'seed', '--orders', '300000'], { home });
  await seeding.until(/sample orders/);
  await new Promise((done) => setTimeout(done, 400));
  seeding.child.kill(signal);
  return (await seeding.ended()).code;
}

interface Write {
  readonly method: string;
  readonly path: string;
  /** The created data, as named by `madeIn`. */
  readonly makes: string;
}

/** A source of distinct writes, and the writes that were confirmed. */
async function worldOf(home: string) {
  const free = `SELECT receipt FROM purchase p WHERE vendor = 'GREENLEAF' AND NOT EXISTS
    (SELECT 1 FROM ticket k WHERE k.purchase_id = p.id) AND EXISTS
    (SELECT 1 FROM txn t WHERE t.receipt = p.receipt AND t.type = 'SALE')`;
  const receipts = (await rowsIn(fileIn(home), free)).map(({ receipt }) => String(receipt));
  const answered: Write[] = [];
  let number = 0;
  const next = (): Write => {
    number += 1;
    const receipt = number % 3 === 0 ? receipts.pop() : undefined;
    if (receipt === undefined) {
      const path = `/rest/1.3/products/SKU${number}?${NEW_PRODUCT}`;
      return { method: 'PUT', path, makes: `product SKU${number}` };
    }
    // A ticket and the first entry of its log: two rows.
    const query = 'type=tech&reason=ticket.type.tech_support.1&comment=help';
    const path = `/rest/1.3/tickets/${receipt}?${query}`;
    return { method: 'POST', path, makes: `ticket ${receipt}` };
  };
  return { next, answered };
}

/** Eight clients write to a separate server, which is killed after a number of responses. */
async function writeUntilKilled(
  home: string,
  { next, answered }: Awaited<ReturnType<typeof worldOf>>,
  responses: number,
) {
  const server = cb(['sandbox', 'start'], { home });
  const [url = ''] = /http:\S+/.exec(await server.until(/is running/)) ?? [];
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const enough = answered.length + responses;
  const client = async () => {
    for (;;) {
      const write = next();
      const { method, path } = write;
      const sent = ask({ url, keys: KEYS }, method, path, {}, agent);
      const response = await sent.catch(() => undefined);
      if (response === undefined) return;
      expect([path, response.status]).toEqual([path, expect.toBeOneOf([200, 201, 204])]);
      answered.push(write);
      if (answered.length >= enough) server.child.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  expect(server.child.signalCode ?? (await once(server.child, 'close'))[1]).toBe('SIGKILL');
}

async function madeIn(home: string): Promise<readonly string[]> {
  const rows = await rowsIn(
    fileIn(home),
    "SELECT 'product ' || sku made FROM product UNION ALL SELECT 'ticket ' || receipt FROM ticket",
  );
  return rows.map(({ made }) => String(made));
}

/** Tickets without the first entry of their log, and entries without a ticket. */
function halvesIn(home: string): Promise<readonly unknown[]> {
  return rowsIn(
    fileIn(home),
    `SELECT k.id, c.id entry FROM ticket k FULL JOIN ticket_comment c ON c.ticket_id = k.id
     WHERE k.id IS NULL OR c.id IS NULL`,
  );
}
