/** Parses the command line of the benchmark. */
import { parseArgs } from 'node:util';
import { type Contender, contenders, yardstick } from './contenders.ts';
import { type Latency, latencies } from './world.ts';

export interface Options {
  /** The contenders by latency. */
  readonly races: ReadonlyMap<Latency, readonly Contender[]>;
  /** Formats whose memory is measured. */
  readonly growths: readonly string[];
  readonly isQuick: boolean;
}

const names = [...contenders.map(({ name }) => name), 'memory'];

/** The usage text. */
const usage = [
  'npm run bench -- [WHAT...] [--latency MS] [--quick]',
  '',
  `WHAT       any of ${names.join(', ')};`,
  '           all but memory when absent, and under latency only csv beside the loop',
  `--latency  milliseconds that each request takes: ${latencies.join(', ')}`,
  '--quick    a fifth of the pages, one round',
].join('\n');

/** Throws an Error that names the invalid option. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      latency: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
    },
  });
  const stranger = positionals.find((name) => !names.includes(name));
  if (stranger !== undefined) throw new Error(`there is no '${stranger}'\n\n${usage}`);
  return {
    races: racesOf(positionals, values.latency?.map(readLatency)),
    growths: positionals.includes('memory') ? ['csv', 'json'] : [],
    isQuick: values.quick,
  };
}

/** With latency, the format hardly matters, so one represents all unless others are named. */
function racesOf(
  names: readonly string[],
  asked: readonly Latency[] | undefined,
): Map<Latency, readonly Contender[]> {
  const isAll = names.length === 0;
  const named = contenders.filter(({ name }) => names.includes(name));
  if (!isAll && named.length === 0) return new Map();
  const csv = contenders.filter(({ name }) => name === 'csv');
  const racing = (latency: Latency) => (isAll ? (latency === 0 ? contenders : csv) : named);
  const at = asked ?? (isAll ? latencies : [0 as const]);
  return new Map(at.map((latency) => [latency, beside(racing(latency))]));
}

/** Adds the contenders needed for comparison. */
function beside(racing: readonly Contender[]): Contender[] {
  return contenders.filter((one) => one.name === yardstick || racing.includes(one));
}

function readLatency(typed: string): Latency {
  const latency = latencies.find((known) => String(known) === typed);
  if (latency === undefined) throw new Error(`--latency '${typed}' is unknown\n\n${usage}`);
  return latency;
}
