/** `npm run bench`: compares cb's exports with alternatives, on a local server. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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
  ratio,
  runRounds,
  thousands,
  type World,
} from './runner.ts';
import { periodOf, rowsOnAPage } from './service.ts';

const usage = `npm run bench -- [memory] [--quick]

memory    peak memory of long exports instead of their speed
--quick   a fifth of the pages, one round`;

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
  /** Enough pages to measure the rate by the delay of the server in milliseconds; prefetching needs time to reach it. */
  readonly pages: Readonly<Record<number, number>>;
  /** Programs that must be on the PATH. */
  readonly needs?: readonly string[];
  command(task: Task): Command;
}

const here = fileURLToPath(new URL('programs/', import.meta.url));
const columns = JSON.stringify(Object.keys(orders.list.returns.resource.fields));

/** `cb orders list` into stdout or a file. */
function exported(pages: number, format: string, out?: string): Command {
  const { startDate, endDate } = periodOf(pages);
  const period = ['--start-date', startDate, '--end-date', endDate];
  return cb(['orders', 'list', ...period, '-o', format], out);
}

/** The loop is the baseline of the others. */
const contenders: Readonly<Record<string, Contender>> = {
  csv: {
    says: 'cb -o csv',
    pages: { 0: 1000, 200: 400 },
    command: ({ pages }) => exported(pages, 'csv'),
  },
  loop: {
    says: 'undici in a loop',
    pages: { 0: 1000, 200: 40 },
    command: ({ folder, url }) => ({
      file: process.execPath,
      args: [join(folder, 'loop.cjs'), url],
    }),
  },
  curl: {
    says: 'curl | jq in a loop',
    pages: { 0: 60 },
    needs: ['bash', 'curl', 'jq'],
    command: ({ url, pages }) => ({
      file: 'bash',
      args: [join(here, 'curl-jq.sh'), url, String(pages), columns],
    }),
  },
};

interface Standing extends Medians {
  readonly says: string;
  readonly pages: number;
  readonly rowsASecond: number;
  /** Microseconds. */
  readonly cpuARow: number | undefined;
}

type Standings = ReadonlyMap<string, Standing>;

/** Runs the contenders that are installed. Throws if one of them loses rows. */
async function race(world: World, origin: string, latency: number, isQuick: boolean) {
  const entrants = Object.entries(contenders).flatMap(([name, contender]) => {
    const all = contender.pages[latency];
    if (all === undefined) return [];
    const { says, needs = [] } = contender;
    const lacks = needs.filter((program) => spawnSync(program, ['--version']).status !== 0);
    if (lacks.length > 0) console.log(`${says}: not installed: ${lacks.join(', ')}`);
    const pages = Math.max(10, Math.round((all * (isQuick ? 0.2 : 1)) / 10) * 10);
    return lacks.length > 0 ? [] : [{ name, pages, contender }];
  });
  const tasks = entrants.map(({ name, pages, contender }) => {
    const url = `${origin}/rest/1.3/orders2/list?${new URLSearchParams({ ...periodOf(pages) })}`;
    const command = contender.command({ folder: world.folder, url, pages });
    return [name, () => measureRows({ ...command, env: cbEnv(world, origin) }, pages)] as const;
  });
  // A complete run takes at most five minutes.
  const until = performance.now() + (latency === 0 ? 220_000 : 60_000);
  const medians = await runRounds(new Map(tasks), isQuick ? 1 : 3, until);
  const standings: Standings = new Map(
    entrants.map(({ name, pages, contender: { says } }) => {
      const rows = pages * rowsOnAPage;
      const median = medians.get(name) as Medians;
      const { seconds, cpuSeconds } = median;
      const cpuARow = cpuSeconds === undefined ? undefined : (cpuSeconds * 1e6) / rows;
      return [name, { ...median, says, pages, rowsASecond: rows / seconds, cpuARow }];
    }),
  );
  printRace(latency, standings);
  return standings;
}

async function measureRows(command: Command, pages: number) {
  const measured = await measure(command, 600_000);
  if (measured.lines >= pages * rowsOnAPage) return measured;
  throw new Error(`${command.file} wrote ${measured.lines} lines for ${pages} pages`);
}

function printRace(latency: number, standings: Standings): void {
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
async function measureGrowth(world: World, origin: string, format: string, rounds: number) {
  const peak = async (pages: number, times: number) => {
    const command = exported(pages, format, join(world.folder, `orders.${format}`));
    const run = () => measureRows({ ...command, env: cbEnv(world, origin) }, pages);
    return (await runRounds(new Map([[pages, run]]), times)).get(pages)?.peakMiB ?? Number.NaN;
  };
  return { format, short: await peak(shortList, rounds), long: await peak(longList, 1) };
}

await benchmark(async (world) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false } },
  });
  const [what] = positionals;
  if (what !== undefined && what !== 'memory') throw new Error(`there is no '${what}'\n\n${usage}`);
  const origins = await world.serve([0, 200]);
  const near = origins[0] ?? '';
  if (what === 'memory') {
    for (const format of ['csv', 'json']) {
      const { short, long } = await measureGrowth(world, near, format, values.quick ? 1 : 3);
      const row = [`cb -o ${format}`, short.toFixed(0), long.toFixed(0), ratio(long, short)];
      const heads = ['', `${shortList} pages`, `${longList} pages`, 'ratio'];
      printTable('Peak memory in MiB', heads, [row]);
      const says = `${format}: peak memory of ${longList} pages over ${shortList}`;
      printVerdicts([{ says, figure: long, base: short, atMost: 1.2 }]);
    }
    return;
  }
  // Bundled like cb, so that neither has an advantage.
  await build({
    entryPoints: [join(here, 'loop.ts')],
    outfile: join(world.folder, 'loop.cjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minifyWhitespace: true,
  });
  const fast = await race(world, near, 0, values.quick);
  const slow = await race(world, origins[200] ?? '', 200, values.quick);
  const [csv, loop, curl] = ['csv', 'loop', 'curl'].map((name) => fast.get(name));
  printVerdicts([
    {
      says: 'csv: CPU a row over the loop',
      ...{ figure: csv?.cpuARow, base: loop?.cpuARow, atMost: 1.3 },
    },
    {
      says: 'csv: rows/s over curl | jq',
      ...{ figure: csv?.rowsASecond, base: curl?.rowsASecond, atLeast: 10 },
    },
    {
      says: 'csv at 200 ms: rows/s over a page at a time',
      figure: slow.get('csv')?.rowsASecond,
      base: slow.get('loop')?.rowsASecond,
      atLeast: 8,
    },
  ]);
});
