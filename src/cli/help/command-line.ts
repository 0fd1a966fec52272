/** Breaks command lines in the help so that they fit the terminal and still run when pasted. */

const indent = '  ';
const continued = ' \\';

/**
 * Returns the line with its indent. A long line is broken between words, with a backslash at each break. Only a
 * word that is longer than the width stays too long.
 */
export function brokenCommand(line: string, width: number): string[] {
  if (indent.length + line.length <= width) return [indent + line];
  const lines: string[] = [];
  for (const word of wordsOf(line)) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && longer.length + continued.length <= width) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(`${indent}${last === undefined ? '' : indent}${word}`);
    }
  }
  return lines.map((text, i) => (i < lines.length - 1 ? text + continued : text));
}

/** Splits a command line into words, and keeps their quotes. */
function wordsOf(line: string): string[] {
  return line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
}
