/** Cuts, pads and wraps text by the columns that it takes on a terminal, in whole characters. */
import stringWidth from 'string-width';
import { printableAscii } from './terminal-text.ts';

let segmenter: Intl.Segmenter | undefined;

/** Created when a text needs it, because that takes about 10 ms. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** In characters. The time to measure text that is not ASCII grows with the square of its length. */
const longestPart = 10_000;

/** Terminal columns of a text. */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (let at = 0; at < text.length; at += longestPart) {
    width += stringWidth(text.slice(at, at + longestPart));
  }
  return width;
}

export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}

/** The text in at most `width` columns; cut text ends in an ellipsis. */
export function cut(text: string, width: number): string {
  if (startOf(text, width) === text) return text;
  return width < 1 ? '' : `${startOf(text, width - 1)}…`;
}

/** The spaces that pad a text to `width` columns. */
export function blanks(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The text as lines of at most `width` columns, broken at spaces if possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  for (let start = startOf(rest, width); start !== rest; start = startOf(rest, width)) {
    // A character wider than the line gets its own line.
    const line = start || ([...graphemes(rest.slice(0, 64))][0]?.segment ?? rest);
    const blank = rest.charAt(line.length) === ' ' ? line.length : line.lastIndexOf(' ');
    const end = blank > 0 ? blank : line.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest];
}

/** Whole characters from the start. Reads no more than needed, so that wrapping a megabyte is fast. */
function startOf(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  for (let reach = 2 * width + 16; ; reach *= 2) {
    const part = text.slice(0, reach);
    if (printableAscii.test(part)) return part.slice(0, width);
    let used = 0;
    for (const { segment, index } of graphemes(part)) {
      used += displayWidth(segment);
      if (used > width) return part.slice(0, index);
    }
    if (part.length === text.length) return text;
  }
}

/** Spaces before each continuation line, so that none looks like a message of its own. */
const indent = 4;

/** Minimum width: in a narrower terminal, wrapping is no improvement. */
const least = 20;

/** Parts that stay on one line so that they can be copied: a command between backticks, or after "Try:". */
const units = /Try: .*$|[^\s`]*`[^`]+`\S*|\S+/g;

/** Returns the line in parts of at most `width` columns. A longer word gets a line of its own and is never cut. */
export function wrapLine(line: string, width: number): string[] {
  if (width < least || columnsOf(line) <= width) return [line];
  const [leading = ''] = /^ */.exec(line) ?? [];
  const [first = '', ...words] = line.match(units) ?? [];
  const lines = [leading + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (columnsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(' '.repeat(Math.max(indent, leading.length)) + word);
  }
  return lines;
}

/** An upper bound of the width: counts two columns for any character that may be wide. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += character < '\u1100' ? 1 : 2;
  return columns;
}
