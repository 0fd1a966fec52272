/** --tz: a day is a day in that zone, in lists, counts and exports, although ClickBank counts Pacific days; tables show and name the zone. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { home, type Options, sandboxHome } from '../../support/cb.ts';
import { linesOf } from '../../support/lines.ts';
import { expectExit } from '../../support/refusal.ts';
import { jsonOf, servedShop } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';
import { type Entry, openLedger } from '../../support/shop.ts';
import { tier } from '../../support/tier.ts';

const at = (time: string, receipt: string): Entry => ({ time, receipt });

/** Sales around midnight in Tokyo, where it is 17 hours later than in Los Angeles. */
const sales = [
  at('2026-11-23T08:05:00-08:00', 'T0105'),
  at('2026-11-23T07:32:00-08:00', 'T0032'),
  at('2026-11-23T07:00:00-08:00', 'MIDNIGHT'),
  at('2026-11-23T06:59:59-08:00', 'LASTSEC'),
  at('2026-11-22T12:00:00-08:00', 'MORNING'),
  at('2026-11-22T07:00:00-08:00', 'FIRSTSEC'),
  at('2026-11-22T06:59:59-08:00', 'BEFORE'),
];

/** 00:58 in Tokyo on November 24. */
const tokyo = () => new Date('2026-11-23T15:58:00Z');

async function receipts(line: string, now = tokyo, entries = sales) {
  const { env } = await openLedger(entries.filter(({ time }) => Date.parse(time) <= +now()));
  const ran = await home().cb(`${line} --fields receipt -o csv --no-header`, { env, now });
  expect(ran).toMatchObject({ code: 0, err: '' });
  return linesOf(ran.out);
}

test('shows the sale of 00:32 at 00:58 in Tokyo as one of today', async () => {
  const of = (options: string) => receipts(`orders list --tz Asia/Tokyo ${options}`);
  expect(await of('--period today')).toEqual(['T0032', 'MIDNIGHT']);
  expect(await of('--period yesterday')).toEqual(['LASTSEC', 'MORNING', 'FIRSTSEC']);
  expect(await of('--since 2026-11-24')).toEqual(['T0032', 'MIDNIGHT']);
  expect(await of('--since 22/11/2026 --until 11/22/2026')).toEqual(['BEFORE']);
});

test('lists and counts yesterday and today in the zone if no dates are typed', async () => {
  const { env, asked } = await openLedger(sales);
  const run = async (line: string) => (await home().cb(`orders ${line}`, { env, now: tokyo })).out;
  const listed = await run('list --tz Asia/Tokyo --fields receipt -o csv --no-header');
  expect(listed).toBe('T0105\nT0032\nMIDNIGHT\nLASTSEC\nMORNING\nFIRSTSEC\n');
  expect(await run('count --tz Asia/Tokyo')).toBe('6\n');
  expect(await run('count --tz Asia/Tokyo --since yesterday')).toBe('6\n');
  // In its own zone, ClickBank chooses the days.
  await run('count --tz US/Pacific');
  expect(asked.at(-1)?.url).toBe('/rest/1.3/orders2/count');
});

test('asks ClickBank only for the Pacific days that a day in the zone touches', async () => {
  const { env, lists } = await openLedger(sales);
  const { cb } = home();
  const days = async (options: string) => {
    const before = lists().length;
    await cb(`orders list ${options} -o csv`, { env, now: tokyo });
    const asked = lists().slice(before);
    return asked.flatMap(({ url }) => /startDate=(.*)&endDate=([^&]*)/.exec(url)?.slice(1) ?? []);
  };
  expect(new Set(await days('--period yesterday --tz Asia/Tokyo'))).toEqual(
    new Set(['2026-11-22', '2026-11-23']),
  );
  const pacific = ['2026-11-22', '2026-11-22'];
  expect(await days('--period yesterday --tz America/Los_Angeles')).toEqual(pacific);
  // Its days are the same moments, so a single page is complete.
  expect(await days('--period yesterday --tz America/Vancouver --page 1')).toEqual(pacific);
});

