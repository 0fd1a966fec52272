/** `cb orders watch` prints each new order once, misses none, and runs a command for each. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/client/clock.ts';
import { cb, emptyHome, type Running, shortWaits } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { servedHome } from '../../support/served-home.ts';
import { serve } from '../../support/server.ts';
import { fastClock, until } from '../../support/virtual-clock.ts';

/** `--every 1` checks every 20 ms. */
const clock = fastClock(50);

/** A service that lists the latest orders first, 100 on a page. */
async function shop(before: number) {
  const receipts = Array.from({ length: before }, (_, i) => `OLD${i}`);
  const looks: string[] = [];
  const state = { refuse: 0 };
  const server = await serve((reply, _, { headers }) => {
    if (state.refuse) return void reply.writeHead(state.refuse).end('Sorry');
    looks.push(String(headers.page));
    const from = (Number(headers.page) - 1) * 100;
    const rows = receipts.slice(from, from + 100).map((receipt) => ({ receipt }));
    const more = from + 100 < receipts.length;
    reply.writeHead(more ? 206 : 200).end(JSON.stringify({ orderData: rows }));
  });
  return {
    looks,
    state,
    asked: server.asked,
    options: { env: server.env, clock },
    /** Adds orders, of which the last one is the latest. */
    sell: (...names: string[]) => void receipts.unshift(...names.toReversed()),
    /** Adds an order at the end of the list. */
    slipIn: (name: string) => void receipts.push(name),
  };
}

const watch = 'orders watch --every 1 -o ndjson --fields receipt';

const receiptsIn = (out: string) => jsonLines(out).map(({ receipt }) => receipt);

test('prints new orders once, oldest first, however many pages they take', async () => {
  const at = await shop(150);
  const ran = home().cb(`${watch} --limit 122`, at.options);
  await until(() => at.looks.length >= 2);
  const first = Array.from({ length: 120 }, (_, i) => `NEW${i}`);
  at.sell(...first);
  await until(() => at.looks.length >= 4);
  at.sell('LAST1', 'LAST2');
  const { code, out, err } = await ran;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(receiptsIn(out)).toEqual([...first, 'LAST1', 'LAST2']);
});

test('waits for the time of --every before each check', async () => {
  const at = await shop(1);
  const waits: number[] = [];
  const counting: Clock = {
    ...clock,
    sleep(milliseconds, signal) {
      if (milliseconds === 7000) waits.push(at.looks.length);
      return clock.sleep(milliseconds, signal);
    },
  };
  const options = { ...at.options, clock: counting };
  const ran = home().cb(`${watch.replace('1', '7')} --limit 1`, options);
  await until(() => at.looks.length >= 3);
  at.sell('A');
  expect((await ran).code).toBe(0);
  expect(waits).toEqual(at.looks.map((_, i) => i + 1).slice(0, -1));
});

test('sends one request for the days of the last hour, but every tenth check reads all pages, and so finds an order far down the list', async () => {
  const at = await shop(250);
  const ran = home().cb(`${watch} --type SALE --limit 2`, at.options);
  await until(() => at.looks.length === 3);
  at.slipIn('LATE');
  // Three pages at first, nine single ones, and three again.
  await until(() => at.looks.length >= 15);
  at.sell('LAST');
  expect(receiptsIn((await ran).out)).toEqual(['LATE', 'LAST']);
  expect(at.looks.slice(0, 5)).toEqual(['1', '2', '3', '1', '1']);
  const urls = at.asked.map(({ url }) => url);
  expect(new Set(urls)).toEqual(
    new Set(['/rest/1.3/orders2/list?startDate=2026-03-18&endDate=2026-03-18&type=SALE']),
  );
});

