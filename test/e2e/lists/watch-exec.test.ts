/** `cb orders watch --exec` runs a command for each new order. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cb, emptyHome, type Running, shortWaits } from '../../support/binary.ts';
import { jsonLines } from '../../support/lines.ts';
import { serve } from '../../support/server.ts';

interface Order {
  readonly receipt: string;
  readonly fullName?: string;
  readonly totalOrderAmount?: string;
}

/** A service with the orders of today. */
async function shop(...orders: readonly Order[]) {
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

/** Resolves when `check` returns true. */
async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise((done) => setTimeout(done, 10));
}

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

test('passes each order to the command as one JSON line, and prints the rows as before', async () => {
  const sold = [{ receipt: 'C' }, { receipt: 'B', totalOrderAmount: '11.90' }, { receipt: 'A' }];
  const at = await shop(...sold);
  const { code, out, err } = await at
    .watch('cat >> seen; echo from the command', ...limit(2), '--exec-max', '1')
    .ended();
  expect(code).toBe(0);
  expect(at.read('seen')).toBe(out);
  expect(jsonLines(out)).toMatchObject([
    { receipt: 'A' },
    { receipt: 'B', totalOrderAmount: 11.9 },
  ]);
  expect(err).toBe('from the command\nfrom the command\n');
});

test('runs nothing that stands in an order', async () => {
  const evil = '"; touch pwned; $(touch pwned) `touch pwned` \' \n touch pwned\n#';
  const at = await shop({ receipt: 'A', fullName: evil });
  const { code } = await at.watch('cat > seen', ...limit(1)).ended();
  expect(code).toBe(0);
  expect(JSON.parse(at.read('seen')).fullName).toBe(evil);
  expect(at.read('seen').trim().split('\n')).toHaveLength(1);
  expect(readdirSync(at.home)).not.toContain('pwned');
});

test('waits for a slow command, reports that it failed, runs the others, and ends with exit code 8', async () => {
  const at = await shop({ receipt: 'C' }, { receipt: 'B' }, { receipt: 'A' });
  const command = 'case "$(cat)" in *A*) sleep 1; exit 3;; *B*) kill -9 $$;; *) touch done;; esac';
  const { code, err } = await at.watch(command, ...limit(3)).ended();
  expect(code).toBe(8);
  expect(err.trim().split('\n').toSorted()).toEqual([
    'warning: The command for A failed with exit code 3.',
    'warning: The command for B was ended by SIGKILL.',
  ]);
  expect(at.has('done')).toBe(true);
});

test('reports a program that does not exist, and does not stop if a command ignores its input', async () => {
  const at = await shop({ receipt: 'A', fullName: 'x'.repeat(300_000) });
  const { code, err } = await at.watch('no-such-program-here', ...limit(1)).ended();
  expect(code).toBe(8);
  expect(err).toContain('warning: The command for A failed with exit code 127');
  const { code: other } = await at.watch('exit 0', ...limit(1)).ended();
  expect(other).toBe(0);
});

test('hides the API key from the command', async () => {
  const at = await shop({ receipt: 'A' });
  await at.watch('echo "key=$CB_API_KEY url=$CB_BASE_URL" > seen', ...limit(1)).ended();
  expect(at.read('seen')).toMatch(/^key= url=http/);
});

const sixOrders = Array.from({ length: 6 }, (_, i) => ({ receipt: `R${6 - i}` }));

const receiptsIn = (rows: string): string[] => jsonLines(rows).map(({ receipt }) => receipt);

test('runs at most as many commands at the same time as --exec-max says', async () => {
  const at = await shop(...sixOrders);
  // Each command counts those that run with it, and waits until the first two have been seen together.
  // Which of two commands writes first is up to the system.
  const command =
    'read row; mkdir -p run; touch run/$$; ls run | wc -l >> counts; echo "$row" >> order; while [ ! -e go ]; do sleep 0.05; done; rm run/$$';
  const running = at.watch(command, ...limit(6), '--exec-max', '2');
  await until(() => at.has('order') && at.read('order').trim().split('\n').length === 2);
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
  const at = await shop({ receipt: 'B' }, { receipt: 'A' });
  const command = 'touch started; while [ ! -e go ]; do sleep 0.05; done; touch done';
  const running = at.watch(command, '--exec-max', '1');
  await until(() => at.has('started'));
  running.child.kill('SIGINT');
  // Otherwise the command could end, and the next one start, before cb gets the signal.
  await running.until(/Waiting up to/);
  writeFileSync(join(at.home, 'go'), '');
  const { code, err } = await running.ended();
  expect(code).toBe(130);
  expect(at.has('done')).toBe(true);
  expect(err).toContain('warning: The command was not run for B.');
});

test.each([['SIGINT'], ['SIGTERM']] as const)(
  'leaves no process behind after %s, even if a command and its programs ignore signals',
  async (signal) => {
    const at = await shop({ receipt: 'A' });
    Object.assign(at.env, shortWaits(20));
    const stubborn = `trap '' INT TERM HUP; (trap '' INT TERM HUP; echo $BASHPID > inner; touch ready; while :; do sleep 0.1; done) & echo $$ > outer; wait; while :; do sleep 0.1; done`;
    const running = at.watch(`exec bash -c ${JSON.stringify(stubborn).replaceAll('$', '\\$')}`);
    await until(() => at.has('ready') && at.has('outer') && at.read('inner').trim() !== '');
    const pids = [at.read('inner'), at.read('outer')].map((text) => text.trim());
    expect(pids.map(isRunning)).toEqual([true, true]);
    running.child.kill(signal);
    const { code } = await running.ended();
    expect(code).toBe(signal === 'SIGINT' ? 130 : 143);
    await until(() => !pids.some(isRunning));
  },
);

test('ends the commands at once if Ctrl-C is pressed twice', async () => {
  const at = await shop({ receipt: 'A' });
  const running = at.watch('echo $$ > pid; while :; do sleep 0.1; done');
  await until(() => at.has('pid') && at.read('pid').trim() !== '');
  running.child.kill('SIGINT');
  await running.until(/Press Ctrl-C again/);
  running.child.kill('SIGINT');
  expect((await running.ended()).code).toBe(130);
  await until(() => !isRunning(at.read('pid').trim()));
});
