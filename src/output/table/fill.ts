/**
 * Words as lines of at most `width` columns; a longer word has a line of its own and is never cut. `indent` stands before
 * each line but the first.
 */
export function filled(
  words: readonly string[],
  width: number,
  indent = '',
  columnsOf = (text: string) => text.length,
): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && columnsOf(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(lines.length > 0 ? indent + word : word);
  }
  return lines;
}
