/** Values as the text of one cell. */
import { toJson } from '../json/json-text.ts';
import { plain } from '../table/terminal-text.ts';
import type { ColumnKind } from './columns.ts';
import { isList, isNumeral, isRow, type Value } from './rows.ts';

/** The plain text of a value: empty for null and undefined, digits as sent, compact JSON for lists and objects. */
export function cellText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (isNumeral(value)) return value.value;
  return typeof value === 'object' ? toJson(value) : String(value);
}

const isoMinutes = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

/**
 * A value as a person reads it in a table, on one line and without anything that could steer the terminal.
 * Times to the minute, as written, without the offset, and days without hours; a list of scalars parted by
 * commas; lists of objects as JSON.
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
