/**
 * kill -9 at every step of every kind of write: nothing is sent twice, whatever runs next, and cb log shows the truth. A step is
 * a request that the service does not answer, or the answer to the write.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/http/server.ts';
import { startAgent } from '../../support/agent.ts';
import { fullRefund, planIn } from '../../support/approvals.ts';
import { cb as binary, emptyHome, binary as program } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { forwardingTo } from '../../support/gateway.ts';
import { person } from '../../support/person.ts';
import { hasTerminals, onTerminal } from '../../support/pty.ts';
import { oneLine } from '../../support/queue.ts';
import { asks, rawAgent, yesTo } from '../../support/raw-agent.ts';
import { expectExit } from '../../support/refusal.ts';
import { isLong } from '../../support/tier.ts';

/** Where a service stops answering: at a request after the yes, by its number, or when the write is done. */
type Place = number | 'answer';

async function stoppingShop(place: Place) {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 60 } });
  onTestFinished(() => sandbox.close());
  const key = sandbox.keys.find(({ name }) => name === 'full')?.key ?? '';
  const headers = { authorization: key, accept: 'application/json' };
  const tickets = `${sandbox.url}/rest/1.3/tickets`;
  const support = `${tickets}/DIGITAL1?type=tech&reason=ticket.type.tech_support.4`;
  await fetch(support, { method: 'POST', headers });
  const before = sandbox.requests.length;
  let left = Number.POSITIVE_INFINITY;
  let open = 0;
  let stopped = () => {};
  const reached = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const forever = () => new Promise<boolean>(() => stopped());
  const { url } = await forwardingTo(sandbox.url, {
    before: async () => {
      left -= 1;
      if (left < 0 && place !== 'answer') return forever();
      open += 1;
      return true;
    },
    after: async (method) => {
      open -= 1;
      return left < 0 && place === 'answer' && method === 'POST' ? forever() : true;
    },
  });
  return {
    reached,
    env: { CB_API_KEY: key, CB_BASE_URL: url },
    posts: () => sandbox.requests.slice(before).filter(({ method }) => method === 'POST').length,
    async refunds() {
      const counted = await fetch(`${tickets}/count?type=rfnd&receipt=DIGITAL1`, { headers });
      return Number(await counted.text());
    },
    /** From now on, requests count, but none that was sent before, such as what the queue reads ahead. */
    async arm() {
      while (open > 0) await wait(5);
      left = place === 'answer' ? 0 : place;
    },
    /** Answers again; what it holds stays unanswered. */
    disarm: () => {
      left = Number.POSITIVE_INFINITY;
    },
  };
}

type Shop = Awaited<ReturnType<typeof stoppingShop>>;

const now = () => new Date();

/** Commands of the same home in this process. */
function inHome(shop: Shop, folder: string) {
  const env = { ...shop.env, XDG_DATA_HOME: join(folder, '.local/share') };
  const { cb } = home(folder);
  return (line: string, ...keys: readonly string[]) => {
    const screen = keys.length > 0 ? { columns: 80, person: person(...keys) } : {};
    return cb(line, { env, now, ...screen });
  };
}

async function logOf(shop: Shop, folder: string): Promise<{ outcome: string; id: string }[]> {
  return JSON.parse((await inHome(shop, folder)('log -o json')).out);
}

const refund = '--type rfnd --reason ticket.type.refund.2 --refund-type FULL --verify-wait 100ms';

interface Started {
  /** Lets the write begin, if a person has to say yes. */
  begin?(): void;
  kill(): void;
  readonly ended: Promise<unknown>;
}

interface Kind {
  /** Starts the write, up to the question to the person if there is one. */
  start(shop: Shop, folder: string): Promise<Started>;
  /** Runs it again, and returns what became of it. */
  again(shop: Shop, folder: string): Promise<{ readonly outcome: string; readonly code: number }>;
}

function running(args: readonly string[], shop: Shop, folder: string): Started {
  const { child, ended } = binary(args, { home: folder, env: shop.env });
  return { kill: () => child.kill('SIGKILL'), ended: ended() };
}

/** Creates tickets for a receipt, or for those in a file of the home. */
const creating = (what: string) => (folder: string) =>
  `tickets create ${what.replace('in.csv', join(folder, 'in.csv'))} ${refund} --yes`;

function line(lineIn: (folder: string) => string): Kind {
  return {
    async start(shop, folder) {
      writeFileSync(join(folder, 'in.csv'), 'receipt\nDIGITAL1\n');
      return running(lineIn(folder).split(' '), shop, folder);
    },
    async again(shop, folder) {
      const { code } = await inHome(shop, folder)(lineIn(folder));
      const [latest] = await logOf(shop, folder);
      return { outcome: latest?.outcome ?? '', code };
    },
  };
}

const fromFile = creating('--from in.csv');
const importing = line(fromFile);

