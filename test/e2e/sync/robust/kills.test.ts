/** Syncs that are killed, over a bad network, into full disks, into databases that stop, beside each other, and at odd times. */
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../../src/sandbox/http/server.ts';
import { cb, emptyHome, shortWaits } from '../../../support/binary.ts';
import { home, now } from '../../../support/cb.ts';
import { noPostgres, postgresServer, startPostgres } from '../../../support/postgres.ts';
import { expectExit } from '../../../support/refusal.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { noSmallDisk, smallDisk } from '../../../support/small-disk.ts';
import { isLong, seedOf, tier } from '../../../support/tier.ts';
import { expectEqual, expectNoHalfWindow, openCopy, places, serviceRows } from './copies.ts';

const seed = seedOf(7);
const kills = tier(3, 25);

/** A long period, so that no run is finished before it is killed. */
const longPeriod = ['--tables', 'orders,tickets', '--since', tier('2024-01-01', '2020-01-01')];

/** A killed program's connection ends a moment later, and with it its lock. */
async function untilDisconnected(): Promise<void> {
  const server = await postgresServer();
  const isThere = "SELECT FROM pg_stat_activity WHERE application_name = 'cb'";
  while ((await server.query(isThere)).length > 0) await setTimeout(5);
}

/** What `serviceRows` compares. */
const compared = ['--tables', 'orders,tickets', '--since', '2025-09-01'];

async function world(orders = 150, wanted = compared) {
  const { sandbox, env } = await serveSandbox({ orders });
  const folder = emptyHome();
  const sync = (place: string, { speed = 50 } = {}) =>
    cb(['sync', place, ...wanted], { home: folder, env: { ...env, ...shortWaits(speed) } });
  return { sandbox, env, folder, sync, service: await serviceRows(env) };
}

/** Resolves when the service has got this number of further requests. */
async function untilAsked({ requests }: Sandbox, more: number): Promise<void> {
  const until = requests.length + more;
  while (requests.length < until) await setTimeout(1);
}

describe.each(places)('$name', ({ name, missing, create }) => {
  const check = test.skipIf(missing !== undefined);

  check(
    `has no lost, doubled or half-written window after each of ${kills} kill -9, and the next run continues`,
    async () => {
      const { sandbox, sync, service } = await world(400, longPeriod);
      const { place } = await create();
      const random = xoroshiro128plus(seed);
      const draw = (below: number) => Math.abs(random.next()) % below;
      let complete = 0;
      for (let killed = 0; killed < kills; killed++) {
        const running = sync(place);
        const until = sandbox.requests.length + 1 + draw(24);
        while (running.child.exitCode === null && sandbox.requests.length < until) {
          await setTimeout(1);
        }
        await setTimeout(draw(20));
        running.child.kill('SIGKILL');
        await running.ended();
        expect(running.child.signalCode, `kill ${killed}`).toBe('SIGKILL');
        if (name === 'PostgreSQL') await untilDisconnected();
        const copy = await openCopy(place).catch((error) => {
          expect({ killed, kind: error.kind }).toEqual({ killed, kind: 'missing' });
        });
        if (!copy) continue;
        const days = await expectNoHalfWindow(copy, service);
        await copy.close();
        expect(days, `complete days after kill ${killed}`).toBeGreaterThanOrEqual(complete);
        complete = days;
      }
      expect(complete).toBeGreaterThan(0);
      expect(await sync(place).ended()).toMatchObject({ code: 0 });
      await expectEqual(await openCopy(place), service);
    },
  );

  check('copies everything over a network that fails often', async () => {
    const { sandbox, sync, service } = await world();
    const { place } = await create();
    sandbox.setFaults('503=6%,500=4%,cut-before=3%,cut-after=3%,truncate=5%,429=2%:1,seed=7');
    for (let run = 1; ; run++) {
      expect(run).toBeLessThan(10);
      const { code, err } = await sync(place).ended();
      const copy = await openCopy(place);
      await expectNoHalfWindow(copy, service);
      if (code === 0) return expectEqual(copy, service);
      // What can't be read within the retries is left to the next run.
      expect([5, 6, 7, 8], err).toContain(code);
    }
  });

  check('follows a clock of the service that jumps ahead and back', async () => {
    let time = now;
    const { env } = await serveSandbox({ at: () => time });
    const user = home();
    const { place } = await create();
    const after = (days: number) => new Date(now.getTime() + days * 86_400_000);
    for (const days of [0, 40, 5, 41]) {
      time = after(days);
      const line = `sync ${place} ${compared.join(' ')}`;
      const { code, err } = await user.cb(line, { env, now: () => time });
      expect({ days, code, err }).toMatchObject({ code: 0 });
    }
    const service = await serviceRows(env, '2026-04-28');
    await expectEqual(await openCopy(place), service);
  });

  test.skipIf(missing !== undefined || noSmallDisk !== undefined)(
    'says that the disk is full, keeps complete windows, and continues when there is room',
    async () => {
      const { folder, sync, service } = await world(600, compared.with(-1, '2025-03-01'));
      const isSqlite = name === 'SQLite';
      const { place, disk } = await (isSqlite ? fileOnSmallDisk(folder) : databaseOnSmallDisk());
      const full = await sync(place).ended();
      expectExit(full, 8, /cb: The disk of \S+ is full\. Free some space\./);
      const copy = await openCopy(place);
      const days = await expectNoHalfWindow(copy, service);
      await copy.close();
      expect(days).toBeGreaterThan(0);
      disk.grow();
      expect(await sync(place).ended()).toMatchObject({ code: 0 });
      await expectEqual(await openCopy(place), service);
    },
  );
});

