/** A resumed export is byte for byte the same as one that was never interrupted, over an unreliable network and after kills, or its checkpoint is refused. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import type { Checkpoint } from '../../../src/features/lists/part-file.ts';
import { readStateFile } from '../../../src/features/lists/state-file.ts';
import type { Sandbox } from '../../../src/sandbox/http/server.ts';
import { cb, emptyHome, type Running, shortWaits } from '../../support/binary.ts';
import { home, now } from '../../support/cb.ts';
import { expectExit } from '../../support/refusal.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import type { Asked } from '../../support/server.ts';
import { openShop, shopKey } from '../../support/shop.ts';
import { tier } from '../../support/tier.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const quarter = '--start-date 2025-12-19 --end-date 2026-03-18';

/** A home, and a service with orders of the quarter that drops every response after request `from`. */
async function brokenService(from = 30, orders = 6000) {
  const shop = await openShop();
  for (let i = 0; i < orders; i++) {
    const day = new Date(now.getTime() - Math.floor((90 * i) / orders) * 86_400_000);
    shop.sell(`R${i}`, day.toISOString().slice(0, 10));
  }
  const state = { from };
  shop.disturb = (reply) => {
    const isLost = shop.asked.length > state.from;
    if (isLost) reply.destroy();
    return isLost;
  };
  const { cb, folder } = home();
  return {
    shop,
    state,
    mend: () => {
      state.from = Number.POSITIVE_INFINITY;
    },
    folder,
    list: (flags: string, { today = now, key = shopKey } = {}) => {
      const env = { ...shop.env, CB_API_KEY: key };
      return cb(`orders list ${flags}`, { env, clock: virtualClock(), now: () => today });
    },
    text: (name: string) => readFileSync(join(folder, name), 'utf8'),
  };
}

const daysOf = ({ url }: Asked) => {
  const query = new URL(url, 'http://x').searchParams;
  return `${query.get('startDate')}/${query.get('endDate')}`;
};

// The other formats of lines are written as csv is.
test.each(tier(['csv', 'json'], ['csv', 'tsv', 'json', 'ndjson']))(
  'keeps the complete windows of an interrupted export to %s, and --resume requests only the rest',
  async (format) => {
    const { shop, state, mend, folder, list, text } = await brokenService(Number.POSITIVE_INFINITY);
    const { asked } = shop;
    const line = `${quarter} --max-wait 0 --concurrency 2`;
    expect((await list(`${line} --out whole.${format}`)).code).toBe(0);
    const all = asked.length;
    state.from = all + 40;

    const stopped = await list(`${line} --out orders.${format}`);
    expectExit(stopped, 6, /\d+ rows are kept in .*orders\.\w+\.part\. Pass --resume to continue/);
    expect(existsSync(join(folder, `orders.${format}`))).toBe(false);

    const before = asked.length;
    mend();
    const resumed = await list(`${line} --out orders.${format} --resume`);
    expect(resumed).toMatchObject({ code: 0, err: '' });
    expect(text(`orders.${format}`)).toBe(text(`whole.${format}`));
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
    const first = new Set(asked.slice(all, before).map(daysOf));
    const again = new Set(asked.slice(before).map(daysOf));
    expect([...again].filter((window) => first.has(window)).length).toBeLessThanOrEqual(3);
    expect(asked.length - before).toBeLessThan(all);
  },
);

test('completes with --resume an export of two types that was stopped after its last rows', async () => {
  const shop = await openShop();
  shop.sell('R1', '2026-03-17');
  const { cb, folder } = home();
  const { env } = shop;
  const file = join(folder, 'x.ndjson');
  // So that the complete file can't be renamed.
  shop.disturb = () => mkdirSync(file, { recursive: true }) === '';
  const line = 'orders list --type SALE,RFND --period 2026-03 --fields receipt --out x.ndjson';
  expectExit(await cb(line, { env }), 8, /can't be written.* 1 row is kept in .*--resume/);
  const asked = shop.asked.length;
  rmdirSync(file);
  expect(await cb(`${line} --resume`, { env })).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(file, 'utf8')).toBe('{"receipt":"R1"}\n');
  expect(shop.asked).toHaveLength(asked);
});

test.each([
  ['of a command with other filters', '', '--type SALE'],
  // The Pacific days are the same in both zones.
  ['of another time zone', '--tz Asia/Tokyo', '--tz Asia/Kolkata'],
])('refuses with --resume the unfinished file %s', async (_, own, other) => {
  const { list, mend } = await brokenService();
  await list(`${quarter} ${own} --max-wait 0 --out orders.csv`);
  mend();
  const refused = await list(`${quarter} ${other} --out orders.csv --resume`);
  expectExit(refused, 2, /started by another command/);
  const line = `${quarter} ${own} --out orders.csv --resume`;
  expect(await list(line)).toMatchObject({ code: 0, err: '' });
});

