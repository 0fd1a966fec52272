/** What people type for dates, types and receipts of a list, on the built-in sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Home, home, sandboxHome } from '../../support/cb.ts';
import { sandboxJson, serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

interface Order {
  readonly receipt: string;
  readonly transactionType: string;
  readonly transactionTime: string;
}

const year = 'orders list --period this-year --fields receipt,transactionType,transactionTime';

/** The days that a command line requests. */
async function daysOf(options: string, command = 'orders count'): Promise<(string | null)[]> {
  const { env, asked } = await serve((reply) => reply.end('1'));
  await home().cb(`${command} ${options} --max-wait 0`, { env });
  const query = new URL(`http://x${asked.at(-1)?.url}`).searchParams;
  return [query.get('startDate'), query.get('endDate')];
}

describe('A day or a period', () => {
  test.each([
    ["--since '20 Nov'", '2025-11-20', '2026-03-18'],
    ["--since 'Nov 20, 2025' --until 11/30/2025", '2025-11-20', '2025-11-30'],
    ['--since 7d', '2026-03-11', '2026-03-18'],
    ['--since -7d --until yesterday', '2026-03-11', '2026-03-17'],
    ['--start-date 2026/03/01', '2026-03-01', '2026-03-18'],
    ['--start-date 13/02/2026 --until 2w', '2026-02-13', '2026-03-04'],
    ["--period 'last 7 days'", '2026-03-12', '2026-03-18'],
    ['--period 7d', '2026-03-12', '2026-03-18'],
    ['--period last-quarter', '2025-10-01', '2025-12-31'],
    ["--period 'nov 2025'", '2025-11-01', '2025-11-30'],
    ['--period 2026-w10', '2026-03-02', '2026-03-08'],
  ])('%s requests %s to %s', async (options, first, last) => {
    expect(await daysOf(options)).toEqual([first, last]);
  });

  test.each(['quickstats count', 'ship count', 'analytics trends --role VENDOR --account A'])(
    'is selected with --since and --until in cb %s',
    async (command) => {
      const days = await daysOf('--since 2026-03-01 --until 2026-03-02', command);
      expect(days).toEqual(['2026-03-01', '2026-03-02']);
    },
  );

  test('selects tickets by the day on which they were opened with --since', async () => {
    const at = await sandboxHome(60);
    const since = await sandboxJson(at, 'tickets list --since 2026-03-10');
    expect(since).toEqual(await sandboxJson(at, 'tickets list --create-date-from 2026-03-10'));
    expect(since.length).toBeGreaterThan(0);
  });
});

describe('A duration', () => {
  test('ends a slow request with --timeout 50ms, and counts seconds without a unit', async () => {
    const { env } = await serve((reply) => void setTimeout(() => reply.end('1'), 500));
    const count = 'orders count --period today --max-wait 0';
    expect(await home().cb(`${count} --timeout 50ms`, { env })).toMatchObject({ code: 6 });
    expect(await home().cb(`${count} --timeout 50`, { env })).toMatchObject({
      code: 0,
      out: '1\n',
    });
  });
});

