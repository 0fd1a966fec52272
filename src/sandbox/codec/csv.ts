/** One row as text/csv: a line of names, a line of values. */
import type { Resource } from '../../operations/resource.ts';
import { type Row, rowJson } from './json.ts';

export function writeCsv(resource: Resource, row: Row): string {
  const json = rowJson(resource, row);
  const names = Object.keys(resource.fields);
  const lines = [names, names.map((name) => json[name] ?? '')];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

function quoted(value: unknown): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
