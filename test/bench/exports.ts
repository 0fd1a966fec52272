/**
 * `npm run bench`: compares cb's exports with alternatives, on a local server. Under latency, only csv runs beside the
 * loop, because the format hardly matters there. `npm run bench -- memory` measures the memory of long lists instead.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { orders } from '../../src/operations/orders.ts';
import {
  benchmark,
  type Command,
  cb,
  cbEnv,
  type Medians,
  measure,
  printTable,
  printVerdicts,
  type Requirement,
  ratio,
  runRounds,
  thousands,
  type World,
} from './runner.ts';
import { periodOf, rowsOnAPage } from './service.ts';

/** Delays of the server in milliseconds. */
const latencies = [0, 50, 200] as const;
type Latency = (typeof latencies)[number];

/** An export of some pages. */
interface Task {
  /** Empty but for the programs of the benchmark. */
  readonly folder: string;
  /** The URL of the list, for contenders that build their own requests. */
  readonly url: string;
  readonly pages: number;
}

interface Contender {
  readonly says: string;
  /** Enough pages to measure the rate at a latency. */
  readonly pages: Readonly<Record<Latency, number>>;
  /** Programs that must be on the PATH. */
  readonly needs?: readonly string[];
  command(task: Task): Command;
}

const here = fileURLToPath(new URL('programs/', import.meta.url));
const columns = JSON.stringify(Object.keys(orders.list.returns.resource.fields));

/** Prefetching needs time to reach its rate; sequential requests reach it soon. */
const manyPages = { 0: 1000, 50: 400, 200: 400 };

function listWith(flags: readonly string[], out?: string): Contender {
  return {
    says: ['cb', ...flags, ...(out === undefined ? [] : ['--out', out])].join(' '),
    pages: manyPages,
    command({ folder, pages }) {
      const { startDate, endDate } = periodOf(pages);
      const period = ['--start-date', startDate, '--end-date', endDate];
      return cb(['orders', 'list', ...period, ...flags], out && join(folder, out));
    },
  };
}

/** The loop is the baseline of all others. */
const contenders: Readonly<Record<string, Contender>> = {
  csv: listWith(['-o', 'csv']),
  tsv: listWith(['-o', 'tsv']),
  ndjson: listWith(['-o', 'ndjson']),
  json: listWith(['-o', 'json']),
  file: listWith([], 'orders.csv'),
  xml: { ...listWith(['-o', 'csv', '--wire', 'xml']), pages: { ...manyPages, 0: 100 } },
  loop: {
    says: 'undici in a loop',
    pages: { 0: 1000, 50: 80, 200: 40 },
    command: ({ folder, url }) => ({
      file: process.execPath,
      args: [join(folder, 'loop.cjs'), url],
    }),
  },
  curl: {
    says: 'curl | jq in a loop',
    pages: { 0: 60, 50: 40, 200: 20 },
    needs: ['bash', 'curl', 'jq'],
    command: ({ url, pages }) => ({
      file: 'bash',
      args: [join(here, 'curl-jq.sh'), url, String(pages), columns],
    }),
  },
};

/** A complete run takes at most five minutes. */
const raceSeconds: Readonly<Record<Latency, number>> = { 0: 220, 50: 20, 200: 40 };

interface Standing extends Medians {
  readonly says: string;
  readonly pages: number;
  readonly rowsASecond: number;
  /** Microseconds. */
  readonly cpuARow: number | undefined;
}

type Standings = ReadonlyMap<string, Standing>;

/** Runs the contenders that are installed. Throws if one of them loses rows. */
async function race(world: World, origin: string, latency: Latency): Promise<Standings> {
  const missing: string[] = [];
  const racing = latency === 0 ? Object.keys(contenders) : ['csv', 'loop'];
  const entrants = racing.flatMap((name) => {
    const contender = contenders[name] as Contender;
    const { says, needs = [] } = contender;
    const lacks = needs.filter((program) => spawnSync(program, ['--version']).status !== 0);
    if (lacks.length > 0) missing.push(`  ${says}: not installed: ${lacks.join(', ')}`);
    return lacks.length > 0 ? [] : [{ name, pages: contender.pages[latency], contender }];
  });
  const tasks = entrants.map(({ name, pages, contender }) => {
    const url = `${origin}/rest/1.3/orders2/list?${new URLSearchParams({ ...periodOf(pages) })}`;
    const command = contender.command({ folder: world.folder, url, pages });
    const run = async () => {
      const measured = await measure({ ...command, env: cbEnv(world, origin) });
      if (measured.lines >= pages * rowsOnAPage) return measured;
      throw new Error(`${contender.says} wrote ${measured.lines} lines for ${pages} pages`);
    };
    return [name, run] as const;
  });
  const until = performance.now() + raceSeconds[latency] * 1000;
  const medians = await runRounds(new Map(tasks), 3, until);
  const standings = entrants.map(({ name, pages, contender: { says } }) => {
    const rows = pages * rowsOnAPage;
    const median = medians.get(name) as Medians;
    const { seconds, cpuSeconds } = median;
    const cpuARow = cpuSeconds === undefined ? undefined : (cpuSeconds * 1e6) / rows;
    return [name, { ...median, says, pages, rowsASecond: rows / seconds, cpuARow }] as const;
  });
  printRace(latency, new Map(standings));
  for (const line of missing) console.log(line);
  return new Map(standings);
}