test('counts the rows of both runs for --limit', async () => {
  const { list, mend, text } = await brokenService();
  await list(`${quarter} --limit 5000 --max-wait 0 --out orders.ndjson`);
  mend();
  expect((await list(`${quarter} --limit 5000 --out orders.ndjson --resume`)).code).toBe(0);
  const lines = text('orders.ndjson').trim().split('\n');
  expect(lines).toHaveLength(5000);
  expect(new Set(lines).size).toBe(5000);
});

test('exports the same days of a period such as last-90-days when resumed on the next day', async () => {
  const { list, mend, text } = await brokenService();
  const line = '--period last-90-days';
  await list(`${line} --max-wait 0 --out orders.csv`);
  mend();
  const tomorrow = { today: new Date(now.getTime() + 86_400_000) };
  expect((await list(`${line} --out orders.csv --resume`, tomorrow)).code).toBe(0);
  expect((await list(`${line} --out whole.csv`)).code).toBe(0);
  expect(text('orders.csv')).toBe(text('whole.csv'));
});

/** An export of 3,000 rows that was interrupted after some windows. */
async function brokenExport() {
  const { shop, state, mend, folder, list } = await brokenService(Number.POSITIVE_INFINITY, 3000);
  const run = (flags: string, key?: string) =>
    list(`${quarter} --fields receipt --max-wait 0 ${flags}`, { key });
  const [file, part] = [join(folder, 'orders.csv'), join(folder, 'orders.csv.part')];
  expect((await run('--out whole.csv')).code).toBe(0);
  state.from = shop.asked.length + 18;
  expect((await run('--out orders.csv --concurrency 1')).code).toBe(6);
  mend();
  const text = (path: string) => readFileSync(path, 'utf8');
  return {
    run: (key?: string) => run('--out orders.csv --resume', key),
    restart: () => run('--out orders.csv'),
    shop,
    file,
    part,
    checkpoint: `${part}.json`,
    text,
    whole: text(join(folder, 'whole.csv')),
    names: () => readdirSync(folder).filter((name) => name.startsWith('orders')),
  };
}

test('saves no progress after another process has taken over the file', async () => {
  const { run, shop, part, checkpoint, text } = await brokenExport();
  const before = text(checkpoint);
  shop.disturb = () => {
    writeFileSync(`${part}.lock`, '');
    return false;
  };
  expectExit(await run(), 8, /The lock file .*orders\.csv\.part\.lock was deleted or replaced/);
  expect(text(checkpoint)).toBe(before);
});

/** What is damaged, how, and what cb says. */
const damages: readonly (readonly [
  'checkpoint' | 'part',
  damage: (text: string) => string,
  says: RegExp,
])[] = [
  ['checkpoint', (text) => text.replace(/"windows":\d+/, '"windows":99'), /wrong checksum/],
  ['checkpoint', (text) => text.slice(0, -20), /wrong checksum/],
  ['checkpoint', () => '', /wrong checksum/],
  ['checkpoint', () => '{"version":2,"settings":"x"}', /an older version of cb wrote it/],
  ['part', (text) => text.slice(0, 100), /was changed since the export was stopped/],
  ['part', (text) => text.slice(0, 50) + text.slice(60) + text, /was changed/],
  ['part', (text) => text.replace('R1', 'X1'), /was changed/],
];

test('stores no key, and rejects another one and a damaged checkpoint or part file with exit code 2, until the export starts over', async () => {
  const { run, restart, text, file, whole, shop, ...files } = await brokenExport();
  const [part, asked] = [text(files.part), shop.asked.length];
  expect(text(files.checkpoint)).not.toContain(shopKey);
  expectExit(await run('API-OTHER'), 2, /another API key or service/);
  for (const [name, damage, says] of damages) {
    const before = text(files[name]);
    writeFileSync(files[name], damage(before));
    const refused = await run();
    expectExit(refused, 2, says);
    expectExit(refused, 2, 'Omit --resume to start over');
    expect(shop.asked).toHaveLength(asked);
    if (name === 'checkpoint') expect(text(files.part)).toBe(part);
    writeFileSync(files[name], before);
  }
  writeFileSync(files.checkpoint, '');
  expect((await restart()).code).toBe(0);
  expect(text(file)).toBe(whole);
});

type Broken = Awaited<ReturnType<typeof brokenExport>>;

