/** Each event of the sandbox is one notification, whether a request, the clock or a new sale causes it. */
import { expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { listAll, openSandbox, post } from '../raw.ts';
import { DAY } from '../tickets/ticket-raw.ts';
import { type Notification, type Receiver, receive, SECRET } from './receiver.ts';

async function told({
  orders = 60,
  version = 8,
} = {}): Promise<{ sandbox: Sandbox; to: Receiver }> {
  const sandbox = await openSandbox({ seed: { orders } });
  const to = await receive();
  sandbox.notifications.add({ url: to.url, secret: SECRET, version });
  return { sandbox, to };
}

const brief = ({ transactionType, receipt }: Notification) => `${transactionType} ${receipt}`;

async function sent(sandbox: Sandbox, path: string): Promise<void> {
  const { status, text } = await post(sandbox, `/rest/1.3/${path}`, { 'Content-Length': '0' });
  expect([path, status < 300, text]).toEqual([path, true, text]);
}

test.each([
  [
    'a cancellation',
    'tickets/MONTHLY1?type=cncl&reason=ticket.type.cancel.1',
    ['CANCEL-REBILL MONTHLY1'],
  ],
  ['a reinstatement', 'orders2/CANCEL01/reinstate', ['UNCANCEL-REBILL CANCEL01']],
  ['a pause, which has no notification', 'orders2/MONTHLY1/pause?restartDate=2026-05-10', []],
])('tells of %s by request', async (_, path, expected) => {
  const { sandbox, to } = await told();
  await sent(sandbox, path);
  await sandbox.close().catch(() => undefined);
  expect(to.events().map(brief)).toEqual(expected);
});

test('sends exactly the rows that appear in the orders list over a month of clock', async () => {
  const { sandbox, to } = await told({ orders: 400 });
  const before = await listAll(sandbox, '');
  await sandbox.advance(31 * DAY);
  const known = new Set(
    before.map((row) => JSON.stringify([row.receipt, row.transactionType, row.transactionTime])),
  );
  const rows = (await listAll(sandbox, '')).filter(
    (row) =>
      !known.has(JSON.stringify([row.receipt, row.transactionType, row.transactionTime])) &&
      !/FEE/.test(String(row.transactionType)),
  );
  const money = to
    .events()
    .filter(({ transactionType }) => !/REBILL|CHG|INSF/.test(transactionType));
  const flat = (time: unknown) => String(time).replace(/[-:](?=\d\d[-:T])/g, '');
  console.log(rows.length, money.length, new Set(to.events().map((e) => e.transactionType)));
  console.log(to.texts()[0]);
  void flat;
  expect(money.length).toBe(rows.length);
});
