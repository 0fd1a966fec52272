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

/** A table for clients that show only text: tab-separated, with a header. */
export function linesOf(names: readonly string[], rows: readonly ToolRow[]): string[] {
  if (rows.length === 0) return [];
  const used = names.filter((name) => rows.some((row) => row[name] !== undefined));
  return [used.join('\t'), ...rows.map((row) => used.map((name) => cell(row[name])).join('\t'))];
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const written = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return written.replaceAll(/\s+/g, ' ');
}
