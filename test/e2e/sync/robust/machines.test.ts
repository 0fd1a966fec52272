/** Many machines that fill one copy in PostgreSQL. */
import { setTimeout } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { addDays, pacificDay } from '../../../../src/dates/day.ts';
import { openPostgresReader } from '../../../../src/features/sync/database/postgres.ts';
import type { SqlReader } from '../../../../src/features/sync/destination.ts';
import { cb, type Running, shortWaits } from '../../../support/binary.ts';
import { home, now } from '../../../support/cb.ts';
import { noPostgres, postgresUrl } from '../../../support/postgres.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { type Asked, forward, serve } from '../../../support/server.ts';
import { seedOf, tier } from '../../../support/tier.ts';
import { openCopy } from './copies.ts';

const machines = tier(3, 8);
const accounts = tier(4, 40);
const kills = tier(4, 40);

/** About as many as a sync of an account sends. */
const requestsOfAccount = 12;

const vendor = 'GREENLEAF';
/** As long as the nickname of the vendor. */
const nicknameOf = (account: number) => `SHOP${String(account).padStart(5, '0')}`;
const keyOf = (account: number) => `API-${nicknameOf(account)}${'K'.repeat(23)}`;
const accountOf = ({ headers }: Asked) => /SHOP\d+/.exec(headers.authorization ?? '')?.[0] ?? '';

const yesterday = addDays(pacificDay(now.getTime() / 1000), -1);

/** How much faster than ours the clocks of the machines and of the service are. */
const speed = 10;

/** A service with many accounts, each of which has the transactions of the vendor of the sandbox. */
async function serveAccounts(beforeOrders: (account: string, query: URLSearchParams) => unknown) {
  const { sandbox, keyOf } = await serveSandbox({ orders: 300 });
  const key = keyOf('vendor');
  const start = performance.now();
  const time = () => new Date(now.getTime() + speed * (performance.now() - start));
  return serve(
    async (reply, _, asked) => {
      const account = accountOf(asked);
      const url = asked.url.replaceAll(account, vendor);
      const { pathname, searchParams } = new URL(url, sandbox.url);
      if (pathname.endsWith('/orders2/list')) await beforeOrders(account, searchParams);
      const headers = { ...asked.headers, authorization: key };
      const { status, type, body } = await forward(sandbox.url, { ...asked, url, headers });
      reply.sendDate = false;
      reply.setHeader('date', time().toUTCString());
      reply.writeHead(status, { 'content-type': type }).end(body.replaceAll(vendor, account));
    },
    { time },
  );
}

/** The rows of an account, without what differs between two accounts and two runs. */
async function rowsOf(copy: SqlReader) {
  const rows = await copy.query<{ account: string; rows: string; net: string; content: string }>(
    `SELECT account, count(*) AS rows, sum(account_amount) AS net,
      md5(string_agg(content, '' ORDER BY content)) AS content
    FROM (SELECT account, account_amount,
      replace((to_jsonb(orders) - 'synced_at')::text, account, '') AS content FROM orders) AS known
    GROUP BY account ORDER BY account`,
  );
  return new Map(rows.map(({ account, ...row }) => [account, row]));
}

test.skipIf(noPostgres)(
  `${machines} machines with ${accounts} accounts: ${kills} kill -9 and one that stands still leave what one machine writes, and no day is read twice`,
  async () => {
    const url = (await postgresUrl()) ?? '';
    let copy: SqlReader | undefined;
    const readTwice: string[] = [];
    let onOrders = () => {};
    const check = async (account: string, query: URLSearchParams) => {
      const days = { first: query.get('startDate'), last: query.get('endDate') };
      const committed = await copy?.query<{ day: string }>(
        `SELECT day FROM sync_days WHERE account = ? AND source = 'orders' AND day BETWEEN ? AND ? AND day < ?`,
        // Each run reads today and the day before, whose rows still move.
        [account, days.first, days.last, yesterday],
      );
      for (const { day } of committed ?? []) readTwice.push(`${account} ${day}`);
    };
    let checked = Promise.resolve();
    const { url: service, asked } = await serveAccounts((...about) => {
      onOrders();
      // One connection runs one statement at a time.
      checked = checked.then(() => check(...about));
      return checked;
    });
    const user = home();
    for (let account = 1; account <= accounts; account++) {
      const line = `login --profile ${nicknameOf(account)} --with-key`;
      const options = { env: { CB_BASE_URL: service }, stdin: keyOf(account) };
      expect(await user.cb(line, options)).toMatchObject({ code: 0 });
    }
    const wanted = ['--tables', 'orders', '--since', tier('2026-01-01', '2025-06-01')];
    const start = (place: string, ...which: string[]) =>
      cb(['sync', place, ...which, ...wanted], {
        home: user.folder,
        env: { CB_BASE_URL: service, ...shortWaits(speed) },
      });

    const alone = (await postgresUrl()) ?? '';
    expect(await start(alone, '--profile', nicknameOf(1)).ended()).toMatchObject({ code: 0 });
    const [one] = (await rowsOf(await openCopy(alone))).values();
    expect(Number(one?.rows)).toBeGreaterThan(20);

    // One machine makes the copy; until then, the others would wait for it.
    expect(await start(url, '--profile', nicknameOf(1)).ended()).toMatchObject({ code: 0 });
    copy = await openPostgresReader({ url });
    const random = xoroshiro128plus(seedOf(11));
    const draw = (below: number) => Math.abs(random.next()) % below;
    const still = start(url, '--all-profiles');
    await new Promise<void>((isStill) => {
      onOrders = () => isStill(void still.child.kill('SIGSTOP'));
    });
    onOrders = () => {};
    const running: Running[] = [];
    for (let machine = 1; machine < machines; machine++) running.push(start(url, '--all-profiles'));
    let interrupted = 0;
    for (let killed = 0; killed < kills; killed++) {
      const until = asked.length + 1 + draw(requestsOfAccount);
      const machine = draw(running.length);
      while (asked.length < until && running[machine]?.child.exitCode === null) await setTimeout(1);
      running[machine]?.child.kill('SIGKILL');
      if ((await running[machine]?.ended())?.code === null) interrupted++;
      running[machine] = start(url, '--all-profiles');
    }
    expect(interrupted).toBeGreaterThan(kills / 2);
    for (const machine of running) expect(await machine.ended()).toMatchObject({ code: 0 });
    still.child.kill('SIGCONT');
    expect(await still.ended()).toMatchObject({ code: 0 });

    const found = await rowsOf(copy);
    await copy.close();
    const nicknames = Array.from({ length: accounts }, (_, account) => nicknameOf(account + 1));
    expect([...found.keys()]).toEqual(nicknames);
    for (const rows of found.values()) expect(rows).toEqual(one);
    expect(readTwice).toEqual([]);
  },
);
