/** Rows of the client as rows of a tool: some fields, without those that are empty. */
import type { Field, Resource } from '../../operations/resource.ts';

export type ToolRow = Readonly<Record<string, unknown>>;

/** `names` are fields of the resource; the rows have the correct spelling of a misspelled one. */
export function pick(resource: Resource, names: readonly string[], row: object): ToolRow {
  const values = row as Readonly<Record<string, unknown>>;
  return present(
    Object.fromEntries(
      names.map((name) => {
        const field = resource.fields[name];
        return [field?.spelling ?? name, cellOf(field, values[name])];
      }),
    ),
  );
}

/** As the schema says: an integer is a number, and an ID is a text. */
function cellOf(field: Field | undefined, value: unknown): unknown {
  if (field?.kind !== 'integer' || value === null || value === undefined) return value;
  return field.names === undefined ? Number(value) : String(value);
}

/** Leaves out null, undefined and empty texts. */
export function present(row: ToolRow): ToolRow {
  const isPresent = (value: unknown) => value !== null && value !== undefined && value !== '';
  return Object.fromEntries(Object.entries(row).filter(([, value]) => isPresent(value)));
}

/**
 * A table for clients that show only text: tab-separated, with a header. A cell that is a list of rows has their values,
 * and its header has their names.
 */
export function linesOf(names: readonly string[], rows: readonly ToolRow[]): string[] {
  if (rows.length === 0) return [];
  const columns = names
    .filter((name) => rows.some((row) => row[name] !== undefined))
    .map((name) => ({ name, inner: innerNames(rows.map((row) => row[name])) }));
  const header = columns.map(({ name, inner }) => (inner ? `${name} (${inner.join(', ')})` : name));
  const lines = rows.map((row) => columns.map(({ name, inner }) => cell(row[name], inner)));
  return [header, ...lines].map((cells) => cells.join('\t'));
}

/** The names of the rows in cells; undefined if there is any other value, or a value in them is no text or number. */
function innerNames(cells: readonly unknown[]): readonly string[] | undefined {
  const lists = cells.filter((value) => value !== undefined);
  if (!lists.every(Array.isArray)) return undefined;
  const inner: readonly unknown[] = lists.flat();
  if (!inner.every(isFlat)) return undefined;
  return [...new Set(inner.flatMap((row) => Object.keys(row)))];
}

function isFlat(value: unknown): value is ToolRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((one) => typeof one !== 'object' || one === null);
}

function cell(value: unknown, inner?: readonly string[]): string {
  if (value === undefined || value === null) return '';
  if (inner) {
    const rows = value as readonly ToolRow[];
    return rows.map((row) => inner.map((name) => innerCell(row[name])).join(', ')).join('; ');
  }
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return written.replaceAll(/\s+/g, ' ');
}

function innerCell(value: unknown): string {
  const written = cell(value);
  return /[,;"]/.test(written) ? JSON.stringify(written) : written;
}
