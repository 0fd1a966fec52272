/** Cuts and pads text by its width on a terminal, measured by grapheme clusters as terminals draw them. */
import stringWidth from 'string-width';
import { printableAscii } from './terminal-text.ts';

let segmenter: Intl.Segmenter | undefined;

/** Created on first use, because that takes about 10 ms. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** Terminal columns of a text. */
export function displayWidth(text: string): number {
  return printableAscii.test(text) ? text.length : stringWidth(text);
}

export function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, displayWidth(text)), 0);
}

/** Cuts a text to at most `width` columns; a cut text ends in an ellipsis. */
export function cut(text: string, width: number): string {
  if (startOf(text, width) === text) return text;
  return width < 1 ? '' : `${startOf(text, width - 1)}…`;
}

/** Returns the spaces that pad a text to `width` columns. */
export function blanks(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Wraps a text to lines of at most `width` columns, at spaces if possible. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  for (let start = startOf(rest, width); start !== rest; start = startOf(rest, width)) {
    // A character that is wider than the line gets a line of its own.
    const line = start === '' ? firstCharacter(rest) : start;
    const blank = rest.charAt(line.length) === ' ' ? line.length : line.lastIndexOf(' ');
    const end = blank > 0 ? blank : line.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest];
}

/**
 * Returns as many whole characters from the start as fit into `width` columns. Reads only as much of the text as
 * necessary, so a very long text costs no more than one line.
 */
function startOf(text: string, width: number): string {
  if (width === Number.POSITIVE_INFINITY) return text;
  for (let reach = 2 * width + 16; ; reach *= 2) {
    const part = text.slice(0, reach);
    let used = 0;
    for (const { segment, index } of graphemes(part)) {
      used += displayWidth(segment);
      if (used > width) return part.slice(0, index);
    }
    if (part.length === text.length) return text;
  }
}

function firstCharacter(text: string): string {
  const [first] = graphemes(text.slice(0, 64));
  return first?.segment ?? text;
}
