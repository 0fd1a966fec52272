/** A flag that takes a whole number. */
import { usage } from '../runtime/failure.ts';

/** Throws a usage failure that names the flag and what it takes. */
export function wholeNumber(
  flag: string,
  text: string,
  least: number,
  most = Number.POSITIVE_INFINITY,
): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  const range = most === Number.POSITIVE_INFINITY ? `${least} up` : `${least} to ${most}`;
  throw usage(`${flag} must be a whole number from ${range}, not '${text}'`);
}
