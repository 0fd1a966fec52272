/**
 * The two tiers of tests. `npm test` takes fixed seeds and small counts; `npm run test:long` sets CB_TEST_LONG, for large
 * counts, and CB_TEST_SEED if its option --seed asks for other random cases.
 */
export const isLong = process.env.CB_TEST_LONG !== undefined;

/** A count, or whatever else differs: the first in `npm test`. */
export function tier<T>(short: T, long: T): T {
  return isLong ? long : short;
}

/** The seed of random cases, which are always the same by default. */
export function seedOf(usual: number): number {
  return Number(process.env.CB_TEST_SEED ?? usual);
}
