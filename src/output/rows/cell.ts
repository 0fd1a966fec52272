/** Converts values to the text of one cell. */
import { toJson } from '../json/json-text.ts';
import { plain } from '../table/terminal-text.ts';
import type { ColumnKind } from './columns.ts';
import { isList, isNumeral, isRow, type Value } from './rows.ts';

/**
 * Returns the plain text of a value: empty for null and undefined, digits as sent, compact JSON for lists and
 * objects.
 */
export function cellText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (isNumeral(value)) return value.value;
  return typeof value === 'object' ? toJson(value) : String(value);
}

const isoMinutes = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

/**
 * The text of a value in a table, on one line and without control characters: times to the minute without
 * their offset, days without hours, lists of scalars separated by commas, lists of objects as JSON.
 */
export function tableText(value: Value, kind: ColumnKind): string {
  if (isList(value) && !value.some(isRow)) {
    return value.map((element) => tableText(element, kind)).join(', ');
  }
  const text = plain(cellText(value));
  const isTimed = (kind === 'time' || kind === 'day') && typeof value === 'string';
  const [whole, day, minute] = (isTimed && isoMinutes.exec(text)) || [];
  if (whole === undefined) return text;
  return kind === 'day' ? `${day}` : `${day} ${minute}`;
}
