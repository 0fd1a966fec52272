/** No notification is lost or doubled when the sandbox is killed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEYS } from '../../../src/sandbox/http/keys.ts';
import { receive, SECRET } from '../../sandbox/notifications/receiver.ts';
import { keyOf, post } from '../../sandbox/raw.ts';
import { damageIn, rowsIn } from '../../sandbox/store/store-file.ts';
import { CANCEL } from '../../sandbox/tickets/ticket-raw.ts';
import { cb } from '../../support/binary.ts';
import { home } from '../../support/cb.ts';
import { tier } from '../../support/tier.ts';

const ROUNDS = tier(3, 20);
const fileIn = (home: string) => join(home, '.local/share/clickbank-cli/sandbox.sqlite');

async function serve(home: string) {
  const running = cb(['sandbox', 'start'], { home });
  const text = await running.until(/CB_API_KEY=\S+\n/);
  const [, url = ''] = /CB_BASE_URL=(\S+)/.exec(text) ?? [];
  return { child: running.child, ended: running.ended, url, keys: KEYS };
}

/** Cancels and reinstates a subscription until the sandbox is killed; returns the confirmed changes. */
async function changeUntilKilled(home: string, most: number): Promise<number> {
  const server = await serve(home);
  expect(keyOf(server, 'full')).not.toBe('');
  let confirmed = 0;
  try {
    for (let isCanceled = false; ; isCanceled = !isCanceled) {
      if (confirmed === most) server.child.kill('SIGKILL');
      const path = isCanceled ? 'orders2/MONTHLY1/reinstate' : `tickets/MONTHLY1?${CANCEL}`;
      const { status } = await post(server as never, `/rest/1.3/${path}`);
      // The state that a killed sandbox left may be the other one.
      if (status < 300) confirmed += 1;
    }
  } catch {
    await server.ended();
    return confirmed;
  }
}

test('delivers every event at least once, and records none twice, when killed many times', async () => {
  const { folder, cb: runHere } = home();
  const run = async (line: string) => {
    const { code, err } = await runHere(line, { now: () => new Date() });
    expect({ line, code, err }).toMatchObject({ code: 0 });
  };
  await run('sandbox seed --orders 300');
  // Some are answered late, so that there are always some on their way.
  let count = 0;
  const to = await receive((_, response) => {
    count += 1;
    setTimeout(() => response.end(), count % 3 === 0 ? 40 : 0);
  });
  await run(`sandbox ins add ${to.url} --secret ${SECRET}`);
  let confirmed = 0;
  for (let round = 1; round <= ROUNDS; round += 1) {
    if (round % 3 === 0) {
      const advancing = cb(['sandbox', 'clock', 'advance', '30d'], { home: folder });
      await to.until(to.bodies.length + 5);
      advancing.child.kill('SIGKILL');
      await advancing.ended();
    } else confirmed += await changeUntilKilled(folder, (round * 7) % 23);
    expect(await damageIn(fileIn(folder))).toEqual([]);
  }
  await run('sandbox clock advance 1d');
  const rows = await rowsIn(
    fileIn(folder),
    `SELECT n.type, n.time, n.receipt, d.delivered, d.attempts FROM notification n
     JOIN delivery d ON d.notification_id = n.id ORDER BY n.id`,
  );
  expect(rows.filter(({ delivered }) => delivered !== 1)).toEqual([]);
  const changes = rows.filter(({ type }) => /CANCEL-REBILL/.test(String(type)));
  expect(changes.length).toBeGreaterThanOrEqual(confirmed);
  // Each event of the store is one of a transaction that was kept: each row of the orders list has exactly one.
  const [{ missing } = { missing: 0 }] = await rowsIn(
    fileIn(folder),
    `SELECT count(*) missing FROM txn t WHERE t.time > (SELECT min(time) FROM notification)
       AND t.type NOT LIKE '%FEE' AND 1 <> (SELECT count(*) FROM notification n
         WHERE n.receipt = t.receipt AND n.type = t.type AND n.time = t.time)`,
  );
  expect(missing).toBe(0);
  const received = to.events().map((event) => `${event.transactionType} ${event.receipt}`);
  const times = (list: readonly string[], text: string) =>
    list.filter((each) => each === text).length;
  const events = rows.map(({ type, receipt }) => `${type} ${receipt}`);
  const lost = [...new Set(events)].filter(
    (event) => times(received, event) < times(events, event),
  );
  expect(lost).toEqual([]);
  expect(events.length).toBeGreaterThan(ROUNDS * 5);
});