test('reports a temporary failure of the service once, and loses no order', async () => {
  const at = await shop(3);
  const ran = home().cb(`${watch} --limit 1 --max-wait 0`, at.options);
  await until(() => at.looks.length >= 1);
  at.state.refuse = 503;
  at.sell('MEANWHILE');
  const before = at.asked.length;
  await until(() => at.asked.length >= before + 2);
  at.state.refuse = 0;
  const { code, out, err } = await ran;
  expect({ code, receipts: receiptsIn(out) }).toEqual({ code: 0, receipts: ['MEANWHILE'] });
  expect(linesOf(err)).toEqual([
    expect.stringMatching(/warning: Can't check for new orders; retrying\. .*503/),
    'ClickBank is responding again.',
  ]);
});

test('ends with exit code 3 if the key is revoked', async () => {
  const at = await shop(3);
  const ran = home().cb(`${watch} --max-wait 0`, at.options);
  await until(() => at.looks.length >= 1);
  at.state.refuse = 401;
  expect((await ran).code).toBe(3);
});

test('begins with the orders of the day with --today, and ends with exit code 130 after whole lines on Ctrl-C', async () => {
  const at = await shop(2);
  const stop = new AbortController();
  const ran = home().cb(`${watch} --today`, { ...at.options, signal: stop.signal });
  await until(() => at.looks.length >= 2);
  stop.abort();
  const { code, out } = await ran;
  expect({ code, receipts: receiptsIn(out) }).toEqual({ code: 130, receipts: ['OLD1', 'OLD0'] });
});

test('shows the columns of a list of orders, with what you earn', async () => {
  const row = {
    ...{ receipt: 'AAAA1111', transactionType: 'SALE', totalOrderAmount: '37.00', currency: 'EUR' },
    lineItemData: [{ productTitle: 'Garden Club', accountAmount: '16.61' }],
  };
  const { cb } = await servedHome((reply) => reply.end(JSON.stringify({ orderData: [row] })));
  const line = 'orders watch --today --every 1 --limit 1 --no-color';
  const { out } = await cb(line, { columns: 80, clock });
  expect(out).toMatch(/Receipt +Type +Product +Customer paid +You earn/);
  expect(out).toMatch(/AAAA1111 +SALE +Garden Club +37\.00 EUR +16\.61\n/);
});

interface Order {
  readonly receipt: string;
  readonly fullName?: string;
  readonly totalOrderAmount?: string;
}

/** A service with the orders of today. */
async function watchedShop(...orders: readonly Order[]) {
  const served = await serve((reply) => reply.end(JSON.stringify({ orderData: orders })));
  const env: Record<string, string> = { ...served.env };
  const home = emptyHome();
  return {
    home,
    env,
    /** Watches the orders of today, and runs the command for each. */
    watch: (command: string, ...more: readonly string[]): Running =>
      cb(['orders', 'watch', '--today', '-o', 'ndjson', '--exec', command, ...more], { home, env }),
    read: (name: string) => readFileSync(join(home, name), 'utf8'),
    has: (name: string) => existsSync(join(home, name)),
  };
}

const limit = (count: number) => ['--limit', String(count)];

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

test('passes each order to the command as one JSON line, and prints the rows as before', async () => {
  const sold = [{ receipt: 'C' }, { receipt: 'B', totalOrderAmount: '11.90' }, { receipt: 'A' }];
  const at = await watchedShop(...sold);
  const running = at.watch('cat >> seen; echo said', ...limit(2), '--exec-max', '1');
  const { code, out, err } = await running.ended();
  expect({ code, err }).toEqual({ code: 0, err: 'said\nsaid\n' });
  expect(at.read('seen')).toBe(out);
  const [first, second] = jsonLines(out);
  expect([first, second]).toMatchObject([{ receipt: 'A' }, { totalOrderAmount: 11.9 }]);
});

test('runs no text of an order as a command, and hides the API key from the command', async () => {
  const evil = '"; touch pwned; $(touch pwned) `touch pwned` \' \n touch pwned\n#';
  const at = await watchedShop({ receipt: 'A', fullName: evil });
  const command = 'cat > seen; echo "key=$CB_API_KEY url=$CB_BASE_URL" > env';
  expect((await at.watch(command, ...limit(1)).ended()).code).toBe(0);
  expect(jsonLines(at.read('seen')).map(({ fullName }) => fullName)).toEqual([evil]);
  expect(readdirSync(at.home)).not.toContain('pwned');
  expect(at.read('env')).toMatch(/^key= url=http/);
});

test('waits for a slow command, reports that it failed, runs the others, and ends with exit code 8', async () => {
  const at = await watchedShop({ receipt: 'C' }, { receipt: 'B' }, { receipt: 'A' });
  const command = 'case "$(cat)" in *A*) sleep 1; exit 3;; *B*) kill -9 $$;; *) touch done;; esac';
  const { code, err } = await at.watch(command, ...limit(3)).ended();
  expect(code).toBe(8);
  expect(linesOf(err).toSorted()).toEqual([
    'warning: The command for A failed with exit code 3.',
    'warning: The command for B was ended by SIGKILL.',
  ]);
  expect(at.has('done')).toBe(true);
});

test('reports a program that does not exist, and does not stop if a command ignores its input', async () => {
  const at = await watchedShop({ receipt: 'A', fullName: 'x'.repeat(300_000) });
  const ran = await at.watch('no-such-program-here', ...limit(1)).ended();
  expectExit(ran, 8, 'warning: The command for A failed with exit code 127');
  expect((await at.watch('exit 0', ...limit(1)).ended()).code).toBe(0);
});

const sixOrders = Array.from({ length: 6 }, (_, i) => ({ receipt: `R${6 - i}` }));

test('runs at most as many commands at the same time as --exec-max says', async () => {
  const at = await watchedShop(...sixOrders);
  // Each command counts those that run with it, and waits until the first two have been seen together.
  // Which of two commands writes first is up to the system.
  const command =
    'read row; mkdir -p run; touch run/$$; ls run | wc -l >> counts; echo "$row" >> order; while [ ! -e go ]; do sleep 0.05; done; rm run/$$';
  const running = at.watch(command, ...limit(6), '--exec-max', '2');
  await until(() => at.has('order') && linesOf(at.read('order')).length === 2);
  await until(() => readdirSync(join(at.home, 'run')).length === 2);
  writeFileSync(join(at.home, 'go'), '');
  expect(await running.ended()).toMatchObject({ code: 0, err: '' });
  const counts = at.read('counts').trim().split(/\s+/).map(Number);
  expect(counts).toHaveLength(6);
  expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  const order = receiptsIn(at.read('order'));
  expect(order.slice(0, 2).toSorted()).toEqual(['R1', 'R2']);
  expect(order.toSorted()).toEqual(['R1', 'R2', 'R3', 'R4', 'R5', 'R6']);
});

test('lets a running command finish on Ctrl-C, and names the orders that waited', async () => {
  const at = await watchedShop({ receipt: 'B' }, { receipt: 'A' });
  const command = 'touch started; while [ ! -e go ]; do sleep 0.05; done; touch done';
  const running = at.watch(command, '--exec-max', '1');
  await until(() => at.has('started'));
  running.child.kill('SIGINT');
  // Otherwise the command could end, and the next one start, before cb gets the signal.
  await running.until(/Waiting up to 5 seconds for the running command\./);
  writeFileSync(join(at.home, 'go'), '');
  expectExit(await running.ended(), 130, 'warning: The command was not run for B.');
  expect(at.has('done')).toBe(true);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('leaves no process after %s, even one that ignores it', async (signal, expected) => {
  const at = await watchedShop({ receipt: 'A' });
  Object.assign(at.env, shortWaits(20));
  const stubborn = `trap '' INT TERM HUP; (trap '' INT TERM HUP; echo $BASHPID > inner; touch ready; while :; do sleep 0.1; done) & echo $$ > outer; wait; while :; do sleep 0.1; done`;
  const running = at.watch(`exec bash -c ${JSON.stringify(stubborn).replaceAll('$', '\\$')}`);
  // A file exists before its text is written.
  const pids = () => ['inner', 'outer'].map((name) => (at.has(name) ? at.read(name).trim() : ''));
  await until(() => at.has('ready') && !pids().includes(''));
  expect(pids().map(isRunning)).toEqual([true, true]);
  running.child.kill(signal);
  expect((await running.ended()).code).toBe(expected);
  await until(() => !pids().some(isRunning));
});

test('ends the commands at once if Ctrl-C is pressed twice', async () => {
  const at = await watchedShop({ receipt: 'B' }, { receipt: 'A' });
  const running = at.watch('echo $$ >> pids; while :; do sleep 0.1; done');
  const pids = () => (at.has('pids') ? at.read('pids').trim().split('\n') : []);
  await until(() => pids().length === 2);
  running.child.kill('SIGINT');
  await running.until(/for 2 running commands\. Press Ctrl-C again/);
  running.child.kill('SIGINT');
  expect((await running.ended()).code).toBe(130);
  await until(() => !pids().some(isRunning));
});
