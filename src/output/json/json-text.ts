/** Converts values to JSON text; numbers keep the digits as sent. */
import { stringify } from 'lossless-json';
import type { Value } from '../rows/rows.ts';
import { escaped } from '../table/terminal-text.ts';

/**
 * Characters that JSON does not escape but that affect terminals or line readers: DEL, C1 controls, line and
 * paragraph separators, bidirectional and invisible format characters.
 */
const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * JSON on one line, or indented by `indent` spaces a level. Control characters are written as
 * `\uXXXX`, which reads back as the same text.
 */
export function toJson(value: Value, indent?: number): string {
  const json = stringify(value, undefined, indent) ?? 'null';
  return json.replace(unsafe, escaped);
}