/** The process of cb on a terminal. */
function processIn(folder: string): number {
  const found = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      const isIts = readFileSync(`/proc/${name}/environ`, 'utf8').includes(`HOME=${folder}\0`);
      return isIts && words[1] === program;
    } catch {
      return false;
    }
  });
  if (found === undefined) throw new Error('cb does not run.');
  return Number(found);
}

/** A line on a terminal, up to the question whether to send it. */
async function asked(
  line: string,
  shop: Shop,
  folder: string,
  steps: readonly (readonly [RegExp, string])[],
): Promise<Started> {
  const terminal = onTerminal(line, { home: folder, env: shop.env });
  for (const [pattern, key] of steps) {
    await terminal.until(pattern);
    terminal.type(key);
  }
  await terminal.until(/Send it\?/);
  const cbProcess = processIn(folder);
  return {
    begin: () => terminal.type('y'),
    kill: () => process.kill(cbProcess, 'SIGKILL'),
    ended: terminal.ended(),
  };
}

const queue: Kind = {
  start: (shop, folder) =>
    asked('cb tickets work --receipt DIGITAL1 --verify-wait 100ms', shop, folder, [
      [/f\S* refund/, 'f'],
      [/How much[^?]*\?\s/, 'f'],
      [/What is the reason/, '2'],
    ]),
  async again(shop, folder) {
    const line = 'tickets work --receipt DIGITAL1 --verify-wait 100ms';
    const [before] = await logOf(shop, folder);
    const { code, err } = await inHome(shop, folder)(line, 'q');
    const [entry] = await logOf(shop, folder);
    const isDone = entry?.outcome === 'done';
    const says = isDone ? 'which is done: refund of DIGITAL1' : 'still unknown: refund of';
    if (before) expect(oneLine(err)).toContain(says);
    return { outcome: entry?.outcome ?? 'none', code };
  },
};

const agentIn = ({ env }: Shop, folder: string) =>
  startAgent({ env, folder, now, args: ['--allow-writes'] });

/** What a later session of an agent finds, and what a person can still do. */
async function planAgain(shop: Shop, folder: string) {
  const [entry] = await logOf(shop, folder);
  const id = entry?.id;
  const isDecided = entry?.outcome !== 'planned';
  const sent = shop.posts();
  const later = await agentIn(shop, folder);
  const { data } = await later.call('plan_status', { plan: id });
  expect(data.state).toBe(sent === 1 ? 'done' : isDecided ? 'started' : 'waiting');
  expect((await later.call('refund_order', fullRefund)).isError).toBe(sent === 1 || isDecided);
  const approved = await inHome(shop, folder)(`approve ${id}`, 'y');
  expect(approved.code).toBe(isDecided ? 10 : 0);
  expect((await inHome(shop, folder)(`approve ${id}`, 'y')).code).toBe(10);
  const outcomes = await logOf(shop, folder);
  const { outcome = '' } = outcomes.find((one) => one.id === id) ?? {};
  return { outcome, code: approved.code };
}

const agent: Kind = {
  async start(shop, folder) {
    const options = { home: folder, env: shop.env, stdin: { open: true } } as const;
    const { child, ended } = binary(['mcp', '--allow-writes'], options);
    if (!child.stdout) throw new Error('cb has no stdout.');
    const session = await rawAgent((line) => child.stdin?.write(line), child.stdout);
    session.call(2, 'refund_order', fullRefund);
    const question = await session.until(asks);
    expect(planIn(question.params?.message ?? '')).not.toBe('');
    return {
      begin: () => session.send({ id: question.id, result: yesTo(question) }),
      kill: () => child.kill('SIGKILL'),
      ended: Promise.race([ended(), session.until(({ id }) => id === 2)]),
    };
  },
  again: planAgain,
};

/** The response to an agent that plans the refund. */
const planned = async (shop: Shop, folder: string) =>
  (await agentIn(shop, folder)).call('refund_order', fullRefund);

const approval: Kind = {
  async start(shop, folder) {
    const { data } = await planned(shop, folder);
    return asked(`cb approve ${data.plan}`, shop, folder, []);
  },
  again: planAgain,
};

const kinds = { command: line(creating('DIGITAL1')), import: importing, queue, agent, approval };

/** Kills the write where the service stops answering, which answers again afterwards. */
async function killedAt(shop: Shop, folder: string, { start }: Kind) {
  const started = await start(shop, folder);
  await shop.arm();
  started.begin?.();
  await Promise.race([shop.reached, started.ended]);
  started.kill();
  await started.ended.catch(() => undefined);
  shop.disarm();
}

