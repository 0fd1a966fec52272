/** Money: whole cents inside, digits with two decimals outside. */

/** `-1290` is `-12.90`. */
export function moneyText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Cents of a decimal text; not whole where the text is finer than a cent. */
export function centsOf(text: string): number {
  return Number((Number(text) * 100).toFixed(6));
}
