/** Measures whether memory grows with the length of a list. */
import { measure } from './child.ts';
import { rowsOnAPage } from './days.ts';
import { alternate, medianOf } from './rounds.ts';
import { cbList, type World } from './world.ts';

/** Median peak memory, in MiB, of a short list and of one 100 times as long. */
export interface Growth {
  readonly format: string;
  readonly short: number;
  readonly long: number;
}

export const shortList = 100;
export const longList = 10_000;

const timeout = 600_000;

/** Measures the short list `rounds` times, and the long one only once. */
export async function measureGrowth(world: World, format: string, rounds: number): Promise<Growth> {
  const peak = async (pages: number) => {
    const run = async () => {
      const command = cbList(world, { latency: 0, pages }, ['-o', format], `orders.${format}`);
      const measured = await measure(command, timeout);
      if (measured.lines < pages * rowsOnAPage) throw new Error(`${format}: rows are missing`);
      return measured;
    };
    const taken = await alternate([{ key: pages, run }], {
      rounds: pages === longList ? 1 : rounds,
      until: Number.POSITIVE_INFINITY,
    });
    return medianOf(taken.get(pages) ?? [], 'peakMiB') as number;
  };
  return { format, short: await peak(shortList), long: await peak(longList) };
}
