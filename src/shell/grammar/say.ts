/** How messages write what to type. */

/** `a`, `a or b`, `a, b, or c`. */
export function oneOf(items: readonly string[]): string {
  const last = items.at(-1) ?? '';
  if (items.length < 3) return items.join(' or ');
  return `${items.slice(0, -1).join(', ')}, or ${last}`;
}

/** As it is where a POSIX shell sees nothing in it, else between single quotes. */
export function shellWord(text: string): string {
  return /^[\w%+,./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