test.each([
  ['a day of 23 hours', 'Europe/Berlin', '2026-03-29', 23],
  ['a day of 25 hours', 'Europe/Berlin', '2026-10-25', 25],
  ['a zone with half hours', 'Asia/Kolkata', '2026-11-20', 24],
  ['a day that begins at one', 'Africa/Cairo', '2026-04-24', 23],
  ['the date line', 'Pacific/Kiritimati', '2026-11-20', 24],
  ['the other side of it', 'Pacific/Honolulu', '2026-11-20', 24],
  ['a change of half an hour', 'Australia/Lord_Howe', '2026-10-04', 23.5],
])('cuts %s to the second: %s, %s', async (_, zone, day, hours) => {
  const half = 1_800_000;
  const noon = Date.parse(`${day}T12:00:00Z`);
  const times = Array.from({ length: 96 }, (_, i) => noon + (i - 60) * half);
  const start = times.find((time) => dayIn(zone, time) === day) ?? Number.NaN;
  const moments = [start - 1000, start, start + hours * 2 * half - 1000, start + hours * 2 * half];
  const entries = moments.map((time, i) => at(new Date(time).toISOString(), `R${i}`)).toReversed();
  const now = () => new Date('2026-12-31T00:00:00Z');
  const line = `orders list --period ${day} --tz ${zone}`;
  expect(await receipts(line, now, entries)).toEqual(['R2', 'R1']);
});

/** Zones behind ClickBank's, ahead of it, and with a half-hour offset. */
const zones = ['Pacific/Honolulu', 'Europe/Berlin', 'Asia/Kolkata'];

interface Row {
  readonly receipt: string;
  readonly transactionTime: string;
}

/** A shop whose clock the test sets: new orders come in as it advances. */
async function movingShop() {
  let time = new Date('2026-10-20T12:00:00Z');
  const options = { now: () => time };
  const at = await servedShop({ orders: 1000, randomSeed: 2, at: options.now });
  const rows = (line: string): Promise<Row[]> => jsonOf(at, line, options);
  const set = (moment: number) => {
    time = new Date(moment);
  };
  return { ...at, rows, options, set };
}

const idOf = ({ receipt, transactionTime }: Row) => `${receipt} ${transactionTime}`;

function dayIn(timeZone: string, time: number | string): string {
  const inZone = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return inZone.format(new Date(time));
}

const hours = 3_600_000;

const dayBefore = (day: string) => dayIn('UTC', Date.parse(day) - 24 * hours);

test('counts what it lists, in random zones and periods', async () => {
  const shop = await movingShop();
  const all = await shop.rows('orders list --period last-80-days');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...zones, ...Intl.supportedValuesOf('timeZone')),
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 9 }),
      async (zone, back, length) => {
        const first = dayIn('UTC', Date.parse('2026-10-18') - back * 24 * hours);
        const last = dayIn('UTC', Date.parse(first) + length * 24 * hours);
        const asked = `--since ${first} --until ${last} --tz ${zone}`;
        const wanted = all.filter(({ transactionTime }) => {
          const day = dayIn(zone, transactionTime);
          return first <= day && day <= last;
        });
        const listed = await shop.rows(`orders list ${asked}`);
        expect(listed.map(idOf).sort()).toEqual(wanted.map(idOf).sort());
        const counted = await shop.cb(`orders count ${asked}`, shop.options);
        expect(counted).toMatchObject({ code: 0, out: `${wanted.length}\n` });
      },
    ),
    { numRuns: tier(3, 25) },
  );
});

test('adds each order to a file once, from the first day of the zone on', async () => {
  const shop = await movingShop();
  const begin = Date.parse('2026-10-28T16:10Z');
  const fileOf = (zone: string) => `${zone.replace('/', '-')}.csv`;
  for (const step of tier([0, 0.3, 15.2, 24, 130], [0, 0.3, 9, 15, 15.2, 24, 40, 130, 131])) {
    shop.set(begin + step * hours);
    for (const zone of zones) {
      const file = fileOf(zone);
      const line = `orders list --since-last ${file} --append ${file} --tz ${zone}`;
      const ran = await shop.cb(`${line} --fields receipt,transactionTime`, shop.options);
      expect(ran).toMatchObject({ code: 0, err: '' });
    }
  }
  const all = await shop.rows('orders list --period last-30-days');
  for (const zone of zones) {
    const first = dayBefore(dayIn(zone, begin));
    const wanted = all.filter(({ transactionTime }) => dayIn(zone, transactionTime) >= first);
    const text = readFileSync(join(shop.folder, fileOf(zone)), 'utf8');
    const rows = text.trim().split('\n').slice(1);
    expect(rows.length).toBeGreaterThan(20);
    const lines = wanted.map(({ receipt, transactionTime }) => `${receipt},${transactionTime}`);
    expect([zone, ...rows.sort()]).toEqual([zone, ...lines.sort()]);
  }
});

