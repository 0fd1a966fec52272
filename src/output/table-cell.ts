/** Values as a person reads them in a table: on one line, without anything that could steer the terminal. */
import { cellText } from './cell.ts';
import type { ColumnKind } from './columns.ts';
import { isList, isRow, type Value } from './rows.ts';
import { plain } from './terminal-text.ts';

const isoMinutes = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/;

/** Times to the minute, as written, without the offset, and days without hours; a list of scalars parted by commas; lists of objects as JSON. */
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
