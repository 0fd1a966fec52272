/**
 * Messages of the Singer specification: SCHEMA, RECORD and STATE, each a line of JSON.
 * https://github.com/singer-io/getting-started/blob/master/docs/SPEC.md
 */
import { columnsOf } from '../tables/row-columns.ts';
import type { Cell, ColumnType, Table } from '../tables/table.ts';

/** A stream of records: a table of the copy, or its state. */
export interface Stream {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
}

export function streamOf(table: Table): Stream {
  return { name: table.name, key: ['account', ...table.key], columns: columnsOf(table) };
}

/** A day of a source that was replaced: older records of that day no longer exist. */
export const dayStream: Stream = {
  name: 'sync_days',
  key: ['account', 'source', 'day'],
  columns: [
    { name: 'account', type: 'text' },
    { name: 'source', type: 'text' },
    { name: 'day', type: 'day' },
    { name: 'row_count', type: 'integer' },
    { name: 'synced_at', type: 'timestamp' },
  ],
};

/** A source that was replaced as a whole: its older records no longer exist. */
export const readStream: Stream = {
  name: 'sync_reads',
  key: ['account', 'source'],
  columns: [
    { name: 'account', type: 'text' },
    { name: 'source', type: 'text' },
    { name: 'synced_at', type: 'timestamp' },
  ],
};

const types: Readonly<Record<ColumnType, object>> = {
  text: { type: 'string' },
  numeric: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  timestamp: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  json: { type: 'object' },
};

export function schemaMessage({ name, key, columns }: Stream): string {
  const properties = Object.fromEntries(
    columns.map((column) => {
      const { type, ...format } = types[column.type] as { readonly type: string };
      const isKey = key.includes(column.name);
      return [column.name, { type: isKey ? type : ['null', type], ...format }];
    }),
  );
  return JSON.stringify({
    type: 'SCHEMA',
    stream: name,
    schema: { type: 'object', properties, additionalProperties: false },
    key_properties: key,
  });
}

/** `cells` are in the order of the columns. Decimals are numbers with the digits as sent. */
export function recordMessage({ name, columns }: Stream, cells: readonly Cell[]): string {
  const fields = columns.map(
    (column, i) => `${JSON.stringify(column.name)}:${jsonOf(cells[i] ?? null, column.type)}`,
  );
  return `{"type":"RECORD","stream":${JSON.stringify(name)},"record":{${fields.join(',')}}}`;
}

/** Numeric cells are texts of digits, and json cells are JSON already. */
function jsonOf(cell: Cell, type: ColumnType): string {
  const isJson = type === 'numeric' || type === 'integer' || type === 'json';
  return isJson && typeof cell === 'string' ? cell : JSON.stringify(cell);
}

export function stateMessage(value: object): string {
  return JSON.stringify({ type: 'STATE', value });
}
