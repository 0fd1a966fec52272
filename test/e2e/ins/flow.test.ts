/** From the sandbox to the program of a vendor: what is lost on the way is found and made good. */
import { expect, test } from 'vitest';
import { cb } from '../../support/binary.ts';
import { sandboxHome } from '../../support/cb.ts';
import { insEnv, insSecret, receiveForwards } from '../../support/ins-listener.ts';
import { sandboxJson } from '../../support/sandbox.ts';

interface Transaction {
  readonly receipt: string;
  readonly transactionType: string;
  readonly totalOrderAmount: number;
  readonly currency: string;
}

const transactionTypes = /^(?:TEST_)?(?:SALE|BILL|RFND|CGBK)$/;

/** Each transaction once, in the form in which two lists are compared. Orders in other currencies may be in US dollars. */
function distinct(rows: readonly Transaction[]): readonly string[] {
  const texts = rows
    .filter(({ transactionType }) => transactionTypes.test(transactionType))
    .map(({ transactionType, receipt, totalOrderAmount: paid, currency }) =>
      [transactionType, receipt, currency, currency === 'USD' ? paid : ''].join(' '),
    );
  return [...new Set(texts)].toSorted();
}

test('brings exactly the orders to a receiver that fails, with duplicates, losses and kills', async () => {
  const shop = await sandboxHome(5000);
  let isFailing = true;
  const receiver = await receiveForwards((reply) => reply.writeHead(isFailing ? 500 : 200).end());
  const listen = async (port: number) => {
    const args = ['--port', String(port), '--forward-to', receiver.url];
    const running = cb(['ins', 'listen', ...args], { home: shop.folder, env: insEnv });
    const [, found = ''] = /127\.0\.0\.1:(\d+)/.exec(await running.until(/Press Ctrl-C/)) ?? [];
    return { running, port: Number(found) };
  };
  const kill = async ({ running }: Awaited<ReturnType<typeof listen>>) => {
    running.child.kill('SIGKILL');
    await running.ended();
  };
  const done = async (line: string) => {
    const ran = await shop.cb(line, { env: insEnv });
    expect({ line, ...ran }).toMatchObject({ line, code: 0 });
  };

  const first = await listen(0);
  await done(`sandbox ins add http://127.0.0.1:${first.port}/ins --secret ${insSecret}`);
  await done('sandbox ins faults duplicate=20%,reorder=20%');
  await done('sandbox clock advance 12h');
  await kill(first);

  // While the listener is down, the first events of the day are lost, and the last ones are still to come.
  await done('sandbox clock advance 1d');
  for (let round = 0; round < 3; round += 1) {
    const again = await listen(first.port);
    await done('sandbox clock advance 4h');
    await kill(again);
  }
  isFailing = false;
  const last = await listen(first.port);
  await done('sandbox ins faults off');
  await done('sandbox clock advance 2d');
  await done('ins resend --failed');

  const log: readonly { state: string }[] = JSON.parse(
    (await shop.cb('sandbox ins log -o json --fields state')).out,
  );
  expect(log.filter(({ state }) => state === 'lost').length).toBeGreaterThan(0);
  expect(log.filter(({ state }) => state === 'pending')).toEqual([]);
  const { out: counted } = await shop.cb('ins list -o json --fields copies');
  expect(Math.max(...JSON.parse(counted).map(({ copies }: { copies: number }) => copies))).toBe(2);

  const period = '--start-date 2026-03-18 --end-date 2026-03-22';
  const found = await shop.cb(`--sandbox ins reconcile ${period} -o json`);
  expect(found.code).toBe(8);
  const problems = JSON.parse(found.out).map(({ problem }: { problem: string }) => problem);
  expect(new Set(problems)).toEqual(new Set(['missing']));
  await done(`--sandbox ins reconcile ${period} --replay-missing`);
  const orders = await sandboxJson(shop, `orders list ${period} --role VENDOR`);
  const waiting = async () => {
    const { out } = await shop.cb('ins list -o json --fields state');
    return JSON.parse(out).filter(({ state }: { state: string }) => state !== 'delivered').length;
  };
  while ((await waiting()) > 0) await done('ins resend --failed');
  await kill(last);

  const received: readonly Transaction[] = receiver.bodies.map((body) => JSON.parse(body));
  expect(distinct(received)).toEqual(distinct(orders));
  expect(distinct(orders).length).toBeGreaterThan(100);
  const again = await shop.cb(`--sandbox ins reconcile ${period}`);
  expect(again).toMatchObject({ code: 0, err: expect.stringContaining('No differences.') });
});
