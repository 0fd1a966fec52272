/** Guards text that a spreadsheet would run as a formula. */

/** The start of a formula, ASCII or full-width (spreadsheets read ＝ as =), or a tab or line break, which some imports turn into one. */
const formula = /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

/** A number or a telephone number: a sign, and nothing that could name a cell, call a function or calculate. */
const number = /^(?![\t\n\r])[\s\p{Cc}\p{Cf}]*[+-] ?\.?\d[\d., ]*$/u;

/**
 * Puts an apostrophe before text that a spreadsheet could run: text that starts with = + - @ (also full-width),
 * with or without white space in front, which some imports trim, and text that starts with a tab or a line break.
 * Numbers (`-5`, `+1.5`) and telephone numbers of digits and spaces (`+49 30 123456`) are not guarded. With dashes
 * or brackets they are: a spreadsheet would calculate `+1-555-0100`. Leading quotes need no guard, because they are
 * part of the text once the CSV is read.
 */
export function guardFormula(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}
