/** Values as the text of one cell. */
import { toJson } from './json-text.ts';
import { isNumeral, type Value } from './rows.ts';

/** The plain text of a value: empty for null and undefined, digits as sent, compact JSON for lists and objects. */
export function cellText(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (isNumeral(value)) return value.value;
  if (typeof value === 'object') return toJson(value);
  return String(value);
}
