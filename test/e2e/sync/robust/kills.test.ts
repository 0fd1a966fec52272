/** A load that is killed again and again. */
import { setTimeout } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';
import { cb, emptyHome, shortWaits } from '../../../support/binary.ts';
import { postgresServer } from '../../../support/postgres.ts';
import { serveSandbox } from '../../../support/sandbox.ts';
import { seedOf, tier } from '../../../support/tier.ts';
import { expectEqual, expectNoHalfWindow, openCopy, places, serviceRows } from './copies.ts';

const seed = seedOf(7);
const kills = tier(3, 25);

/** A long period, so that no run is finished before it is killed. */
const wanted = ['--tables', 'orders,tickets', '--since', tier('2024-01-01', '2020-01-01')];

/** A killed program's connection ends a moment later, and with it its lock. */
async function untilDisconnected(): Promise<void> {
  const server = await postgresServer();
  const isThere = "SELECT FROM pg_stat_activity WHERE application_name = 'cb'";
  while ((await server.query(isThere)).length > 0) await setTimeout(5);
}

describe.each(places)('$name', ({ name, missing, place: placeIn }) => {
  test.skipIf(missing !== undefined)(
    `has no lost, doubled or half-written window after each of ${kills} kill -9, and the next run continues`,
    async () => {
      const { sandbox, env } = await serveSandbox({ orders: 400 });
      const service = await serviceRows(env);
      const home = emptyHome();
      const place = await placeIn(home);
      const sync = () =>
        cb(['sync', place, ...wanted], {
          home,
          env: { ...env, ...shortWaits(50) },
        });
      const random = xoroshiro128plus(seed);
      const draw = (below: number) => Math.abs(random.next()) % below;
      let complete = 0;
      for (let killed = 0; killed < kills; killed++) {
        const running = sync();
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
      expect(await sync().ended()).toMatchObject({ code: 0 });
      await expectEqual(await openCopy(place), service);
    },
  );
});