/** What becomes of it at steps: reads before the write, the write, and its answer. The long tier takes all. */
const expected: Readonly<Record<keyof typeof kinds, Readonly<Record<string, string>>>> = {
  command: { 2: 'not begun: done 0', 3: 'recorded: done 0', answer: 'sent: unknown 4' },
  import: { 1: 'not begun: done 0', 2: 'recorded: unknown 8', answer: 'sent: done 0' },
  queue: { 1: 'recorded: unknown 0', answer: 'sent: done 0' },
  agent: {
    ...{ 0: 'not begun: done 0', 4: 'not begun: done 0' },
    ...{ 5: 'recorded: unknown 10', answer: 'sent: done 10' },
  },
  approval: { answer: 'sent: done 10' },
};

test.for(['command', 'import', 'queue', 'agent', 'approval'] as const)(
  'sends a refund by %s at most once, wherever it is killed, and says what became of it',
  async (name, { skip }) => {
    const { again } = kinds[name];
    skip(!hasTerminals && (name === 'queue' || name === 'approval'), 'needs script');
    const seen: Record<string, string> = {};
    const places = Object.entries(expected[name]).filter(([place, became]) => {
      return isLong || place === 'answer' || (became.startsWith('recorded') && name !== 'agent');
    });
    for (const [place] of places) {
      const shop = await stoppingShop(place === 'answer' ? place : Number(place));
      const folder = emptyHome();
      await killedAt(shop, folder, kinds[name]);
      const sent = shop.posts();
      expect(sent).toBeLessThanOrEqual(1);
      const entries = await logOf(shop, folder);
      if (sent === 1) expect(entries.map((one) => one.outcome)).toEqual(['unknown']);
      const isRecorded = entries.some(({ outcome }) => outcome === 'unknown');
      const { outcome, code } = await again(shop, folder);
      const stage = sent === 1 ? 'sent' : isRecorded ? 'recorded' : 'not begun';
      seen[place] = `${stage}: ${outcome} ${code}`;
      // What was recorded is never sent again, unless a look shows that it is not there.
      expect(await shop.refunds()).toBeLessThanOrEqual(1);
      if (sent === 1) expect(shop.posts()).toBe(1);
      if (isRecorded && name !== 'command') expect(shop.posts()).toBe(sent);
    }
    expect(seen).toEqual(Object.fromEntries(places));
  },
);

function copied(folder: string): string {
  const copy = emptyHome();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

test('sends nothing twice from a copied home, whichever of the two continues', async () => {
  const shop = await stoppingShop('answer');
  const folder = emptyHome();
  await killedAt(shop, folder, importing);
  const copy = copied(folder);
  for (const one of [copy, folder]) {
    expect(await importing.again(shop, one)).toMatchObject({ code: 0 });
    expect(shop.posts()).toBe(1);
  }
});

test('approves a plan once if the home with it was copied', async () => {
  const shop = await stoppingShop(99);
  const folder = emptyHome();
  const { plan } = (await planned(shop, folder)).data;
  const copy = copied(folder);
  expect((await inHome(shop, folder)(`approve ${plan}`, 'y')).code).toBe(0);
  expect((await inHome(shop, copy)(`approve ${plan}`, 'y')).code).toBe(10);
  expect(shop.posts()).toBe(1);
});

test('sends no row twice if another user with another home continues an import', async () => {
  const shop = await stoppingShop(99);
  const folder = emptyHome();
  writeFileSync(join(folder, 'in.csv'), 'receipt\nDIGITAL1\nTICKET01\n');
  await running(fromFile(folder).split(' '), shop, folder).ended;
  const sent = shop.posts();
  expect(sent).toBeGreaterThan(0);
  const other = home();
  const env = { ...shop.env, USER: 'grace' };
  const ran = await other.cb(fromFile(folder), { env, now });
  expect(ran.err).toContain('All rows were already done. Nothing was sent.');
  expect(shop.posts()).toBe(sent);
  const rows = JSON.parse((await other.cb('log -o json', { env, now })).out);
  expect(rows.map(({ row }: { row: number }) => row).toSorted()).toEqual([2, 3]);
});

test('sends nothing from the queue, and nothing for an agent, without a ledger; a command and an import say so', async () => {
  const shop = await stoppingShop(99);
  const folder = emptyHome();
  mkdirSync(join(folder, '.local/share/clickbank-cli/ledger.ndjson'), { recursive: true });
  const on = inHome(shop, folder);
  expectExit(await on('tickets work --receipt DIGITAL1', 'q'), 3, 'Nothing was sent.');
  const refused = { isError: true, text: expect.stringContaining('The ledger') };
  expect(await planned(shop, folder)).toMatchObject(refused);
  expect(shop.posts()).toBe(0);
  writeFileSync(join(folder, 'in.csv'), 'receipt\nTICKET01\n');
  const imported = await on(fromFile(folder));
  expect(imported.err).toContain('warning: cb log will not show this import');
  expectExit(await on(creating('DIGITAL1')(folder)), 0, 'will not show this write');
  rmSync(join(folder, '.local/share/clickbank-cli/ledger.ndjson'), { recursive: true });
  expect(await logOf(shop, folder)).toEqual([]);
});
