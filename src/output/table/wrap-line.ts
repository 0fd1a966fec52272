/** Breaks a line of a message between words. Measures text without Unicode's tables, which are slow to load. */

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
