/** `cb ins listen` as users run it: it loses nothing that it accepted; what is lost on the way to it is found and made good. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { addDays, pacificDay } from '../../../src/dates/day.ts';
import { encryptNotification } from '../../../src/features/ins/notification.ts';
import { run } from '../../../src/run.ts';
import { cb, emptyHome, type Running } from '../../support/binary.ts';
import { home, sandboxHome, home as user, world } from '../../support/cb.ts';
import { changeCopy, copyOf, rowsOf, syncedHome } from '../../support/copy.ts';
import {
  insEnv,
  insSecret,
  post,
  receiveForwards,
  saleBody,
  startedPort,
} from '../../support/ins-listener.ts';
import { jsonLines } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';
import { isLong, tier } from '../../support/tier.ts';

async function listen(
  args: readonly string[],
  home = emptyHome(),
  env: Readonly<Record<string, string>> = insEnv,
  at = 0,
) {
  const running = cb(['ins', 'listen', '--port', String(at), ...args], { home, env });
  return { running, home, port: await startedPort(running.until) };
}

/** In this process. */
async function listenHere(
  args: readonly string[],
  folder = emptyHome(),
  env: Readonly<Record<string, string>> = insEnv,
) {
  const stopping = new AbortController();
  const { context, stdout, stderr } = world(folder, { env, signal: stopping.signal });
  const ended = run(['ins', 'listen', '--port', '0', ...args], context);
  const until = async (pattern: RegExp) => {
    while (!pattern.test(stderr.text)) await sleep(5);
    return stderr.text;
  };
  const port = await startedPort(until);
  const end = async () => {
    stopping.abort();
    return { code: await ended, out: stdout.text, err: stderr.text };
  };
  return { home: folder, port, until, end };
}

async function stop({ child, ended }: Running) {
  child.kill('SIGINT');
  return ended();
}

