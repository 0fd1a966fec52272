/** Chance that repeats itself: the same numbers for the same seed. */
import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Heavier ones more often. */
  weigh<T extends { readonly weight: number }>(values: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const fraction = () => uniformFloat32(generator);
  const integer = (from: number, to: number) => uniformInt(generator, from, to);

  function pick<T>(values: readonly T[]): T {
    const value = values[integer(0, values.length - 1)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  }

  function weigh<T extends { readonly weight: number }>(values: readonly T[]): T {
    let left = fraction() * values.reduce((sum, { weight }) => sum + weight, 0);
    for (const value of values) {
      left -= value.weight;
      if (left < 0) return value;
    }
    return pick(values);
  }

  return { fraction, integer, pick, weigh, chance: (probability) => fraction() < probability };
}
