/** Many concurrent clients, and several processes on one store, without errors or lock failures. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { startSandbox } from '../../../src/sandbox/http/server.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { tier } from '../../support/tier.ts';
import { NEW_PRODUCT } from '../good-request.ts';
import { ask, lineOf, openSandbox } from '../raw.ts';
import { damageIn, storeFile } from '../store/store-file.ts';

const YEAR = 'startDate=2025-04-01&endDate=2026-03-18';
const EXTEND = 'POST orders2/LIMITED1/extend?numPeriods=1';

/** The requests of the clients, in rotation; most of them are reads. Paths are below `/rest/1.3/`. */
const kinds: readonly ((number: number) => string)[] = [
  () => `GET orders2/count?${YEAR}`,
  () => `GET orders2/list?${YEAR}&type=CGBK`,
  () => 'GET orders2/MONTHLY1',
  () => 'HEAD orders2/MONTHLY1',
  () => 'GET tickets/count?status=open',
  () => 'GET products/list?site=GREENLEAF',
  () => 'GET orders2/schema',
  (n) => `PUT products/SKU${n % 50}?${NEW_PRODUCT}`,
  (n) => `POST orders2/MONTHLY1/changeDate?changeDate=2099-01-0${1 + (n % 9)}`,
  () => EXTEND,
];

test('serves thousands of requests of 64 concurrent clients, 30 percent of them writes, without an error', async () => {
  const times = tier(800, 10_000);
  const file = storeFile();
  const sandbox = await openSandbox({ file, seed: { orders: tier(300, 1000) } });
  const statuses = await askAll(sandbox, 64, times, (number) => kinds[number % 10]?.(number));
  expect(totalOf(statuses)).toBe(times);
  expect([...statuses.keys()].sort()).toEqual([200, 201, 204]);
  expect(sandbox.requests).toHaveLength(times);
  expect(await damageIn(file)).toEqual([]);
});

test('applies every concurrent write to a subscription through two servers', async () => {
  const file = storeFile();
  const servers = [await openSandbox({ file }), await openSandbox({ file })] as const;
  const [one] = servers;
  const before = Number((await lineOf(one, 'LIMITED1')).futurePayments);
  const ran = await Promise.all(servers.map((server) => askAll(server, 32, 100, () => EXTEND)));
  expect(ran.map((statuses) => [...statuses])).toEqual([[[204, 100]], [[204, 100]]]);
  expect((await lineOf(one, 'LIMITED1')).futurePayments).toBe(String(before + 200));
});

test('runs commands and seeds in other processes beside a busy server without lock errors', async () => {
  const folder = emptyHome();
  const seed = 'sandbox seed --orders 300';
  expect(await runBeside(folder, seed)).toEqual([seed, 0]);
  const file = join(folder, '.local/share/clickbank-cli/sandbox.sqlite');
  const server = await startSandbox({ file });
  onTestFinished(() => server.close());
  let isOver = false;
  const busy = askAll(server, 16, Number.POSITIVE_INFINITY, (number) =>
    isOver ? undefined : kinds[number % 10]?.(number),
  );
  const lines = [
    'orders count --period last-12-months',
    'orders list --period last-12-months -o csv',
    'orders extend LIMITED1 --num-periods 1 --yes',
    'tickets comment 1003 --comment hello --yes',
  ];
  const ran = await Promise.all(lines.map((line) => runBeside(folder, `--sandbox ${line}`)));
  expect(ran).toEqual(lines.map((line) => [`--sandbox ${line}`, 0]));
  expect(await runBeside(folder, seed)).toEqual([seed, 0]);
  isOver = true;
  const statuses = await busy;
  // How many there are depends on the machine.
  expect(totalOf(statuses)).toBeGreaterThanOrEqual(16);
  expect([...statuses.keys()].filter((status) => status >= 300)).toEqual([]);
  expect(await damageIn(file)).toEqual([]);
});

/** The line and its exit code, with its output if that is not 0. */
async function runBeside(home: string, line: string): Promise<readonly unknown[]> {
  const { code, err } = await cb(line.split(' '), { home }).ended();
  return code === 0 ? [line, code] : [line, code, err];
}

/** Sends requests from concurrent clients, and counts the statuses. */
async function askAll(
  sandbox: Sandbox,
  clients: number,
  times: number,
  choose: (number: number) => string | undefined,
): Promise<ReadonlyMap<number, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  onTestFinished(() => agent.destroy());
  const statuses = new Map<number, number>();
  let asked = 0;
  const client = async () => {
    while (asked < times) {
      const sent = choose(asked);
      if (!sent) return;
      asked += 1;
      const [method = '', path] = sent.split(' ');
      const { status } = await ask(sandbox, method, `/rest/1.3/${path}`, {}, agent);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return statuses;
}

function totalOf(statuses: ReadonlyMap<number, number>): number {
  return [...statuses.values()].reduce((sum, count) => sum + count, 0);
}