async function journalRows(folder: string, options = '') {
  const env = { XDG_DATA_HOME: join(folder, '.local/share') };
  const { code, out, err } = await user().cb(`ins list -o json ${options}`, { env });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

test('prints a line for each event, forwards the decrypted JSON, and ends with 130', async () => {
  const receiver = await receiveForwards();
  const { home, port, end } = await listenHere(['--forward-to', receiver.url, '-o', 'ndjson']);
  expect(await post(port, saleBody('FIRST001'))).toBe(200);
  await receiver.until(1);
  const event = '{"transactionTiXe":"x","transactionType":"SALE","receipt":"NOTIME01"}';
  const altered = encryptNotification(event, insSecret);
  for (const _ of ['original', 'duplicate']) expect(await post(port, altered)).toBe(200);
  await receiver.until(2);
  const { code, out, err } = await end();
  expect(code).toBe(130);
  const lines = jsonLines(out);
  expect(lines[0]).toMatchObject({ id: 1, receipt: 'FIRST001', isDuplicate: false });
  expect(lines[0].event).toEqual(JSON.parse(receiver.bodies[0] ?? ''));
  expect(receiver.receipts()).toEqual(['FIRST001', 'NOTIME01']);
  expect(err.match(/warning: .*/g)).toEqual([
    'warning: Event 2 (SALE NOTIME01) has no readable transactionTime. It may be an altered copy of a notification; compare it with the order.',
  ]);
  expect(out + err).not.toContain(insSecret);
  const journal = join(home, '.local/share/clickbank-cli/notifications.sqlite');
  expect(statSync(journal).mode & 0o777).toBe(0o600);
  expect(readFileSync(journal, 'latin1')).not.toContain(insSecret);
});

test('forwards the body as received, and an exact duplicate only with --duplicates', async () => {
  const receiver = await receiveForwards();
  const to = ['--forward-to', receiver.url, '--forward', 'as-received'];
  const home = emptyHome();
  const [body, other] = [saleBody('DOUBLE01'), saleBody('OTHER001')];
  const first = await listenHere(to, home);
  for (const one of [body, body, other]) await post(first.port, one);
  await receiver.until(2);
  await first.end();
  const second = await listenHere([...to, '--duplicates', '--limit', '1'], home);
  await post(second.port, body);
  await receiver.until(3);
  expect((await second.end()).code).toBe(0);
  expect(receiver.bodies.toSorted()).toEqual([body, body, other].toSorted());
});

test('answers while the receiver hangs, and forwards the events after a restart', async () => {
  const hanging = await receiveForwards(() => undefined);
  const { running, home, port } = await listen(['--forward-to', hanging.url]);
  const receipts = Array.from({ length: 20 }, (_, index) => `HANG${1000 + index}`);
  for (const receipt of receipts) expect(await post(port, saleBody(receipt))).toBe(200);
  running.child.kill('SIGKILL');
  await running.ended();
  const receiver = await receiveForwards();
  const again = await listen(['--forward-to', receiver.url], home);
  expect(await again.running.until(/earlier events/)).toContain('pending: 20.');
  await receiver.until(20);
  await stop(again.running);
  expect(receiver.receipts().toSorted()).toEqual(receipts);
});

test('runs a command for each event, with the JSON on its standard input', async () => {
  const line = 'cat >> events.ndjson; test -z "$CB_INS_SECRET" && echo run >> runs';
  const { running, home, port } = await listen(['--exec', line]);
  await post(port, saleBody('EXEC0001'));
  await post(port, saleBody('EXEC0002'));
  while ((await journalRows(home)).some(({ state }: { state: string }) => state !== 'delivered')) {
    await sleep(20);
  }
  await stop(running);
  const events = jsonLines(readFileSync(join(home, 'events.ndjson'), 'utf8'));
  const receipts = events.map(({ receipt }) => receipt);
  expect(receipts.toSorted()).toEqual(['EXEC0001', 'EXEC0002']);
  expect(readFileSync(join(home, 'runs'), 'utf8')).toBe('run\nrun\n');
});

test.skipIf(!isLong)('kills a command that keeps running after SIGTERM when it stops', async () => {
  const line = 'trap "" TERM; touch begun; while :; do sleep 1; done';
  const { running, home, port } = await listen(['--exec', line]);
  await post(port, saleBody('STUCK001'));
  while (!existsSync(join(home, 'begun'))) await sleep(20);
  expect((await stop(running)).code).toBe(130);
});

test('finds the secrets of both receivers of the sandbox without options', async () => {
  const { folder, cb: line } = await sandboxHome();
  const secrets = ['SANDBOXKEY1', 'SANDBOXKEY2'];
  for (const [at, secret] of secrets.entries()) {
    await line(`sandbox ins add http://127.0.0.1:424${at} --secret ${secret}`);
  }
  const { port, end } = await listenHere(['--sandbox', '-o', 'ndjson'], folder, {});
  for (const secret of secrets) expect(await post(port, saleBody(secret, secret))).toBe(200);
  expect(await post(port, saleBody('FORGED01', 'OTHERKEY1'))).toBe(400);
  const { out } = await end();
  expect(jsonLines(out).map(({ receipt }) => receipt)).toEqual(secrets);
});

test('copies an event into the account of its key, even if another account has its nickname', async () => {
  const at = await syncedHome('--profile sandbox:vendor sync --since 2026-03-01 --tables orders');
  const alpha = `'ALPHA', '["ALPHA", "GREENLEAF"]', first_day, ended`;
  await changeCopy(at, `INSERT INTO sync_accounts SELECT ${alpha} FROM sync_accounts`);
  const { port, end } = await listenHere(['--sync', '--profile', 'sandbox:vendor'], at.folder);
  await post(port, saleBody('DIGITAL1'));
  const runs = "SELECT account FROM sync_runs WHERE run_id LIKE 'events %'";
  while ((await rowsOf(copyOf(at), runs)).length === 0) await sleep(20);
  expect(await rowsOf(copyOf(at), runs)).toEqual([{ account: 'GREENLEAF' }]);
  await end();
});

test('warns when an event does not reach the receiver, and keeps the result', async () => {
  const receiver = await receiveForwards((reply) => reply.writeHead(500).end());
  const { home, port, until, end } = await listenHere(['--forward-to', receiver.url]);
  await post(port, saleBody('FAILS001'));
  const text = await until(/did not reach/);
  expect(text).toMatch(/Event 1 \(SALE FAILS001\) did not reach 127\.0\.0\.1:\d+: HTTP 500/);
  const retrying = { id: 1, state: 'retrying', result: 'HTTP 500' };
  expect(await journalRows(home, '--undelivered')).toMatchObject([retrying]);
  expect(await journalRows(home, '--failed')).toEqual([]);
  await end();
});

test('refuses a second listener, and a port that is in use', async () => {
  const { running, home, port } = await listen([]);
  const second = cb(['ins', 'listen'], { home, env: insEnv });
  expectExit(await second.ended(), 2, 'Another cb process');
  const other = cb(['ins', 'listen', '--port', String(port)], { env: insEnv });
  expectExit(await other.ended(), 6, `Port ${port} is already in use.`);
  await stop(running);
});

test.skipIf(noSmallDisk)(
  'accepts nothing on a full disk, and continues when there is room',
  async () => {
    const home = emptyHome();
    const disk = smallDisk(home, '512k');
    const env = { ...insEnv, XDG_DATA_HOME: disk.folder };
    const { running, port } = await listen([], home, env);
    const accepted: string[] = [];
    let status = 200;
    for (let number = 0; status === 200 && number < 1000; number += 1) {
      status = await post(port, saleBody(`FILL${number}`));
      if (status === 200) accepted.push(`FILL${number}`);
    }
    expect(status).toBe(503);
    await running.until(/can't be journaled[\s\S]*ClickBank is told to send it again/);
    disk.grow();
    expect(await post(port, saleBody('AFTER001'))).toBe(200);
    await stop(running);
    const { out } = await user().cb('ins list -o tsv --no-header --fields receipt', { env });
    expect(out.trim().split('\n')).toEqual(['AFTER001', ...accepted.toReversed()]);
  },
);

test('loses no accepted event when it is killed again and again under load', async () => {
  const receiver = await receiveForwards();
  const home = emptyHome();
  const accepted: string[] = [];
  for (let round = 0; round < tier(1, 20); round += 1) {
    const { running, port } = await listen(['--forward-to', receiver.url], home);
    let isAlive = true;
    const send = async (sender: number) => {
      for (let number = 0; isAlive; number += 1) {
        const receipt = `R${round}S${sender}N${number}`;
        if ((await post(port, saleBody(receipt))) === 200) accepted.push(receipt);
      }
    };
    const senders = Promise.all([0, 1, 2, 3].map(send));
    const target = accepted.length + 5 + ((round * 7919) % 23);
    while (accepted.length < target) await sleep(1);
    await sleep((round * 7) % 20);
    running.child.kill('SIGKILL');
    await running.ended();
    isAlive = false;
    await senders;
  }
  const { running } = await listen(['--forward-to', receiver.url], home);
  const missing = () => {
    const received = new Set(receiver.receipts());
    return accepted.filter((receipt) => !received.has(receipt));
  };
  await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 200_000, interval: 50 });
  await stop(running);
});

