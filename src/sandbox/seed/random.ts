/** Reproducible random numbers and receipts: the same for the same seed. */
import { uniformFloat32 } from 'pure-rand/distribution/uniformFloat32';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export type Random = ReturnType<typeof randomFrom>;

export function randomFrom(seed: number) {
  const generator = xoroshiro128plus(seed);
  /** From 0 (inclusive) to 1 (exclusive). */
  const fraction = () => uniformFloat32(generator);
  /** Both ends included. */
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

  return {
    fraction,
    integer,
    pick,
    weigh,
    chance: (probability: number) => fraction() < probability,
  };
}

/** Hashes a text to a number from 0 to 2^32 - 1 (FNV-1a with mixed bits). */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Receipts are eight upper-case letters and digits, each once, without being stored. */
const ALL = 36 ** 8;
/** Coprime to 36, so that the steps reach every receipt before repeating one. */
const STEP = 1_743_392_200_193;
/** Maximum number of receipts of the seed; `DAILY` is that of one later day. */
const SEEDED = 2 ** 21;
const DAILY = 2 ** 12;
const DAY = 86_400;

/** Returns the first receipt number of a seed. Must be the first use of its random numbers. */
export function receiptOrigin(random: Random): number {
  return random.integer(0, 2 ** 31 - 1);
}

/** Returns the first receipt number of a later day, specified by its midnight. */
export function receiptOriginOn(origin: number, midnight: number): number {
  const steps = SEEDED + Math.floor(midnight / DAY) * DAILY;
  return Number((BigInt(origin) + BigInt(steps) * BigInt(STEP)) % BigInt(ALL));
}

export function receiptsAfter(start: number, taken: ReadonlySet<string>): () => string {
  let at = start;
  return function next(): string {
    at = (at + STEP) % ALL;
    const receipt = at.toString(36).toUpperCase().padStart(8, '0');
    return taken.has(receipt) ? next() : receipt;
  };
}
