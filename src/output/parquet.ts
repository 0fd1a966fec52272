/** parquet: typed columns for databases and column stores, in groups of rows that are written as they arrive. */
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { UnfitValue } from './errors.ts';
import type { Chunk, RenderOptions, Writer } from './render-options.ts';
import { allColumns, type Column, chosenColumns, watchFields } from './rows/columns.ts';
import {
  cellText,
  fieldOf,
  isList,
  isRow,
  type Row,
  type Shape,
  shapeAt,
  type Value,
} from './rows/rows.ts';

/** An amount has 4 decimals; a number is a double, for what is no amount. */
export type ParquetType = 'text' | 'amount' | 'number' | 'integer' | 'boolean' | 'time' | 'day';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

/** How a type is declared and called, and how a value is stored: undefined if the type can't hold it exactly. */
const types = {
  text: {
    called: 'text',
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    stored: (text: string) => text,
  },
  amount: {
    called: 'DECIMAL(18,4)',
    element: { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 4 },
    stored(text: string) {
      const [, digits, decimals = ''] = /^(-?\d{1,14})(?:\.(\d{1,4})0*)?$/.exec(text) ?? [];
      return digits === undefined ? undefined : BigInt(digits + decimals.padEnd(4, '0'));
    },
  },
  number: {
    called: 'DOUBLE',
    element: { type: 'DOUBLE' },
    stored: (text: string) => (Number.isFinite(Number(text)) ? Number(text) : undefined),
  },
  integer: {
    called: 'INT64',
    element: { type: 'INT64' },
    stored(text: string) {
      const [, digits] = /^(-?\d{1,18})(?:\.0+)?$/.exec(text) ?? [];
      return digits === undefined ? undefined : BigInt(digits);
    },
  },
  boolean: {
    called: 'BOOLEAN',
    element: { type: 'BOOLEAN' },
    // SQLite stores 0 and 1.
    stored: (text: string) =>
      /^(?:true|1)$/.test(text) || (/^(?:false|0)$/.test(text) ? false : undefined),
  },
  time: {
    called: 'TIMESTAMP',
    element: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    },
    stored(text: string) {
      const moment = isoTime.test(text) ? Date.parse(text) : Number.NaN;
      return Number.isNaN(moment) ? undefined : BigInt(moment);
    },
  },
  day: {
    called: 'DATE',
    element: { type: 'INT32', converted_type: 'DATE' },
    stored(text: string) {
      const day = isoDay.exec(text)?.[0];
      const start = day === undefined ? Number.NaN : Date.parse(day);
      return Number.isNaN(start) ? undefined : start / 86_400_000;
    },
  },
} as const;

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const isoDay = /^\d{4}-\d\d-\d\d(?=$|T)/;

function storedIn({ name, type }: ParquetColumn, value: Value) {
  if (value === null || value === undefined) return null;
  const text = cellText(value);
  if (text === '' && type !== 'text') return null;
  const { called, stored } = types[type];
  const found = stored(text);
  if (found === undefined) throw new UnfitValue(name, text, called);
  return found;
}

/** A group is held in memory, and readers skip whole groups. */
const rowsOfGroup = 10_000;

/** Writes a file: `add` and `end` return its bytes so far. The same rows are always the same bytes. */
export function openParquet(columns: readonly ParquetColumn[]) {
  const writer = new ByteWriter();
  const leaves = columns.map(({ name, type }) => ({
    ...{ name, repetition_type: 'OPTIONAL' as const },
    ...types[type].element,
  }));
  const schema = [{ name: 'root', num_children: columns.length }, ...leaves];
  const file = new ParquetWriter({ writer, schema, createdBy: 'cb' });
  const emptyGroup = () => columns.map((): ReturnType<typeof storedIn>[] => []);
  let group = emptyGroup();
  const writeGroup = () => {
    const columnData = columns.map(({ name }, at) => ({ name, data: group[at] ?? [] }));
    file.write({ columnData, rowGroupSize: rowsOfGroup });
    group = emptyGroup();
  };
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  return {
    /** The values of each row are in the order of the columns. Throws UnfitValue. */
    add(rows: readonly (readonly Value[])[]) {
      for (const row of rows) {
        for (const [at, column] of columns.entries()) group[at]?.push(storedIn(column, row[at]));
        if (group[0]?.length === rowsOfGroup) writeGroup();
      }
      return take();
    },
    end() {
      writeGroup();
      file.finish();
      return take();
    },
  };
}

export function open(options: RenderOptions): Writer {
  let file: ReturnType<typeof openRows> | undefined;
  return {
    add(page) {
      if (page.length === 0) return '';
      file ??= openRows(page, options);
      return file.add(page);
    },
    end: (isBroken) => (isBroken ? [] : [(file ?? openRows([], options)).end()]),
  };
}

/** An object is a row; of a list, each element is one. */
export function writeValue(value: Value, options: RenderOptions): Chunk {
  const values = isList(value) ? value : [value];
  const rows = values.map((one) => (isRow(one) ? one : { value: one }));
  const file = openRows(rows, options);
  return Buffer.concat([file.add(rows), file.end()]);
}

function openRows(first: readonly Row[], options: RenderOptions) {
  const { fields, shape } = options;
  const columns = fields ? chosenColumns(fields, shape, first) : allColumns(shape, first);
  const names = distinctNames(columns.map(({ name }) => name));
  const file = openParquet(
    columns.map((column, at) => ({ name: names[at] ?? '', type: typeOf(column, shape) })),
  );
  const watch = watchFields(first, options);
  return {
    add(page: readonly Row[]) {
      watch(page);
      return file.add(page.map((row) => columns.map(({ read }) => read(row))));
    },
    end: file.end,
  };
}

/** Most engines take no dots in names, and see no difference between upper and lower case. */
function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const plain = name.replaceAll('.', '_');
    let distinct = plain;
    for (let count = 2; taken.has(distinct.toLowerCase()); count++) distinct = `${plain}_${count}`;
    taken.add(distinct.toLowerCase());
    return distinct;
  });
}

/** What the shape does not know is text, because the first page does not tell what later ones hold. */
function typeOf({ path, kind }: Column, shape: Shape | undefined): ParquetType {
  const keys = path.split('.');
  const last = keys.at(-1) ?? '';
  const field = fieldOf(shapeAt(shape, keys.slice(0, -1)), last) ?? shape?.derived?.[path];
  if (!field) return 'text';
  if (kind === 'time' || kind === 'boolean') return kind;
  if (kind === 'day' || kind === 'month') return 'day';
  // Numbers that identify something are no numbers.
  if (kind !== 'number' || field.names !== undefined) return 'text';
  return field.kind === 'integer' ? 'integer' : 'amount';
}