test.skipIf(noSmallDisk !== undefined)(
  'says that the disk of temporary files is full, not that of the copy',
  async () => {
    const { env } = await serveSandbox({ orders: 5000 });
    const folder = emptyHome();
    const { folder: scratch } = smallDisk(folder);
    const words = ['sync', 'copy.db', '--tables', 'orders', '--since', '2025-10-01'];
    const running = cb(words, { home: folder, env: { ...env, TMPDIR: scratch } });
    const says = `The disk of temporary files is full: ${scratch}\\..* set TMPDIR to a folder on another disk`;
    expectExit(await running.ended(), 8, new RegExp(says));
  },
);

/** A disk with room for some of the windows. */
async function fileOnSmallDisk(folder: string) {
  const disk = smallDisk(folder, '2m');
  return { place: join(disk.folder, 'copy.db'), disk };
}

async function databaseOnSmallDisk() {
  const server = await startPostgres();
  const disk = smallDisk(server.folder, '2m');
  const owner = statSync(join(server.folder, 'data')).uid;
  chownSync(disk.folder, owner, owner);
  await server.query(`CREATE TABLESPACE small LOCATION '${disk.folder}'`);
  const database = await server.create();
  for (const setting of ['default_tablespace', 'temp_tablespaces']) {
    await server.query(`ALTER DATABASE ${database} SET ${setting} = 'small'`);
  }
  return { place: server.url(database), disk };
}

test.skipIf(noPostgres !== undefined || !isLong)(
  'ends with exit code 8 when PostgreSQL stops, and continues when it runs again',
  async () => {
    const { sandbox, sync, service } = await world();
    const server = await startPostgres();
    const place = server.url(await server.create());
    const running = sync(place, { speed: 5 });
    await untilAsked(sandbox, 25);
    await server.stop();
    expectExit(await running.ended(), 8, /cb: The connection to postgres:\S+ was lost\. /);
    expect((await sync(place).ended()).err).toMatch(/^cb: Cannot connect to postgres:\S+: .+\.$/m);
    await server.start();
    const copy = await openCopy(place);
    expect(await expectNoHalfWindow(copy, service)).toBeGreaterThan(0);
    await copy.close();
    expect(await sync(place).ended()).toMatchObject({ code: 0 });
    await expectEqual(await openCopy(place), service);
  },
);