describe('Several types', () => {
  /** The orders of the year with these types, as one list of all types shows them. */
  async function expected(at: Home, ...types: string[]): Promise<Order[]> {
    const all: Order[] = await sandboxJson(at, year);
    return all.filter(({ transactionType }) => types.includes(transactionType));
  }

  test('are merged in the order of the service, without a row twice', async () => {
    const at = await sandboxHome(900);
    const wanted = await expected(at, 'RFND', 'CGBK', 'BILL');
    expect(wanted.length).toBeGreaterThan(100);
    expect(await sandboxJson(at, `${year} --type refund,chargeback --type rebill`)).toEqual(wanted);
    expect(await sandboxJson(at, `${year} --type refund,chargebacks,BILL --limit 60`)).toEqual(
      wanted.slice(0, 60),
    );
    const { out } = await at.cb(
      '--sandbox orders count --period this-year --type refund,chargeback,bill',
    );
    expect(Number(out)).toBe(wanted.length);
  });

  test('are one request when they are the same', async () => {
    const { sandbox, env } = await serveSandbox();
    await home().cb('orders list --period yesterday --type refund,RFND -o json', { env });
    expect(sandbox.requests.filter(({ path }) => path.includes('/list'))).toHaveLength(1);
  });

  test('can be exported to a file, resumed, and exported incrementally, each row once', async () => {
    const at = await sandboxHome();
    const wanted = (await expected(at, 'RFND', 'BILL')).map(
      ({ receipt, transactionType }) => `${receipt},${transactionType}`,
    );
    const line =
      '--sandbox orders list --period this-year --type refund,rebill --fields receipt,transactionType';
    expect(await at.cb(`${line} --out year.csv --resume`)).toMatchObject({ code: 0 });
    const rows = readFileSync(join(at.folder, 'year.csv'), 'utf8').trimEnd().split('\n').slice(1);
    expect(rows).toEqual(wanted);
    const since =
      '--sandbox orders list --since 2026-01-01 --type refund,rebill --since-last sheet -o csv --no-header --fields receipt,transactionType';
    const first = await at.cb(since);
    expect(first.out.trimEnd().split('\n')).toEqual(wanted);
    expect(await at.cb(since)).toMatchObject({ code: 0, out: '' });
  });

  test('of tickets are merged by the time they were opened', async () => {
    const at = await sandboxHome(5000);
    const all: { type: string; status: string }[] = await sandboxJson(
      at,
      'tickets list --since -60d',
    );
    const wanted = all.filter(
      ({ type, status }) => type !== 'TECH_SUPPORT' && status !== 'REOPENED',
    );
    expect(
      await sandboxJson(at, 'tickets list --since -60d --type refund,cancel --status open,closed'),
    ).toEqual(wanted);
    expect(wanted.length).toBeGreaterThan(20);
  });
});

test('prints the rows of several receipts in order, none twice, however they are typed', async () => {
  const at = await sandboxHome(60);
  const one: Order[] = await sandboxJson(at, "orders get ' digital1 '");
  const other: Order[] = await sandboxJson(at, 'orders get MONTHLY1');
  for (const typed of ['digital1 MONTHLY1 DIGITAL1', 'digital1,MONTHLY1']) {
    expect(await sandboxJson(at, `orders get ${typed}`)).toEqual([...one, ...other]);
  }
  const piped = await at.cb('--sandbox orders get - -o json', { stdin: 'DIGITAL1\nMONTHLY1\n' });
  expect(JSON.parse(piped.out)).toEqual([...one, ...other]);
  const some = await at.cb('--sandbox orders get DIGITAL1 NONE0001 MONTHLY1 -o json');
  expect(some).toMatchObject({ code: 8, err: expect.stringMatching(/^cb: NONE0001: /) });
  expect(JSON.parse(some.out)).toEqual([...one, ...other]);
  expect((await at.cb('--sandbox orders get NONE0001 NONE0002')).code).toBe(4);
  expect((await at.cb('--sandbox orders get NONE0001')).code).toBe(4);
});

test('suggests a filter with % if one without it finds nothing, where the service accepts it', async () => {
  const { cb } = await sandboxHome(60);
  const year = '--period this-year --email';
  for (const [line, note] of [
    [`orders list ${year} ada -o json`, "use --email '%ada%'."],
    [`orders count ${year} ada`, "use --email '%ada%'."],
    ['tickets list --receipt month -o json', "use --receipt 'MONTH%'."],
    [`orders list ${year} '%a%' -o json`, ''],
    [`orders list ${year} '%zzz%' -o json`, ''],
  ] as const) {
    const { code, err } = await cb(`--sandbox ${line}`);
    expect({ line, code, isNoted: err !== '' }).toEqual({ line, code: 0, isNoted: note !== '' });
    expect(err).toContain(note);
  }
});