test.each<[what: string, change: (at: Broken) => unknown]>([
  ['ends with half a line', ({ part }) => appendFileSync(part, 'half a li')],
  ['is gone', ({ part }) => rmSync(part)],
  // As by a run that was killed after it renamed its file.
  [
    'has been renamed',
    async ({ run, checkpoint, text }) => {
      const held = text(checkpoint);
      expect((await run()).code).toBe(0);
      writeFileSync(checkpoint, held);
    },
  ],
])('writes the whole file if the part file %s', async (_, change) => {
  const at = await brokenExport();
  await change(at);
  expect(await at.run()).toMatchObject({ code: 0, err: '' });
  expect(at.text(at.file)).toBe(at.whole);
  expect(at.names()).toEqual(['orders.csv']);
});

const pages = tier(50, 1000);
const kills = tier(2, 10);

// Each fault applies to the requests that the previous faults left: in total 2 % 429, 5 % truncated
// bodies, 5 % cut connections and 10 % 5xx.
const faults =
  '429=2%:1,truncate=5.2%,cut-before=2.7%,cut-after=2.8%,500=4%,502=4%,503=4.2%,seed=7';

/**
 * Resolves to true after a new checkpoint, rows after it in the part file, and this number of further
 * requests, or to false if the program ends before. Counts requests, since checkpoints can be missed.
 */
async function isInTheMiddle(
  { child }: Running,
  part: string,
  { requests }: Sandbox,
  more: number,
): Promise<boolean> {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const written = () => statSync(`${part}.json`, { throwIfNoEntry: false })?.mtimeMs;
  let last = written();
  const until = requests.length + more;
  let size: number | undefined;
  while (child.exitCode === null) {
    if (size !== undefined && sizeOf(part) > size && requests.length >= until) return true;
    await setTimeout(2);
    const next = written();
    if (next === last) continue;
    last = next;
    size = sizeOf(part);
  }
  return false;
}

/** Kills the program often, each time at a later window, and then lets it finish. */
async function killOften(start: () => Running, file: string, sandbox: Sandbox): Promise<void> {
  const random = xoroshiro128plus(7);
  const part = `${file}.part`;
  let windows = 0;
  for (let killed = 0, runs = 1; ; runs++) {
    expect(runs, `${killed} kills`).toBeLessThan(4 * kills);
    expect(existsSync(file)).toBe(false);
    const running = start();
    const more = 4 + (Math.abs(random.next()) % (pages / 25));
    if (killed < kills && (await isInTheMiddle(running, part, sandbox, more))) {
      running.child.kill('SIGKILL');
      await running.ended();
      expect(running.child.signalCode).toBe('SIGKILL');
      killed += 1;
      const held = await readStateFile<Checkpoint>(`${part}.json`, 3, '');
      expect(held?.windows).toBeGreaterThan(windows);
      expect(statSync(part).size, 'rows after the checkpoint').toBeGreaterThan(held?.bytes ?? 0);
      windows = held?.windows ?? 0;
      continue;
    }
    const { code, err } = await running.ended();
    if (code === 0) return void expect(killed).toBe(kills);
    // A page that fails six times in a row ends a run; the next run continues.
    expect(code, err).toBe(6);
    expect(err).toMatch(/rows are kept in .*orders\.csv\.part\. Pass --resume to continue/);
  }
}

test('exports the same bytes as an undisturbed run despite 10 percent 5xx, 5 percent cut connections, 5 percent truncated bodies, 2 percent 429 with Retry-After, and kill -9', async () => {
  const { sandbox, env } = await serveSandbox({ orders: pages * 100 });
  const at = { home: emptyHome(), env: { ...env, ...shortWaits(50) } };
  const year = 'orders list --start-date 2025-03-19 --end-date 2026-03-18';
  const start = (flags: string) => cb(`${year} ${flags}`.split(' '), at);
  const says = /^(note: The list leaves out .*)?$/;
  expectExit(await start('--out whole.csv').ended(), 0, says);
  const asked = sandbox.requests.filter(({ path }) => path.includes('/list')).length;
  expect(asked).toBeGreaterThanOrEqual(pages);
  const beside = readdirSync(at.home);

  sandbox.setFaults(faults);
  const file = join(at.home, 'orders.csv');
  await killOften(() => start('--out orders.csv --resume --max-wait 60'), file, sandbox);

  for (const [name, percent] of Object.entries({ 5: 10, cut: 5, truncate: 5, 429: 2 })) {
    const met = sandbox.requests.filter(({ fault }) => fault?.startsWith(name)).length;
    expect(met, name).toBeGreaterThanOrEqual((pages * percent) / 100);
  }
  const all = sandbox.requests.length - asked;
  expect(all, 'most pages are requested once').toBeLessThan(3 * asked);
  const whole = readFileSync(join(at.home, 'whole.csv'));
  expect(whole.toString().split('\n').length).toBeGreaterThan(pages * 100);
  expect(readFileSync(file).equals(whole)).toBe(true);
  expect(readdirSync(at.home).sort()).toEqual([...beside, 'orders.csv'].sort());
});
