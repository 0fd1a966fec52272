/** Command lines in the help, broken so that they fit the terminal and still run when they are pasted. */

const indent = '  ';
const continued = ' \\';

/**
 * The line with its indent. A line that is too long is broken between words, with a backslash at each break.
 * Only a single word that is longer than the width stays too long.
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

/** The words of a command line, with their quotes. */
function wordsOf(line: string): string[] {
  return line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
}
