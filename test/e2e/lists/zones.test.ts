/** --tz: tables and cards show times in the requested time zone, and name it. */
import { expect, test } from 'vitest';
import { home, type Options } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';

const winter = '2026-02-18T15:11:38-08:00';
const summer = '2026-07-01T00:05:00-07:00';
/** On this day, daylight saving time has begun in Los Angeles but not in Berlin. */
const between = '2026-03-10T23:30:00-07:00';
const times = [winter, summer, between];

async function table(options: string, world: Options = {}) {
  const { env } = await serve((reply) =>
    reply.end(
      JSON.stringify({
        orderData: times.map((transactionTime, i) => ({ receipt: `A${i}`, transactionTime })),
      }),
    ),
  );
  const { code, out, err } = await home().cb(`orders list --period 2026 ${options}`, {
    ...world,
    env: { ...env, NO_COLOR: '1' },
  });
  expect({ code, err: err.replace(/^\d+ columns? .*(\n {4}.*)*\n/m, '') }).toEqual({
    code: 0,
    err: '',
  });
  return out.split('\n');
}

const pacific = ['2026-02-18 15:11', '2026-07-01 00:05', '2026-03-10 23:30'];
const berlin = ['2026-02-19 00:11', '2026-07-01 09:05', '2026-03-11 07:30'];
const adelaide = ['2026-02-19 09:41', '2026-07-01 16:35', '2026-03-11 17:00'];

test.each([
  ['', 'America/Los_Angeles', 'Time', pacific],
  ['', 'Europe/Berlin', 'Time (Pacific)', pacific],
  ['--tz Europe/Berlin', 'Europe/Berlin', 'Time', berlin],
  ['--tz europe/berlin', 'UTC', 'Time (Europe/Berlin)', berlin],
  ['--tz Australia/Adelaide', 'UTC', 'Time (Australia/Adelaide)', adelaide],
  ['--tz America/Los_Angeles', 'UTC', 'Time (Pacific)', pacific],
])(
  'prints a table with %j on a terminal in %s with the heading %s',
  async (tz, zone, heading, expected) => {
    const lines = await table(`-o table --fields transactionTime ${tz}`, { zone });
    expect(lines.slice(0, 4)).toEqual([heading, ...expected]);
  },
);

test('keeps the time zone in the heading of the first time of a narrow table', async () => {
  const [header] = await table('--tz Europe/Berlin', { zone: 'UTC', columns: 60 });
  expect(header).toContain('Time (Europe/Berlin)');
});

test('keeps times in csv and json as ClickBank sent them', async () => {
  for (const format of ['csv', 'json']) {
    const lines = await table(`-o ${format} --fields transactionTime --tz Europe/Berlin`);
    expect(lines.join()).toContain(winter);
  }
});

test('shows times of cards and the tables inside them in the time zone', async () => {
  const ticket = {
    ticketid: '7',
    openedDate: winter,
    comments: [{ date: summer, comment: 'Hello' }],
  };
  const { env } = await serve((reply) => reply.end(JSON.stringify({ ticketData: ticket })));
  const { out } = await home().cb('tickets get 7 -o table --tz UTC', { env, zone: 'Asia/Tokyo' });
  expect(out).toMatch(/^Opened \(UTC\) +2026-02-18 23:11$/m);
  expect(out).toMatch(/^ +Date \(UTC\) +Comment/m);
  expect(out).toMatch(/^ +2026-07-01 07:05 +Hello$/m);
});
