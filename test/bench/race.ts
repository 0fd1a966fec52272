/** Compares the contenders at one latency. */
import { type Measured, measure } from './child.ts';
import { type Contender, missing } from './contenders.ts';
import { rowsOnAPage } from './days.ts';
import { alternate, medianOf, type RoundsOptions } from './rounds.ts';
import type { Latency, World } from './world.ts';

/** Medians of the rounds; CPU in microseconds per row. */
export interface Standing {
  readonly name: string;
  readonly says: string;
  readonly pages: number;
  readonly rounds: number;
  readonly rowsASecond: number;
  readonly cpuARow: number | undefined;
  readonly peakMiB: number | undefined;
}

export interface RaceOptions extends RoundsOptions {
  readonly latency: Latency;
  /** The fraction of the pages. */
  readonly share: number;
}

const timeout = 120_000;

/** Runs the available contenders in order. Throws if one of them loses rows. */
export async function race(
  world: World,
  contenders: readonly Contender[],
  { latency, share, ...rounds }: RaceOptions,
): Promise<Standing[]> {
  const entrants = contenders
    .filter((contender) => missing(contender).length === 0)
    .map((contender) => {
      const pages = Math.max(10, Math.round((contender.pages[latency] * share) / 10) * 10);
      const key = { contender, pages };
      return { key, run: () => exported(world, contender, { latency, pages }) };
    });
  const taken = await alternate(entrants, rounds);
  return [...taken].map(([{ contender, pages }, measured]) =>
    standingOf(contender, pages, measured),
  );
}

function standingOf(
  { name, says }: Contender,
  pages: number,
  measured: readonly Measured[],
): Standing {
  const rows = pages * rowsOnAPage;
  const cpu = medianOf(measured, 'cpuSeconds');
  return {
    ...{ name, says, pages, rounds: measured.length },
    rowsASecond: rows / (medianOf(measured, 'seconds') as number),
    cpuARow: cpu === undefined ? undefined : (cpu * 1e6) / rows,
    peakMiB: medianOf(measured, 'peakMiB'),
  };
}

async function exported(
  world: World,
  { says, silent = false, command }: Contender,
  task: { readonly latency: Latency; readonly pages: number },
) {
  const measured = await measure(command(world, task), timeout);
  const rows = task.pages * rowsOnAPage;
  if (!silent && measured.lines < rows) {
    throw new Error(`${says} wrote ${measured.lines} lines for ${rows} rows`);
  }
  return measured;
}
