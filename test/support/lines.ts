/** What cb printed, line by line. */

export function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** The values of lines of JSON, as `-o ndjson` prints them. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows the rows that it asked for
export function jsonLines(text: string): any[] {
  return linesOf(text).map((line) => JSON.parse(line));
}

/** The rows of a text, one on each line: what is typed, and what comes of it. */
export function rowsIn(text: string): [typed: string, says: string][] {
  const found = text.matchAll(/^(.+?) → (.+)$/gm);
  return [...found].map(([, typed = '', says = '']) => [typed, says]);
}
