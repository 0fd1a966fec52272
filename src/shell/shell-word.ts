/** A word as it is typed in a POSIX shell: as it is where the shell sees nothing in it, else between single quotes. */
export function shellWord(text: string): string {
  return /^[\w%+,./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
