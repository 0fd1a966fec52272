/** One row as text/csv: a line of names, a line of values. */
import type { Resource } from '../operations/resource.ts';

export function writeCsv(resource: Resource, row: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(resource.fields);
  const lines = [names, names.map((name) => row[name] ?? '')];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

function quoted(value: unknown): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
