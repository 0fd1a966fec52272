/** csv: for spreadsheets. Text that looks like a formula is guarded; numbers never are. */
import { stringify } from 'csv-stringify/sync';
import { type Dialect, delimitedWriters } from './delimited.ts';
import type { RenderOptions } from './render-options.ts';
import { cellText } from './rows/rows.ts';

/** Excel recognizes UTF-8 by this byte order mark. */
const byteOrderMark = '\ufeff';

export const csv = delimitedWriters(csvDialect);

function csvDialect({ csv = {} }: RenderOptions): Dialect {
  const { delimiter = ',', crlf, bom, textIds = false } = csv;
  const options = {
    delimiter,
    record_delimiter: crlf ? '\r\n' : '\n',
    // Some readers end a line at CR or LF alone.
    quote_record_delimiter: true,
  };
  return {
    mark: bom ? byteOrderMark : '',
    write: (records) =>
      stringify(
        // Only text can be a formula. It is kept as typed or guarded, never both.
        records.map((values) =>
          values.map((value) => {
            if (typeof value !== 'string') return cellText(value);
            return (textIds ? keepAsTyped(value) : undefined) ?? guardFormula(value);
          }),
        ),
        // Readers skip empty lines, so a single empty cell is quoted.
        { ...options, quoted_empty: records[0]?.length === 1 },
      ),
  };
}

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
function guardFormula(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

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
function keepAsTyped(text: string): string | undefined {
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