interface Transaction {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
  readonly totalOrderAmount: number;
}

const transactionTypes = /^(?:TEST_)?(?:SALE|BILL|RFND|CGBK|INSF)$/;

/** Each transaction since a day, once. Orders and notifications write times differently. */
function distinct(rows: readonly Transaction[], since: string): readonly string[] {
  const dayOf = ({ transactionTime }: Transaction) =>
    transactionTime.replaceAll('-', '').slice(0, 8);
  const texts = rows
    .filter(({ transactionType }) => transactionTypes.test(transactionType))
    .filter((row) => dayOf(row) >= since.replaceAll('-', ''))
    // The list of orders shows a returned electronic check as a chargeback.
    .map(({ transactionType, receipt, totalOrderAmount }) =>
      [transactionType.replace('INSF', 'CGBK'), receipt, totalOrderAmount].join(' '),
    );
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
  const listenAt = (port?: number) => listen(['--forward-to', receiver.url], folder, insEnv, port);
  const valuesOf = async <T>(line: string, field: string): Promise<readonly T[]> =>
    JSON.parse(await run(`${line} -o json --fields ${field}`)).map(
      (row: Readonly<Record<string, T>>) => row[field],
    );

  await run('sandbox seed --orders 1500 --order-amounts customer');
  let listener = await listenAt();
  await run(`sandbox ins add http://127.0.0.1:${listener.port}/ins --secret ${insSecret}`);
  await run('sandbox ins faults duplicate=20%,reorder=20%');
  for (let round = 0; round < tier(2, 20); round += 1) {
    const target = receiver.bodies.length + 1 + ((round * 7) % 5);
    const advancing = cb(['sandbox', 'clock', 'advance', '12h'], { home: folder });
    const over = advancing.ended();
    const isOver = () => advancing.child.exitCode !== null;
    while (!isOver() && receiver.bodies.length < target) await sleep(5);
    const victim = round % 2 === 0 ? advancing : listener.running;
    victim.child.kill('SIGKILL');
    await victim.ended();
    await over;
    if (victim !== advancing) listener = await listenAt(listener.port);
  }
  isFailing = true;
  await run('sandbox clock advance 1d');
  // While the listener is down, events older than 16 hours are lost, and the last ones are still to come.
  listener.running.child.kill('SIGKILL');
  await listener.running.ended();
  await run('sandbox clock advance 2d');
  isFailing = false;
  listener = await listenAt(listener.port);
  await run('sandbox ins faults off');
  await run('sandbox clock advance 2d');
  await run('ins resend --undelivered');

  const states = await valuesOf('sandbox ins log', 'state');
  expect(states).toContain('lost');
  expect(states).not.toContain('pending');
  expect(Math.max(...(await valuesOf<number>('ins list', 'copies')))).toBeGreaterThan(1);

  // The first whole day with events begins before the lost ones, at whatever hour this is.
  const since = addDays(pacificDay(Date.now() / 1000), 1);
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
