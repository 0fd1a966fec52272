/** Guards text that a spreadsheet would run instead of showing it. */

/**
 * Start of a formula, in ASCII or full width (some spreadsheets treat ＝ as =), or a tab or line break, which some
 * imports turn into one.
 */
const formula = /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

/** A sign and then nothing that could name a cell, call a function or calculate: a number or a phone number. */
const number = /^(?![\t\n\r])[\s\p{Cc}\p{Cf}]*[+-] ?\.?\d[\d., ]*$/u;

/**
 * Puts an apostrophe before text that a spreadsheet could run: text that starts with = + - @ (full-width
 * too), also behind white space, which some imports trim, and text that starts with a tab or a line break.
 * Left alone, because they run nothing: a number (`-5`, `+1.5`) and a telephone number of digits and
 * spaces (`+49 30 123456`). With dashes or brackets it is guarded: `+1-555-0100` would be calculated.
 * Quotes in front need no guard, as they are part of the text once the CSV is read.
 */
export function guardFormula(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}
