/** Text that a spreadsheet would run instead of showing it. */

/** Starts of a formula, ASCII and full-width: a spreadsheet takes ＝ for =. */
const starters = new Set('=+-@＝＋－＠');

/** A sign and then nothing that could name a cell, call a function or calculate: a number or a telephone number. */
const number = /^[+-] ?\.?\d[\d., ]*$/;

/**
 * Puts an apostrophe before text that a spreadsheet could run: text that starts with = + - @ (full-width
 * too), also behind white space, which some imports trim, and text that starts with a tab or a line break.
 * Left alone, because they run nothing: a number (`-5`, `+1.5`) and a telephone number of digits and
 * spaces (`+49 30 123456`). With dashes or brackets it is guarded: `+1-555-0100` would be calculated.
 * Quotes in front need no guard, as they are part of the text once the CSV is read.
 */
export function guardFormula(text: string): string {
  const first = text.charCodeAt(0);
  // Letters, digits above '@' and the empty text (NaN) are nearly every cell: decided by one comparison.
  if (!(first <= 0x40 || first >= 0xa0)) return text;
  if (first >= 0x30 && first <= 0x39) return text;
  if (first === 0x09 || first === 0x0a || first === 0x0d) return `'${text}`;
  const start = text.search(visible);
  if (start < 0 || !starters.has(text.charAt(start))) return text;
  return number.test(text.slice(start)) ? text : `'${text}`;
}

/** The first character that is neither white space, a control nor invisible. */
const visible = /[^\s\p{Cc}\p{Cf}]/u;
