/** Measurements in rounds of alternating order, and their medians. */
import type { Measured } from './child.ts';

export interface Entrant<K> {
  readonly key: K;
  run(): Promise<Measured>;
}

export interface RoundsOptions {
  readonly rounds: number;
  /** Starts no round that would end after this time, in milliseconds of performance.now(). */
  readonly until: number;
}

/** Alternating order balances changing conditions. Runs at least one round. */
export async function alternate<K>(
  entrants: readonly Entrant<K>[],
  { rounds, until }: RoundsOptions,
): Promise<Map<K, readonly Measured[]>> {
  const taken = new Map<K, Measured[]>(entrants.map(({ key }) => [key, []]));
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const order = round % 2 === 0 ? entrants : [...entrants].reverse();
    for (const { key, run } of order) taken.get(key)?.push(await run());
    const end = performance.now();
    if (end + (end - start) > until) break;
  }
  return taken;
}

/** Throws for an empty list. */
function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low, high] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  if (low === undefined || high === undefined) throw new Error('there is no median of nothing');
  return (low + high) / 2;
}

/** The median of all defined values. */
export function medianOf(
  measured: readonly Measured[],
  figure: 'seconds' | 'cpuSeconds' | 'peakMiB',
): number | undefined {
  const numbers = measured.map((one) => one[figure]).filter((number) => number !== undefined);
  return numbers.length > 0 ? median(numbers) : undefined;
}
