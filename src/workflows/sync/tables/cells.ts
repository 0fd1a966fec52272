/** Converts values of the service to values for a database. What has another form than its column becomes null; `raw` keeps it. */
import type { Day } from '../../../dates/day.ts';
import { pacificDay } from '../../../dates/pacific.ts';
import type { Cell, ColumnType } from './table.ts';

const number = /^-?\d+(?:\.\d+)?$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;
const day = /^\d{4}-\d\d-\d\d/;

export function cellOf(value: unknown, type: ColumnType): Cell {
  if (value === null || value === undefined) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  const text = textOf(value);
  if (type === 'text') return text;
  if (type === 'timestamp') return momentOf(text);
  if (type === 'day') return day.exec(text)?.[0] ?? null;
  if (!number.test(text)) return null;
  return type === 'numeric' || Number.isInteger(Number(text)) ? text : null;
}

/** PostgreSQL stores no NUL in texts. */
function textOf(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.replaceAll('\u0000', '');
}

/** In UTC, so that texts sort by time: `2026-02-18T23:11:38Z`. */
function momentOf(text: string): string | null {
  const moment = time.test(text) ? new Date(text) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return null;
  return moment.toISOString().replace('.000Z', 'Z');
}

/** The Pacific day of a time that the service sent; undefined for anything else. */
export function pacificDayOf(value: unknown): Day | undefined {
  const moment = typeof value === 'string' && time.test(value) ? new Date(value) : undefined;
  if (!moment || Number.isNaN(moment.getTime())) return undefined;
  return pacificDay(Math.floor(moment.getTime() / 1000));
}
