/** What each byte does to the text that it stands in. */
import { trait } from './tape.ts';

/** Beside the traits of a text. */
export const mark = { end: 1, escape: 2, control: 4 } as const;

/** With these the text ends, or can't be copied. */
export const stops = mark.end | mark.escape | mark.control;

/** DEL, and what begins a character beyond ASCII that may be a control, or steer how a text is shown. */
const invisible = [0x7f, 0xc2, 0xd8, 0xe1, 0xe2, 0xef];

/** `special` are the bytes that mean something in the format that is written. */
export function marksOf(special: readonly number[]): Uint8Array {
  const marks = new Uint8Array(256);
  for (const byte of invisible) marks[byte] = trait.invisible;
  for (const byte of special) marks[byte] = (marks[byte] as number) | trait.special;
  // Even one that is special: it stands in no text but by an escape.
  marks.fill(mark.control, 0, 0x20);
  marks[0x22] = mark.end;
  marks[0x5c] = mark.escape;
  return marks;
}
