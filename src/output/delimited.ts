/** tsv, and the common part of csv: a header and one line per row. */
import { serviceZone } from '../dates/pacific.ts';
import { spreadsheetTime } from '../dates/spreadsheet-time.ts';
import type { RenderOptions, Writers } from './render-options.ts';
import { allColumns, type Column, chosenColumns, skeletonOf, watchFields } from './rows/columns.ts';
import { spreadColumns, watchSpread } from './rows/nested-lists.ts';
import { cellText, isList, isRow, type Row, type Value } from './rows/rows.ts';

export interface Dialect {
  readonly mark: string;
  /** Returns the lines of records, which all have the same number of values. */
  write(records: readonly (readonly Value[])[]): string;
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/**
 * For scripts. A line is always a row and a tab always separates two cells: backslash, tab, line feed and
 * carriage return inside a value are written as `\\`, `\t`, `\n` and `\r`. There are no quotes and no guard
 * against formulas, because tsv is read by programs such as cut and awk.
 */
export const tsv = delimitedWriters(() => ({
  mark: '',
  write: (records) =>
    records
      .map(
        (values) =>
          `${values.map((value) => cellText(value).replace(/[\\\t\n\r]/g, (one) => escapes[one] ?? '')).join('\t')}\n`,
      )
      .join(''),
}));

export function delimitedWriters(
  dialectOf: (options: RenderOptions) => Dialect,
): Required<Writers> {
  return {
    /** A header and one line per row. Without rows, the header is still written if the shape is known or fields are chosen. */
    open(options) {
      const dialect = dialectOf(options);
      let write = options.begun && openRecords(options.begun, options, dialect);
      const spread = options.spread && watchSpread(options);
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
    /** An object is a header and a line; a list is one line per element, whose own elements are the cells; a scalar is a line. */
    writeValue(value, options) {
      const dialect = dialectOf(options);
      if (isRow(value)) {
        const spread = options.spread && watchSpread(options);
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

function openRecords(
  first: readonly Row[],
  options: RenderOptions,
  dialect: Dialect,
): (page: readonly Row[]) => string {
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
  return (page) => {
    watch(page);
    const text =
      mark + dialect.write([...head, ...page.map((row) => columns.map(({ read }) => read(row)))]);
    mark = '';
    head = [];
    return text;
  };
}

/** `--dates`: times in the form that spreadsheets read as a date and time. */
const day = /^\d{4}-\d\d-\d\d/;

/**
 * Converts the columns of times and days; with `both`, a column `date` with the day follows the first column of times.
 * Text that is not a time stays as it is.
 */
function withDates(
  columns: readonly Column[],
  { dates, zone }: Pick<RenderOptions, 'dates' | 'zone'>,
): readonly Column[] {
  if (dates === undefined) return columns;
  const converted = columns.map((column) => inSpreadsheet(column, zone?.name ?? serviceZone));
  const at = converted.findIndex(({ kind }) => kind === 'time');
  const time = converted[at];
  if (dates !== 'both' || !time || columns.some(({ name }) => name === 'date')) return converted;
  return [...converted.slice(0, at + 1), dayColumn(time), ...converted.slice(at + 1)];
}

function inSpreadsheet(column: Column, zone: string): Column {
  const { kind, read } = column;
  if (kind !== 'time' && kind !== 'day') return column;
  return {
    ...column,
    read: (row) => {
      const value = read(row);
      if (typeof value !== 'string') return value;
      return (kind === 'day' ? day.exec(value)?.[0] : spreadsheetTime(value, zone)) ?? value;
    },
  };
}

function dayColumn({ read, ...time }: Column): Column {
  const named = { path: 'date', name: 'date', heading: 'Date', kind: 'day' } as const;
  return {
    ...time,
    ...named,
    read: (row) => {
      const value = read(row);
      return typeof value === 'string' ? day.exec(value)?.[0] : undefined;
    },
  };
}
