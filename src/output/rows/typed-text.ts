/** Protects text that a spreadsheet would convert when it opens a file. */

/** The characters of numbers, amounts, fractions, dates, times and telephone numbers. */
const figure = "[\\p{Nd}\\p{Sc} \\u00a0\\u202f.,:;/\\\\()%+\\u2212'’-]";

/** `TRUE` and the errors; the words for true and false in the languages of the larger spreadsheets. */
const literal =
  /^ *(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|verdadeiro|waar|onwaar|#(?:N\/A|NAME\?|NULL!|NUM!|REF!|VALUE!|DIV\/0!)) *$/i;

/** An ISO date, and one with a time as --dates writes it, is read as that date, so it needs no guard. */
const isoDate = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d)?$/;

/** Excel accepts no longer text in a formula. */
const longest = 255;

/**
 * A formula that shows the text, when Excel, LibreOffice or Google Sheets would read the text as a number, a
 * date, a time, a truth value or an error: `1E5`, `007`, `3/4`, `MAR1`, `10:30`, `5%`, `TRUE`. Undefined for
 * all other text. The text is a string inside the formula, with its quotes doubled, so that nothing in it can run.
 */
export function keepAsTyped(text: string): string | undefined {
  if (text.length > longest || isoDate.test(text)) return undefined;
  const isTurned = hasDigit.test(text) ? figures().test(text) : literal.test(text);
  return isTurned ? `="${text.replaceAll('"', '""')}"` : undefined;
}

const hasDigit = /\p{Nd}/u;

let compiled: RegExp | undefined;

/** Digits and signs with at most one exponent or month name, and AM or PM at the end. */
function figures(): RegExp {
  if (compiled) return compiled;
  const middle = `(?:(?<=\\p{Nd}[.,]?)E(?=[+-]?\\p{Nd})|${monthNames().join('|')})`;
  compiled = new RegExp(`^${figure}*(?:${middle}${figure}*)?(?:[ap]\\.?m?\\.? *)?$`, 'iu');
  return compiled;
}

/** Spreadsheets know the names of months in the language of their user. */
const languages = ['en', 'en-GB', 'de', 'de-AT', 'fr', 'es', 'it', 'nl', 'pt'];

function monthNames(): string[] {
  const names = languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((month) => {
      const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, index) => format.format(Date.UTC(2026, index, 15)));
    }),
  );
  const bare = new Set(names.map((name) => name.replace(/\.$/, '').toLowerCase()));
  // The longest first, so that `may` does not end the search for `mayo`.
  return [...bare].sort((one, other) => other.length - one.length);
}
