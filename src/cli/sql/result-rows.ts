/** The result of a query as rows that every output format can show. */
import { LosslessNumber } from 'lossless-json';
import { decimal, type Field, integer, resource, text } from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import type { Pages } from '../../output/stream.ts';
import type { Result, ResultColumn } from '../../workflows/sync/query/queries.ts';
import type { View } from '../display/view.ts';

/** Reads the first page, because the types of computed columns show only in their values. */
export async function viewOf({ columns, pages }: Result) {
  const names = distinctNames(columns);
  const rows = rowsOf(pages, names);
  const first = await rows.next();
  const seen = first.done ? [] : first.value;
  const fields = Object.fromEntries(
    names.map((name, i) => {
      const field = fieldOf(
        columns[i],
        seen.map((row) => row[name]),
      );
      return [name, { ...field, heading: name }];
    }),
  );
  async function* all() {
    if (!first.done) yield first.value;
    yield* rows;
  }
  const view: View = { resource: resource('row', names, fields) };
  return { view, pages: all() };
}

export async function* pagesOf(pages: AsyncIterable<readonly Row[]>): Pages {
  let number = 1;
  for await (const rows of pages) yield { number: number++, more: true, rows, totals: [] };
}

async function* rowsOf(pages: Result['pages'], names: readonly string[]): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    yield page.map((values) =>
      Object.fromEntries(names.map((name, i) => [name, valueFrom(values[i])])),
    );
  }
}

/**
 * The name of each column. A second column of the same name gets a number; a name that is a number becomes
 * `column_N`, because the fields of a row are in order only if their names are no numbers.
 */
function distinctNames(columns: readonly ResultColumn[]): string[] {
  const taken = new Set<string>();
  return columns.map(({ name }, i) => {
    const base = /^\d+$/.test(name) || name === '' ? `column_${i + 1}` : name;
    let distinct = base;
    for (let count = 2; taken.has(distinct); count++) distinct = `${base}_${count}`;
    taken.add(distinct);
    return distinct;
  });
}

function fieldOf(column: ResultColumn | undefined, values: readonly Value[]): Field {
  const type = column?.type?.toLowerCase() ?? '';
  if (/^(?:integer|bigint|int)/.test(type)) return integer;
  if (/^(?:numeric|real|double|decimal)/.test(type)) return decimal;
  const present = values.filter((value) => value !== null);
  const isNumber = (value: Value) => typeof value === 'number' || value instanceof LosslessNumber;
  return type === '' && present.length > 0 && present.every(isNumber) ? decimal : text;
}

/** A blob is a literal of SQL, x'0102'. */
function valueFrom(value: unknown): Value {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : new LosslessNumber(String(value));
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ArrayBuffer) return valueFrom(Buffer.from(value));
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return (value ?? null) as Value;
}
