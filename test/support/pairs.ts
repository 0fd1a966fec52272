/** The pairs of a text: each line, and the line below it, which is indented. */
export function pairsIn(text: string): (readonly [line: string, below: string])[] {
  const found = text.matchAll(/^(\S.*)\n {2}(.*)$/gm);
  return [...found].map(([, line = '', below = '']) => [line, below]);
}