test('continues an incremental export from the days of its first run, whatever --tz says later', async () => {
  const entries = [...sales];
  const { env } = await openLedger(entries);
  const { cb } = home();
  const line = 'orders list --since-last x --since 2026-11-23 --fields receipt -o csv --no-header';
  const run = async (options: string) => (await cb(`${line} ${options}`, { env, now: tokyo })).out;
  expect(await run('--tz Asia/Tokyo')).toBe('T0105\nT0032\nMIDNIGHT\nLASTSEC\nMORNING\nFIRSTSEC\n');
  entries.push(at('2026-11-22T06:00:00-08:00', 'LATEOLD'), at('2026-11-22T08:00:00-08:00', 'LATE'));
  expect(await run('--tz Asia/Tokyo')).toBe('LATE\n');
  expect(await run('')).toBe('');
});

test('lists tickets and shipments, and finds both, by days in a time zone', async () => {
  const { cb } = await servedShop({ orders: 3000 });
  const json = async (line: string) => JSON.parse((await cb(`${line} -o json`)).out);
  const expectDays = async (
    line: string,
    zone: string,
    time: string[],
    all: readonly Record<string, string>[],
  ) => {
    const wanted = all.filter((row) => {
      const day = dayIn(zone, time.map((name) => row[name]).find(Boolean) ?? '');
      return day >= '2026-03-01' && day <= '2026-03-12';
    });
    expect(wanted.length).toBeGreaterThan(0);
    const found = await json(`${line} --tz ${zone}`);
    expect(found).toHaveLength(wanted.length);
    expect(found).toEqual(expect.arrayContaining(wanted));
  };
  for (const [name, field] of [
    ['create', 'openedDate'],
    ['update', 'updateTime'],
    ['close', 'closedDate'],
  ] as const) {
    const list = (from: string, to: string) =>
      `tickets list --${name}-date-from 2026-${from} --${name}-date-to 2026-${to}`;
    const all = await json(list('02-25', '03-16'));
    for (const zone of tier([name === 'create' ? 'Asia/Kolkata' : 'Pacific/Honolulu'], zones)) {
      await expectDays(list('03-01', '03-12'), zone, [field], all);
    }
  }
  for (const generation of ['1', '2', '3']) {
    const list = `ship list --generation ${generation}`;
    const days = '--since 2026-03-01 --until 2026-03-12';
    const all = await json(`${list} --days 60`);
    for (const zone of tier(zones.slice(Number(generation) - 1, Number(generation)), zones)) {
      await expectDays(`${list} ${days}`, zone, ['orderDate', 'transactionTime'], all);
      const count = await json(`ship count --generation ${generation} ${days} --tz ${zone}`);
      expect(count).toBe((await json(`${list} ${days} --tz ${zone}`)).length);
    }
  }
  const days = '--since 2026-03-08 --until 2026-03-12 --tz Asia/Tokyo';
  const found = await json(`find '%@example%' ${days}`);
  const orders: Row[] = await json(`orders list --email '%@example%' ${days}`);
  expect(found.orders.map(idOf).sort()).toEqual(orders.map(idOf).sort());
  expect(orders.length).toBeGreaterThan(0);
  const tickets: unknown[] = await json(`tickets list ${days}`);
  expect(tickets.length).toBeGreaterThan(0);
  expect(found.tickets).toHaveLength(tickets.length);
  expect(found.tickets).toEqual(expect.arrayContaining(tickets));
});

