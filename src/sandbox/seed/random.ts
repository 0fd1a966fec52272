/** Reproducible random numbers: the same numbers for the same seed. */
import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  /** Both ends included. */
  integer(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  weigh<T extends { readonly weight: number }>(values: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const fraction = () => uniformFloat32(generator);
  const integer = (from: number, to: number) => uniformInt(generator, from, to);

  function pick<T>(values: readonly T[]): T {
    const value = values[integer(0, values.length - 1)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
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

/** Hashes a text to a number from 0 to 2^32 - 1 (FNV-1a with mixed bits). */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
