/** The pairs of a text: each line, and the line below it, which is indented. */
export function pairsIn(text: string): (readonly [line: string, below: string])[] {
  const found = text.matchAll(/^(\S.*)\n {2}(.*)$/gm);
  return [...found].map(([, line = '', below = '']) => [line, below]);
}

/** The rows of a text, one on each line: what is typed, and what comes of it. */
export function rowsIn(text: string): [typed: string, says: string][] {
  const found = text.matchAll(/^(.+?) → (.+)$/gm);
  return [...found].map(([, typed = '', says = '']) => [typed, says]);
}
