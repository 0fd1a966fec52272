/** Receipts: eight upper-case letters and digits, all different, without remembering them. */

const ALL = 36 ** 8;
/** Without a common divisor with 36 the steps visit every receipt before one comes again. */
const STEP = 1_743_392_200_193;

/** A source of receipts that are none of `taken`. */
export function receiptsAfter(start: number, taken: ReadonlySet<string>): () => string {
  let at = start;
  return function next(): string {
    at = (at + STEP) % ALL;
    const receipt = at.toString(36).toUpperCase().padStart(8, '0');
    return taken.has(receipt) ? next() : receipt;
  };
}
