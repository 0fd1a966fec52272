/** Signals that end the built program: exit codes, whole lines, outcomes of writes, and a restored terminal. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binary, cb, emptyHome } from '../../support/binary.ts';
import { canceledOrder } from '../../support/broken-servers.ts';
import { onTerminal as startOnTerminal } from '../../support/pty.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

const signals = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Answers the first page and reads of one order; the next page and writes never get a response. */
function slowService() {
  return serve((reply, _, { method, headers }) => {
    if (method === 'GET' && Number(headers.page ?? 1) === 1)
      reply.writeHead(206).end(canceledOrder);
  });
}

type Env = Readonly<Record<string, string>>;

/** Sends a signal to `cb <line> --debug` when its output matches `at`. */
async function interrupted(line: string, env: Env, at: RegExp, signal: NodeJS.Signals) {
  const running = cb([...line.split(' '), '--debug'], { env });
  await running.until(at);
  running.child.kill(signal);
  return { ...(await running.ended()), home: running.home };
}

test.each([
  ...signals.map((one) => ['-o ndjson', /^\{.*\}\n$/, ...one] as const),
  ['--out x.csv', /^$/, ...signals[0]],
  ['--out x.xml', /^$/, ...signals[1]],
  ['--query=@ --out=x.json', /^$/, ...signals[2]],
] as const)(
  'ends a list with %s after whole lines (%s) on %s, with exit code %i and no file',
  async (...given) => {
    const [flags, printed, signal, code] = given;
    const { env } = await slowService();
    const line = `orders list --period today ${flags}`;
    const ran = await interrupted(line, env, /> GET .* page 2/, signal);
    expectExit(ran, code, /cb: Interrupted\. $/, expect.stringMatching(printed));
    expect(readdirSync(ran.home).filter((name) => name.includes('x.'))).toEqual([]);
  },
);

test.each([
  ['tsv', ...signals[0]],
  ['json', ...signals[2]],
] as const)(
  'reports a write that waits for its response (%s) on %s with exit code %i as unknown',
  async (format, signal, code) => {
    const { env, asked } = await slowService();
    const line = `orders reinstate A1 --yes -o ${format}`;
    const ran = await interrupted(line, env, /> POST/, signal);
    expectExit(ran, code, /outcome is unknown.*before you run it again/, '');
    if (format === 'json') expect(ran.err).toContain(`{"code":${code},`);
    expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
  },
);

test('reports the outcome of each of several writes', async () => {
  const { asked, env } = await serve((reply, _, { method, url }) => {
    if (method !== 'PUT')
      reply.end('{"ticketData":{"ticketid":"1","type":"TECH_SUPPORT","status":"OPEN"}}');
    else if (url.includes('/1?')) reply.end('{"ticketData":{"ticketid":"1","status":"CLOSED"}}');
  });
  const ran = await interrupted('tickets close 1 2 3 --yes', env, /> PUT \S*\/2\?/, 'SIGTERM');
  expectExit(ran, 143, /tickets close .*2.*: .*outcome is unknown/);
  expect(ran.err).toMatch(/tickets close .*3.*: Canceled\.\n/);
  expect(asked.some(({ url }) => url.includes('/3?'))).toBe(false);
});

test('ends at once on a second Ctrl-C, even if the first one still waits for a write', async () => {
  const { env } = await slowService();
  const home = emptyHome();
  writeFileSync(join(home, 'in.csv'), 'receipt,carrier,tracking,date\nA1,USPS,T1,today\n');
  const args = ['ship', 'notice', 'import', 'in.csv', '--yes', '--debug', '--allow-duplicate'];
  const running = cb(args, { home, env });
  await running.until(/> POST/);
  running.child.kill('SIGINT');
  await new Promise((done) => setTimeout(done, 100));
  expect(running.child.exitCode).toBeNull();
  running.child.kill('SIGINT');
  expect((await running.ended()).code).toBe(130);
});

/** Runs cb on a terminal of its own; files contain the output of stty before and after, and the process ID. */
async function onTerminal(line: string) {
  const { env, writes } = await serveSandbox();
  const home = emptyHome();
  const program = `echo $$ > pid; exec "${process.execPath}" "${binary}" ${line}`;
  const whole = `stty -g > before; sh -c '${program}'; code=$?; stty -g > after; (exit $code)`;
  const read = (name: string) => readFileSync(join(home, name), 'utf8');
  return { running: startOnTerminal(whole, { home, env }), read, writes };
}

/** Each kind of prompt, and each way to end one: Ctrl-C on the terminal, or a signal from another process. */
test.each([
  ['login --no-check', /API key:/, 'Ctrl-C', 130],
  ['orders reinstate CANCEL01', /Reinstate[\s\S]*y\/N/, 'Ctrl-C', 130],
  ['tickets refund DIGITAL1', /What do you want to do[\s\S]*⏎/, 'Ctrl-C', 130],
  ['login --no-check', /API key:/, ...signals[0]],
  ['orders reinstate CANCEL01', /Reinstate[\s\S]*y\/N/, ...signals[1]],
  ['tickets refund DIGITAL1', /What do you want to do[\s\S]*⏎/, ...signals[2]],
] as const)(
  'sends nothing and restores the terminal if the prompt of cb %s (%s) is ended by %s, with exit code %i',
  async (line, question, end, code) => {
    const { running, read, writes } = await onTerminal(line);
    await running.until(question);
    if (end === 'Ctrl-C') running.type('\u0003');
    else process.kill(Number(read('pid')), end);
    const { out } = await running.ended();
    expect(out).toContain(`code ${code}`);
    expect(read('after')).toBe(read('before'));
    // The cursor is shown after it was hidden for the last time.
    expect(out.lastIndexOf('\u001b[?25h')).toBeGreaterThanOrEqual(out.lastIndexOf('\u001b[?25l'));
    expect(writes()).toEqual([]);
  },
);

test('ends when its terminal is closed', async () => {
  const { running, read, writes } = await onTerminal('orders reinstate CANCEL01');
  await running.until(/Reinstate[\s\S]*y\/N/);
  const pid = Number(read('pid'));
  running.child.kill('SIGKILL');
  const isAlive = () => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  while (isAlive()) await new Promise((done) => setTimeout(done, 10));
  expect(writes()).toEqual([]);
});
