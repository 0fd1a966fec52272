/** parquet: typed columns for databases and column stores, in groups of rows that are written as they arrive. */
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { UnfitValue } from './errors.ts';
import type { Chunk, RenderOptions, Writer } from './render-options.ts';
import {
  allColumns,
  type Column,
  chosenColumns,
  distinctNames,
  watchFields,
} from './rows/columns.ts';
import { cellText, isList, isRow, type Row, type Value } from './rows/rows.ts';

/** An amount has 4 decimals; a number is a double, for what is no amount. */
export type ParquetType = 'text' | 'amount' | 'number' | 'integer' | 'boolean' | 'time' | 'day';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/;
const isoDay = /^\d{4}-\d\d-\d\d(?=$|T)/;
const utc = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;

const finite = (number: number) => (Number.isFinite(number) ? number : undefined);

function amountOf(text: string): bigint | undefined {
  const [, digits, decimals = ''] = /^(-?\d{1,14})(?:\.(\d{1,4})0*)?$/.exec(text) ?? [];
  return digits === undefined ? undefined : BigInt(digits + decimals.padEnd(4, '0'));
}

type Stored = string | number | bigint | boolean | undefined;

/** How a type is called and declared, and how a text is stored: undefined if the type can't hold it exactly. */
// biome-ignore format: a row for each type.
const types: Readonly<Record<ParquetType, readonly [string, Omit<SchemaElement, 'name'>, (text: string) => Stored]>> = {
  text: ['text', { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, (text) => text],
  amount: ['DECIMAL(18,4)', { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 4 }, amountOf],
  number: ['DOUBLE', { type: 'DOUBLE' }, (text) => finite(Number(text))],
  integer: ['INT64', { type: 'INT64' }, (text) => (/^-?\d{1,18}(?:\.0+)?$/.test(text) ? BigInt(text.replace(/\..*/, '')) : undefined)],
  // SQLite stores 0 and 1.
  boolean: ['BOOLEAN', { type: 'BOOLEAN' }, (text) => ({ true: true, 1: true, false: false, 0: false })[text]],
  time: ['TIMESTAMP', { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type: utc },
    (text) => (isoTime.test(text) ? finite(Date.parse(text)) : undefined)],
  day: ['DATE', { type: 'INT32', converted_type: 'DATE' }, (text) => finite(Date.parse(isoDay.exec(text)?.[0] ?? '') / 86_400_000)],
};

function storedIn({ name, type }: ParquetColumn, value: Value) {
  if (value === null || value === undefined) return null;
  const text = cellText(value);
  if (text === '' && type !== 'text') return null;
  const [called, , stored] = types[type];
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
    ...types[type][1],
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
  // Most engines take no dots in names, and see no difference between upper and lower case.
  const plain = columns.map(({ name }) => name.replaceAll('.', '_'));
  const names = distinctNames(plain, (name) => name.toLowerCase());
  const file = openParquet(
    columns.map((column, at) => ({ name: names[at] ?? '', type: typeOf(column) })),
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

/** What the shape does not know is text, because the first page does not tell what later ones hold. */
function typeOf({ kind, field }: Column): ParquetType {
  if (!field) return 'text';
  if (kind === 'time' || kind === 'boolean') return kind;
  if (kind === 'day' || kind === 'month') return 'day';
  // Numbers that identify something are no numbers.
  if (kind !== 'number' || field.names !== undefined) return 'text';
  return field.kind === 'integer' ? 'integer' : 'amount';
}
