/** csv and tsv: a header and one line per row. In csv, text that looks like a formula is guarded; numbers never are. */
import { stringify } from 'csv-stringify/sync';
import { serviceZone } from '../dates/day.ts';
import { spreadsheetTime } from '../dates/wall-time.ts';
import type { RenderOptions, Writers } from './render-options.ts';
import { allColumns, type Column, chosenColumns, skeletonOf, watchFields } from './rows/columns.ts';
import { spreadColumns, watchSpread } from './rows/nested-lists.ts';
import { cellText, escapedCell, isList, isRow, type Row, type Value } from './rows/rows.ts';

interface Dialect {
  readonly mark: string;
  /** Returns the lines of records, which all have the same number of values. */
  write(records: readonly (readonly Value[])[]): string;
}

/**
 * For scripts. A line is always a row and a tab always separates two cells. There are no quotes and no guard against
 * formulas, because tsv is read by programs such as cut and awk.
 */
export const tsv = delimitedWriters(() => ({
  mark: '',
  write: (records) =>
    records
      .map((values) => `${values.map((value) => escapedCell(cellText(value))).join('\t')}\n`)
      .join(''),
}));

function delimitedWriters(dialectOf: (options: RenderOptions) => Dialect): Required<Writers> {
  return {
    /** The header is also written without rows, if the shape is known or fields are chosen. */
    open(options) {
      const dialect = dialectOf(options);
      let write = options.begun && openRecords(options.begun, options, dialect);
      const spread = options.spread && watchSpread(options.spread, options);
      return {
        add(page) {
          if (page.length === 0) return '';
          write ??= openRecords(page, options, dialect);
          spread?.add(page);
          return write(page);
        },
        end(isBroken) {
          if (isBroken) return [];
          spread?.tell();
          const isKnown = options.shape ?? options.fields;
          return !write && isKnown ? [openRecords([], options, dialect)([])] : [];
        },
      };
    },
    /** An object is a header and a line; a list is a line per element, whose own elements are the cells. */
    writeValue(value, options) {
      const dialect = dialectOf(options);
      if (isRow(value)) {
        const spread = options.spread && watchSpread(options.spread, options);
        spread?.add([value]);
        spread?.tell();
        return openRecords([value], options, dialect)([value]);
      }
      const records = isList(value) ? value : [value];
      const lines = records.map((each) => dialect.write([isList(each) ? each : [each]]));
      return dialect.mark + lines.join('');
    },
  };
}

function openRecords(first: readonly Row[], options: RenderOptions, dialect: Dialect) {
  const { keptLayout: kept, onLayout, shape, spread, begun, header, fields } = options;
  const known = kept ? [kept.skeleton] : first;
  // The columns of a spread list are not fields, but they follow from the same structure.
  const chosen = kept && !spread ? kept.columns : fields;
  const found = spread
    ? spreadColumns(known, options, spread)
    : chosen
      ? chosenColumns(chosen, shape, known)
      : allColumns(shape, known);
  const paths = found.map(({ path }) => path);
  const columns = withDates(found, options);
  onLayout?.({ columns: paths, skeleton: skeletonOf(known) });
  const watch = watchFields(known, options);
  let mark = begun ? '' : dialect.mark;
  let head = begun || header === false ? [] : [columns.map(({ name }) => name)];
  return (page: readonly Row[]) => {
    watch(page);
    const text =
      mark + dialect.write([...head, ...page.map((row) => columns.map(({ read }) => read(row)))]);
    mark = '';
    head = [];
    return text;
  };
}

const day = /^\d{4}-\d\d-\d\d/;

/** `--dates`: times and days as spreadsheets read them; `both` adds a column `date` after the first times. */
function withDates(
  columns: readonly Column[],
  { dates, zone }: Pick<RenderOptions, 'dates' | 'zone'>,
): readonly Column[] {
  if (dates === undefined) return columns;
  const changed = (column: Column, convert: (text: string) => string | undefined): Column => ({
    ...column,
    read: (row) => {
      const value = column.read(row);
      return typeof value === 'string' ? convert(value) : value;
    },
  });
  const toDay = (text: string) => day.exec(text)?.[0];
  const toTime = (text: string) => spreadsheetTime(text, zone?.name ?? serviceZone) ?? text;
  const converted = columns.map((column) => {
    if (column.kind === 'day') return changed(column, (text) => toDay(text) ?? text);
    return column.kind === 'time' ? changed(column, toTime) : column;
  });
  const at = converted.findIndex(({ kind }) => kind === 'time');
  const time = converted[at];
  if (dates !== 'both' || !time || columns.some(({ name }) => name === 'date')) return converted;
  const named = { path: 'date', name: 'date', heading: 'Date', kind: 'day' } as const;
  return converted.toSpliced(at + 1, 0, { ...changed(time, toDay), ...named });
}

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
            const isRun = formula.test(value) && !number.test(value);
            return (textIds ? keepAsTyped(value) : undefined) ?? (isRun ? `'${value}` : value);
          }),
        ),
        // Readers skip empty lines, so a single empty cell is quoted.
        { ...options, quoted_empty: records[0]?.length === 1 },
      ),
  };
}

/**
 * The start of a text that a spreadsheet could run, which an apostrophe guards: ASCII or full-width (spreadsheets read
 * ＝ as =), with or without white space in front, which some imports trim, or a tab or line break, which some turn into
 * one. Leading quotes need no guard, because they are part of the text once the CSV is read.
 */
const formula = /^(?:[\t\n\r]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

/**
 * A number (`-5`, `+1.5`) or a telephone number (`+49 30 123456`): a sign, and nothing that could name a cell, call a
 * function or calculate, as dashes do in `+1-555-0100`.
 */
const number = /^(?![\t\n\r])[\s\p{Cc}\p{Cf}]*[+-] ?\.?\d[\d., ]*$/u;

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
  figures ??= figuresPattern();
  const isTurned = /\p{Nd}/u.test(text) ? figures.test(text) : literal.test(text);
  return isTurned ? `="${text.replaceAll('"', '""')}"` : undefined;
}

let figures: RegExp | undefined;

/** Digits and signs with at most one exponent or month name, and AM or PM at the end. */
function figuresPattern(): RegExp {
  const middle = `(?:(?<=\\p{Nd}[.,]?)E(?=[+-]?\\p{Nd})|${monthNames().join('|')})`;
  return new RegExp(`^${figure}*(?:${middle}${figure}*)?(?:[ap]\\.?m?\\.? *)?$`, 'iu');
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
