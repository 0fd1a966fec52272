/** kill -9 at every moment between a yes and the end of its write: nothing is sent twice, and the status tells the truth. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../../src/sandbox/http/server.ts';
import { startAgent } from '../../../support/agent.ts';
import { forwardingTo, fullRefund, planIn } from '../../../support/approvals.ts';
import { cb as binary, emptyHome } from '../../../support/binary.ts';
import { home } from '../../../support/cb.ts';
import { person } from '../../../support/person.ts';
import { hasTerminals, onTerminal } from '../../../support/pty.ts';
import { asks, rawAgent, yesTo } from '../../../support/raw-agent.ts';

/** Where a service stops answering: at a request after the yes, by its number, or when the write is done. */
type Place = number | 'answer';

async function stoppingShop(place: Place) {
  const sandbox = await startSandbox({ file: ':memory:', seed: { orders: 60 } });
  onTestFinished(() => sandbox.close());
  let left = Number.POSITIVE_INFINITY;
  let stopped = () => {};
  const reached = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const forever = () => new Promise<boolean>(() => stopped());
  const { url } = await forwardingTo(sandbox.url, {
    before: async () => {
      left -= 1;
      return left < 0 && place !== 'answer' ? forever() : true;
    },
    after: async (method) =>
      left < 0 && place === 'answer' && method === 'POST' ? forever() : true,
  });
  const env = { CB_API_KEY: sandbox.keys.find(({ name }) => name === 'full')?.key ?? '' };
  const posts = () => sandbox.requests.filter(({ method }) => method === 'POST').length;
  return {
    posts,
    reached,
    env: { ...env, CB_BASE_URL: url },
    /** From now on, requests count. */
    arm: () => {
      left = place === 'answer' ? 0 : place;
    },
    /** Answers again; what it holds stays unanswered. */
    disarm: () => {
      left = Number.POSITIVE_INFINITY;
    },
  };
}

type Shop = Awaited<ReturnType<typeof stoppingShop>>;

/** What a later session finds, and what a person can still do. */
async function checkAfter(shop: Shop, folder: string, id: string) {
  const { env, posts, disarm } = shop;
  disarm();
  const isClaimed = existsSync(join(folder, `.local/share/clickbank-cli/plans/${id}.claim`));
  const sent = posts();
  expect(sent).toBeLessThanOrEqual(1);
  const now = () => new Date();
  // Its commands are those of the same home, in this process.
  const later = await startAgent({
    env: { ...env, HOME: folder },
    folder,
    now,
    args: ['--allow-writes'],
  });
  const { data } = await later.call('plan_status', { plan: id });
  expect(data.state).toBe(sent === 1 ? 'done' : isClaimed ? 'started' : 'waiting');
  const again = await later.call('refund_order', fullRefund);
  expect(again.isError).toBe(sent === 1 || isClaimed);
  const { cb } = home(folder);
  const xdg = { XDG_DATA_HOME: join(folder, '.local/share') };
  const approve = () =>
    cb(`approve ${id}`, { env: { ...env, ...xdg }, columns: 80, person: person('y'), now });
  const approved = await approve();
  expect(approved.code).toBe(isClaimed ? 10 : 0);
  expect(await approve()).toMatchObject({ code: 10 });
  expect(posts()).toBe(isClaimed ? sent : 1);
  return String(data.state);
}

/** The reads before a refund is sent, its request, and the moment after it. */
const places: readonly Place[] = [...Array.from({ length: 9 }, (_, place) => place), 'answer'];

test('is never sent twice and never forgotten, wherever cb mcp is killed after the yes', async () => {
  const states: string[] = [];
  for (const place of places) {
    const shop = await stoppingShop(place);
    const folder = emptyHome();
    const options = { home: folder, env: shop.env, stdin: { open: true } } as const;
    const { child } = binary(['mcp', '--allow-writes'], options);
    if (!child.stdout) throw new Error('cb has no stdout.');
    const agent = await rawAgent((line) => child.stdin?.write(line), child.stdout);
    agent.call(2, 'refund_order', fullRefund);
    const question = await agent.until(asks);
    shop.arm();
    agent.send({ id: question.id, result: yesTo(question) });
    await Promise.race([shop.reached, agent.until(({ id }) => id === 2)]);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    states.push(await checkAfter(shop, folder, planIn(question.params?.message ?? '')));
  }
  // Before the decision, between it and the request, and after the request.
  expect(new Set(states)).toEqual(new Set(['waiting', 'started', 'done']));
});

test.skipIf(!hasTerminals)(
  'is not sent again after cb approve was killed when its write was done (needs script)',
  async () => {
    const shop = await stoppingShop('answer');
    const folder = emptyHome();
    const now = () => new Date();
    const agent = await startAgent({ env: shop.env, folder, now, args: ['--allow-writes'] });
    const id = String((await agent.call('refund_order', fullRefund)).data.plan);
    const running = onTerminal(`cb approve ${id}`, { home: folder, env: shop.env });
    await running.until(/Send it\?/);
    const lock = join(folder, '.local/share/clickbank-cli/plans/approvals.lock');
    shop.arm();
    running.type('y');
    await shop.reached;
    const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { pid: number };
    expect(pid).not.toBe(process.pid);
    process.kill(pid, 'SIGKILL');
    await running.ended();
    expect(await checkAfter(shop, folder, id)).toBe('done');
  },
);
