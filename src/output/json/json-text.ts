/** Converts values to JSON text; numbers keep the digits as sent. */
import { stringify } from 'lossless-json';
import type { Value } from '../rows/rows.ts';
import { escaped } from '../table/terminal-text.ts';

/**
 * Characters that JSON does not escape but a terminal or a line reader interprets: DEL, C1 controls, line and
 * paragraph separators, bidirectional and invisible format characters.
 */
const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Returns JSON on one line, or indented by `indent` spaces for each level. Characters that a terminal interprets
 * are written as `\uXXXX`, which parses as the same text.
 */
export function toJson(value: Value, indent?: number): string {
  const json = stringify(value, undefined, indent) ?? 'null';
  return json.replace(unsafe, escaped);
}