test('reads only the rows of days that the period has in part, and lets ClickBank count the others', async () => {
  const { cb, asked } = await servedHome((reply, _, { url }) => {
    const day = /startDate=([^&]*)/.exec(url)?.[1];
    const row = { receipt: 'A1', transactionTime: `${day}T16:00:00-08:00` };
    reply.end(url.includes('/count') ? '10' : JSON.stringify({ orderData: row }));
  });
  const count = 'orders count --since 2026-01-10 --until 2026-03-10 --tz Europe/Berlin';
  expect(await cb(count)).toEqual({ code: 0, out: '11\n', err: '' });
  const requests = asked.map(({ url }) => url.replace('/rest/1.3/orders2/', ''));
  expect(requests.sort()).toEqual([
    'count?startDate=2026-01-10&endDate=2026-03-09',
    'list?startDate=2026-01-09&endDate=2026-01-09',
    'list?startDate=2026-03-10&endDate=2026-03-10',
  ]);
});

/** Half an hour after midnight at ClickBank, when the orders of yesterday can still arrive. */
const early = () => new Date('2026-11-23T08:30:00Z');

test.each([
  ['an hour after midnight in Tokyo', '--limit 2 --tz Asia/Tokyo', tokyo, ['MIDNIGHT', 'T0032']],
  ['half an hour after midnight at ClickBank', '--limit 1', early, ['EARLY']],
])('begins to watch with the orders of today %s', async (_, options, now, expected) => {
  const all = [...sales.slice(0, 4), at('2026-11-23T00:10:00-08:00', 'EARLY'), ...sales.slice(4)];
  const { env } = await openLedger(all.filter(({ time }) => Date.parse(time) <= +now()));
  const line = `orders watch --today --every 1 ${options} -o csv --fields receipt --no-header`;
  const { out } = await home().cb(line, { env, now });
  expect(out.trim().split('\n')).toEqual(expected);
});

test('accepts the time zone of ClickBank for figures by Pacific day', async () => {
  const { code, err } = await (await sandboxHome(60)).cb('--sandbox summary --tz US/Pacific');
  expect({ code, err }).toEqual({ code: 0, err: '' });
});

test('says that the day of a row without a time is unknown in another time zone', async () => {
  const { cb } = await servedHome((reply) => reply.end('{"orderData":{"receipt":"A1"}}'));
  const says = 'A row has no transactionTime, so its day in the time zone is unknown.';
  expectExit(await cb('orders list --period today --tz Asia/Tokyo'), 5, says);
});

const winter = '2026-02-18T15:11:38-08:00';
const summer = '2026-07-01T00:05:00-07:00';
/** On this day, daylight saving time has begun in Los Angeles but not in Berlin. */
const between = '2026-03-10T23:30:00-07:00';
const orderData = [winter, summer, between].map((transactionTime, i) => ({
  ...{ receipt: `A${i}`, transactionTime },
}));

async function table(options: string, world: Options = {}) {
  const { cb } = await servedHome((reply) => reply.end(JSON.stringify({ orderData })));
  const ran = await cb(`orders list --period 2026 --no-color ${options}`, world);
  expectExit(ran, 0, /^(?:\d+ columns? (?:is|are) not shown\. [^.]+\. )?$/);
  return ran.out.split('\n');
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
])('with %j on a terminal in %s, prints the heading %s', async (tz, zone, heading, expected) => {
  const lines = await table(`-o table --fields transactionTime ${tz}`, { zone });
  expect(lines.slice(0, 4)).toEqual([heading, ...expected]);
});

test('keeps the time zone in the heading of the first time of a narrow table', async () => {
  const [header] = await table('--tz Europe/Berlin', { zone: 'UTC', columns: 60 });
  expect(header).toContain('Time (Europe/Berlin)');
});

test('shows times of cards and the tables inside them in the time zone', async () => {
  const comments = [{ date: summer, comment: 'Hello' }];
  const ticketData = { ticketid: '7', openedDate: winter, comments };
  const { cb } = await servedHome((reply) => reply.end(JSON.stringify({ ticketData })));
  const { out } = await cb('tickets get 7 -o table --tz UTC', { zone: 'Asia/Tokyo' });
  expect(out).toMatch(/^Opened \(UTC\) +2026-02-18 23:11$/m);
  expect(out).toMatch(/^ +Date \(UTC\) +Comment/m);
  expect(out).toMatch(/^ +2026-07-01 07:05 +Hello$/m);
});
