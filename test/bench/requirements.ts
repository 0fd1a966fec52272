/** The speed and memory requirements of cb, compared with measurements. */
import { yardstick } from './contenders.ts';
import { type Growth, longList, shortList } from './memory.ts';
import type { Standing } from './race.ts';
import type { Latency } from './world.ts';

export interface Results {
  readonly races: ReadonlyMap<Latency, readonly Standing[]>;
  readonly growths: readonly Growth[];
}

/** `ratio` is the measured value. */
export interface Verdict {
  readonly says: string;
  readonly ratio: number;
  readonly isMet: boolean;
}

const mostGrowth = 1.2;
const mostCpu = 1.3;
const leastOverCurl = 10;
const leastAhead = 8;

/** The requirements for which there are measurements. */
export function verdictsOn({ races, growths }: Results): Verdict[] {
  const find = (latency: Latency, name: string) =>
    races.get(latency)?.find((standing) => standing.name === name);
  const [csv, loop, curl] = [find(0, 'csv'), find(0, yardstick), find(0, 'curl')];
  const [ahead, oneByOne] = [find(200, 'csv'), find(200, yardstick)];
  return [
    ...growths.flatMap(growthVerdict),
    ...atMost(mostCpu, 'csv: CPU a row over the loop', csv?.cpuARow, loop?.cpuARow),
    ...atLeast(leastOverCurl, 'csv: rows/s over curl | jq', csv?.rowsASecond, curl?.rowsASecond),
    ...atLeast(
      leastAhead,
      'csv at 200 ms: rows/s over a page at a time',
      ahead?.rowsASecond,
      oneByOne?.rowsASecond,
    ),
  ];
}

function growthVerdict({ format, short, long }: Growth): Verdict[] {
  const says = `${format}: peak memory of ${longList} pages over ${shortList}`;
  return atMost(mostGrowth, says, long, short);
}

type Figure = number | undefined;

function atMost(limit: number, says: string, figure: Figure, base: Figure): Verdict[] {
  return judged(`${says}, at most ${limit}`, figure, base, (ratio) => ratio <= limit);
}

function atLeast(limit: number, says: string, figure: Figure, base: Figure): Verdict[] {
  return judged(`${says}, at least ${limit}`, figure, base, (ratio) => ratio >= limit);
}

function judged(says: string, figure: Figure, base: Figure, isMet: (ratio: number) => boolean) {
  if (figure === undefined || base === undefined) return [];
  const ratio = figure / base;
  return [{ says, ratio, isMet: isMet(ratio) }];
}