function printRace(latency: Latency, standings: Standings): void {
  const loop = standings.get('loop');
  const rows = [...standings.values()].map((one) => [
    one.says,
    ...[one.pages, one.rounds].map(String),
    thousands(one.rowsASecond),
    ratio(one.rowsASecond, loop?.rowsASecond),
    one.cpuARow?.toFixed(1) ?? '-',
    ratio(one.cpuARow, loop?.cpuARow),
    one.peakMiB?.toFixed(0) ?? '-',
  ]);
  const heads = ['', 'pages', 'rounds', 'rows/s', 'x loop', 'CPU us/row', 'x loop', 'peak MiB'];
  printTable(`Each request answered after ${latency} ms`, heads, rows);
}

const [shortList, longList] = [100, 10_000];

/** Peak memory, in MiB, of a short list and, measured once, of one that is 100 times as long. */
async function measureGrowth(world: World, origin: string, format: string) {
  const peak = async (pages: number, times: number) => {
    const { command } = listWith(['-o', format], `orders.${format}`);
    const task = { folder: world.folder, url: '', pages };
    const exported = { ...command(task), env: cbEnv(world, origin) };
    const run = async () => {
      const measured = await measure(exported, 600_000);
      const least = ['xlsx', 'parquet'].includes(format) ? 0 : pages * rowsOnAPage;
      if (measured.lines < least) throw new Error(`${format}: rows are missing`);
      return measured;
    };
    return (await runRounds(new Map([[pages, run]]), times)).get(pages)?.peakMiB ?? Number.NaN;
  };
  return { format, short: await peak(shortList, 3), long: await peak(longList, 1) };
}

/** Bundles the loop like cb, so that neither has an advantage. */
async function bundleLoop(folder: string): Promise<void> {
  await build({
    ...{ entryPoints: [join(here, 'loop.ts')], outfile: join(folder, 'loop.cjs'), bundle: true },
    ...{ platform: 'node', target: 'node20', format: 'cjs', minifyWhitespace: true },
  });
}

await benchmark(async (world) => {
  const isAboutMemory = process.argv.includes('memory');
  await bundleLoop(world.folder);
  const origins = await world.serve(latencies);
  const races = new Map<Latency, Standings>();
  for (const latency of isAboutMemory ? [] : latencies) {
    races.set(latency, await race(world, origins[latency] ?? '', latency));
  }
  const growths = [];
  for (const format of isAboutMemory ? ['csv', 'json', 'xlsx', 'parquet'] : []) {
    growths.push(await measureGrowth(world, origins[0] ?? '', format));
  }
  const rows = growths.map(({ format, short, long }) => [
    `cb --out orders.${format}`,
    ...[short.toFixed(0), long.toFixed(0), ratio(long, short)],
  ]);
  printTable('Peak memory in MiB', ['', `${shortList} pages`, `${longList} pages`, 'ratio'], rows);
  type Figure = 'rowsASecond' | 'cpuARow' | 'peakMiB';
  type Limit = Pick<Requirement, 'atMost' | 'atLeast'>;
  /** `says` begins with the name of the contender. */
  const over = (says: string, at: Latency, other: string, figure: Figure, limit: Limit) => {
    const of = (contender = '') => races.get(at)?.get(contender)?.[figure];
    return { says, figure: of(/^\w+/.exec(says)?.[0]), base: of(other), ...limit };
  };
  printVerdicts([
    over('csv: rows/s over the loop', 0, 'loop', 'rowsASecond', { atLeast: 0.9 }),
    over('csv: CPU a row over the loop', 0, 'loop', 'cpuARow', { atMost: 1.3 }),
    ...['json', 'ndjson', 'tsv'].map((format) =>
      over(`${format}: CPU a row over the loop`, 0, 'loop', 'cpuARow', { atMost: 1.2 }),
    ),
    over('csv: rows/s over curl | jq', 0, 'curl', 'rowsASecond', { atLeast: 5.3 }),
    over('csv: peak memory over the loop', 0, 'loop', 'peakMiB', { atMost: 1.2 }),
    over('csv at 50 ms: rows/s over a page at a time', 50, 'loop', 'rowsASecond', { atLeast: 8 }),
    over('csv at 200 ms: rows/s over a page at a time', 200, 'loop', 'rowsASecond', { atLeast: 9 }),
    ...growths.map(({ format, short, long }) => ({
      says: `${format}: peak memory of ${longList} pages over ${shortList}`,
      ...{ figure: long, base: short, atMost: 1.15 },
    })),
  ]);
});
