/** Colors JSON for a terminal: names, texts and other values differ. */
import { type Color, paint } from '../paint.ts';

/** A name with its colon, a text, or a number or literal. Line breaks inside texts are escaped in JSON. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** Returns the same JSON with colors. The text can be a part that begins and ends between two tokens. */
export function colorJson(json: string): string {
  return json.replace(tokens, (token, text: string | undefined, colon: string | undefined) => {
    if (text !== undefined) return colon ? paint('blue', text) + colon : paint('green', text);
    return paint(literals[token] ?? 'cyan', token);
  });
}

const literals: Readonly<Record<string, Color>> = { true: 'yellow', false: 'yellow', null: 'dim' };
