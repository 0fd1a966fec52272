/** Imports with network faults and repeated kills: each row is sent exactly once. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/http/server.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { listOfSales, refundableReceipts } from '../../support/refundable.ts';

interface World {
  readonly sandbox: Sandbox;
  readonly home: string;
  json<Row>(...args: string[]): Promise<Row[]>;
  start(args: readonly string[]): ReturnType<typeof cb>;
}

async function world(): Promise<World> {
  const sandbox = await startSandbox({ file: ':memory:' });
  onTestFinished(() => sandbox.close());
  const home = emptyHome();
  const env = { CB_BASE_URL: sandbox.url, CB_API_KEY: sandbox.keys[0]?.key ?? '' };
  const start = (args: readonly string[]) => cb(args, { home, env });
  return {
    sandbox,
    home,
    start,
    json: async (...args) => JSON.parse((await start([...args, '-o', 'json']).ended()).out),
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Kills the program at seeded positions of its journal, then lets it finish. */
async function killOften(at: World, args: readonly string[], journal: string, most: number) {
  const random = xoroshiro128plus(7);
  let killed = 0;
  while (killed < 5) {
    const place = sizeOf(journal) + (Math.abs(random.next()) % most);
    const running = at.start(args);
    while (sizeOf(journal) <= place && running.child.exitCode === null) {
      await new Promise((done) => setTimeout(done, 2));
    }
    expect(running.child.exitCode, 'it ended before it could be killed').toBeNull();
    running.child.kill('SIGKILL');
    await running.ended();
    killed += 1;
  }
  // Rows of unknown outcome are named, and sent again only on request.
  const { code, err } = await at.start(args).ended();
  expect(code, err).toBe(8);
  expect(err).toMatch(/Line \d+ \(\w+\): unknown: /);
  at.sandbox.setFaults(undefined);
  expect((await at.start([...args, '--retry-unknown']).ended()).code).toBe(0);
}

/** The sandbox carries out a write at once or never. */
const soon = ['--yes', '--concurrency', '8', '--verify-wait', '100ms'];

const faults = 'cut-after=20%,503=10%,only=POST,seed=7';

/** The result file of `count` finished rows. */
function expectAllDone(path: string, rows: number): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
  expect(lines).toHaveLength(rows);
  for (const line of lines) expect(line).toMatch(/,(done|already there),$/);
}

test('creates 200 ship notices exactly once despite 5 kills and lost responses', async () => {
  const at = await world();
  interface Shipment {
    receipt: string;
    lineItemShipData: unknown[];
  }
  const all = await at.json<Shipment>('ship', 'list', '--status', 'all', '--days', '300');
  const receipts = all
    .filter(({ lineItemShipData }) => lineItemShipData.length === 1)
    .map(({ receipt }) => receipt)
    .slice(0, 50);
  expect(receipts).toHaveLength(50);
  const wanted = Array.from({ length: 200 }, (_, i) => [receipts[i % 50], `IMPORT${i}`] as const);
  const file = join(at.home, 'shipped.csv');
  writeFileSync(file, ['receipt,tracking', ...wanted.map((row) => row.join(','))].join('\n'));
  at.sandbox.setFaults(faults);
  const flags = ['--carrier', 'USPS', '--date', 'today', ...soon];
  const args = ['ship', 'notice', 'import', file, ...flags];
  await killOften(at, args, `${file}.cb-journal`, 3000);
  expectAllDone(`${file}.results.csv`, 200);
  const found: string[] = [];
  for (const receipt of receipts) {
    const path = `${at.sandbox.url}/rest/1.3/shipping3/shipnotice/${receipt}`;
    const headers = { authorization: at.sandbox.keys[0]?.key ?? '', accept: 'application/json' };
    const body = await (await fetch(path, { headers })).text();
    found.push(...[...body.matchAll(/"trackingId":"(IMPORT\d+)"/g)].map(([, id]) => id ?? ''));
  }
  expect(found.sort()).toEqual(wanted.map(([, id]) => id).sort());
});

test('creates 60 refund tickets exactly once despite 5 kills and lost responses', async () => {
  const at = await world();
  const wanted = refundableReceipts(await at.json(...listOfSales)).slice(0, 60);
  expect(wanted).toHaveLength(60);
  const file = join(at.home, 'refunds.csv');
  writeFileSync(file, ['receipt', ...wanted].join('\n'));
  at.sandbox.setFaults(faults);
  const refund = ['--type', 'rfnd', '--reason', 'ticket.type.refund.2', '--refund-type', 'FULL'];
  const args = ['tickets', 'create', '--from', file, ...refund, ...soon];
  await killOften(at, args, `${file}.cb-journal`, 600);
  expectAllDone(`${file}.results.csv`, 60);
  const tickets = await at.json<{ receipt: string }>('tickets', 'list', '--type', 'rfnd');
  const found = tickets.map(({ receipt }) => receipt).filter((one) => wanted.includes(one));
  expect(found.sort()).toEqual([...wanted].sort());
});

test('finishes requests in progress on Ctrl-C, ends with exit code 130, and continues in the next run', async () => {
  const at = await world();
  const file = join(at.home, 'shipped.csv');
  const rows = Array.from({ length: 100 }, (_, i) => `PARCEL01,IMPORT${i}`);
  writeFileSync(file, ['receipt,tracking', ...rows].join('\n'));
  at.sandbox.setFaults('latency=20ms');
  const args = ['ship', 'notice', 'import', file, '--carrier', 'USPS', '--date', 'today', '--yes'];
  const journal = `${file}.cb-journal`;
  const running = at.start(args);
  while (sizeOf(journal) < 1000) await new Promise((done) => setTimeout(done, 2));
  running.child.kill('SIGINT');
  expect((await running.ended()).code).toBe(130);
  const states = readFileSync(journal, 'utf8').trimEnd().split('\n').slice(1);
  expect(states.at(-1)).toContain('"state":"done"');
  expect(states.length).toBeLessThan(200);
  at.sandbox.setFaults(undefined);
  expect((await at.start(args).ended()).code).toBe(0);
  expectAllDone(`${file}.results.csv`, 100);
});
