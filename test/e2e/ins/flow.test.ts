/** From the sandbox to the program of a vendor: what is lost on the way is found and made good, whatever is killed. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { addDays } from '../../../src/dates/day.ts';
import { pacificDay } from '../../../src/dates/pacific.ts';
import { cb, emptyHome } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { insEnv, insSecret, receiveForwards } from '../../support/ins-listener.ts';
import { tier } from '../../support/tier.ts';

interface Transaction {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
  readonly totalOrderAmount: number;
}

const transactionTypes = /^(?:TEST_)?(?:SALE|BILL|RFND|CGBK)$/;

/** Each transaction since a day, once. Orders and notifications write times differently. */
function distinct(rows: readonly Transaction[], since: string): readonly string[] {
  const dayOf = ({ transactionTime }: Transaction) =>
    transactionTime.replaceAll('-', '').slice(0, 8);
  const texts = rows
    .filter(({ transactionType }) => transactionTypes.test(transactionType))
    .filter((row) => dayOf(row) >= since.replaceAll('-', ''))
    .map((row) => `${row.transactionType} ${row.receipt} ${row.totalOrderAmount}`);
  return [...new Set(texts)].toSorted();
}

test('brings exactly the orders to a receiver that fails, with duplicates, losses, and kills of listener and sandbox', async () => {
  const folder = emptyHome();
  const user = home(folder);
  let isFailing = false;
  const receiver = await receiveForwards((reply) => reply.writeHead(isFailing ? 500 : 200).end());
  const run = async (line: string, code = 0) => {
    const env = { ...insEnv, XDG_DATA_HOME: join(folder, '.local/share') };
    const ran = await user.cb(line, { env, now: () => new Date() });
    expect({ line, ...ran }).toMatchObject({ line, code });
    return ran.out;
  };
  const listen = async (port: number) => {
    const args = ['--port', String(port), '--forward-to', receiver.url];
    const running = cb(['ins', 'listen', ...args], { home: folder, env: insEnv });
    const [, found = ''] = /127\.0\.0\.1:(\d+)/.exec(await running.until(/Press Ctrl-C/)) ?? [];
    return { running, port: Number(found) };
  };
  const valuesOf = async <T>(line: string, field: string): Promise<readonly T[]> =>
    JSON.parse(await run(`${line} -o json --fields ${field}`)).map(
      (row: Readonly<Record<string, T>>) => row[field],
    );

  await run('sandbox seed --orders 1500 --order-amounts customer');
  let listener = await listen(0);
  await run(`sandbox ins add http://127.0.0.1:${listener.port}/ins --secret ${insSecret}`);
  await run('sandbox ins faults duplicate=20%,reorder=20%');
  for (let round = 0; round < tier(2, 20); round += 1) {
    const target = receiver.bodies.length + 1 + ((round * 7) % 5);
    const advancing = cb(['sandbox', 'clock', 'advance', '12h'], { home: folder });
    let isOver = false;
    const over = advancing.ended().then(() => {
      isOver = true;
    });
    while (!isOver && receiver.bodies.length < target) await sleep(5);
    const victim = round % 2 === 0 ? advancing : listener.running;
    victim.child.kill('SIGKILL');
    await victim.ended();
    await over;
    if (victim !== advancing) listener = await listen(listener.port);
  }
  isFailing = true;
  await run('sandbox clock advance 1d');
  // While the listener is down, the first events of the day are lost, and the last ones are still to come.
  listener.running.child.kill('SIGKILL');
  await listener.running.ended();
  await run('sandbox clock advance 1d');
  isFailing = false;
  listener = await listen(listener.port);
  await run('sandbox ins faults off');
  await run('sandbox clock advance 2d');
  await run('ins resend --undelivered');

  const states = await valuesOf('sandbox ins log', 'state');
  expect(states).toContain('lost');
  expect(states).not.toContain('pending');
  expect(Math.max(...(await valuesOf<number>('ins list', 'copies')))).toBeGreaterThan(1);

  // Two days after the first event at most, so that it does not matter when a Pacific day ends.
  const since = addDays(pacificDay(Date.now() / 1000), 2);
  const period = `--start-date ${since} --end-date ${addDays(since, 30)}`;
  const found = JSON.parse(await run(`--sandbox ins reconcile ${period} -o json`, 8));
  const problems = found.map(({ problem }: { readonly problem: string }) => problem);
  expect(new Set(problems)).toEqual(new Set(['missing']));
  await run(`--sandbox ins reconcile ${period} --replay-missing`);
  const isWaiting = async () =>
    (await valuesOf('ins list', 'state')).some((state) => state !== 'delivered');
  while (await isWaiting()) await run('ins resend --undelivered');
  const orders = JSON.parse(await run(`--sandbox orders list ${period} --role VENDOR -o json`));
  const received = receiver.bodies.map((body) => JSON.parse(body));
  expect(distinct(received, since)).toEqual(distinct(orders, since));
  expect(distinct(orders, since).length).toBeGreaterThan(30);
  expect(await run(`--sandbox ins reconcile ${period} -o json`)).toBe('[]\n');
  listener.running.child.kill('SIGKILL');
  await listener.running.ended();
});
