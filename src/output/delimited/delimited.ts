/** The common part of csv and tsv: a header and one line per row. */
import type { RenderOptions, Writers } from '../render-options.ts';
import { allColumns, type Column, chosenColumns } from '../rows/columns.ts';
import { skeletonOf, watchFields } from '../rows/late-fields.ts';
import { isList, isRow, type Row, type Value } from '../rows/rows.ts';
import { spreadColumns, watchSpread } from '../rows/spread.ts';
import { withDates } from './spreadsheet-dates.ts';

export interface Dialect {
  readonly mark: string;
  /** Returns the lines of records, which all have the same number of values. */
  write(records: readonly (readonly Value[])[]): string;
}

export function delimitedWriters(
  dialectOf: (options: RenderOptions) => Dialect,
): Required<Writers> {
  return {
    /** A header and one line per row. Without rows, the header is still written if the shape is known or fields are chosen. */
    open(options) {
      const dialect = dialectOf(options);
      let write = options.begun && openRecords(options.begun, options, dialect);
      const spread = watchSpread(options);
      return {
        add(page) {
          if (page.length === 0) return '';
          write ??= openRecords(page, options, dialect);
          spread.add(page);
          return write(page);
        },
        end(isBroken) {
          if (isBroken) return [];
          spread.tell();
          const isKnown = options.shape ?? options.fields;
          return !write && isKnown ? [openRecords([], options, dialect)([])] : [];
        },
      };
    },
    /** An object is a header and a line; a list is one line per element, whose own elements are the cells; a scalar is a line. */
    writeValue(value, options) {
      const dialect = dialectOf(options);
      if (isRow(value)) {
        const spread = watchSpread(options);
        spread.add([value]);
        spread.tell();
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
  const { keptLayout: kept, onLayout, shape, spread, begun, header } = options;
  const known = kept ? [kept.skeleton] : first;
  // The columns of a spread list are not fields, but they follow from the same structure.
  const found =
    kept && !spread ? chosenColumns(kept.columns, shape, known) : columnsOf(known, options);
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

function columnsOf(page: readonly Row[], options: RenderOptions): readonly Column[] {
  const { fields, shape, spread } = options;
  if (spread) return spreadColumns(page, options, spread);
  return fields ? chosenColumns(fields, shape, page) : allColumns(shape, page);
}
