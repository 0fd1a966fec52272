/**
 * The driver aborts the process on text that is not UTF-8, such as char(55296). So SQLite returns each value as the bytes of
 * an SQL literal, which is read here.
 */
import type { Statement } from './statement.ts';

/**
 * Selects the rows of a statement with each value as a quoted literal. Each expression is still computed once. With
 * `longest`, longer literals are cut before they leave SQLite.
 */
export function quotedRows({ text }: Statement, columns: number, longest?: number): string {
  const names = Array.from({ length: columns }, (_, i) => `c${i}`);
  const literal = (name: string) =>
    longest === undefined ? `quote(${name})` : `substr(quote(${name}), 1, ${cutAfter(longest)})`;
  const quoted = names.map((name) => `CAST(${literal(name)} AS BLOB)`);
  return `WITH cb_result(${names.join(', ')}) AS (\n${text}\n) SELECT ${quoted.join(', ')} FROM cb_result`;
}

/** More characters than the literal of a value of this length can have: X'' and two for each byte. */
function cutAfter(longest: number): number {
  return 2 * longest + 4;
}

export function unquotedRow(
  row: IteratorResult<unknown[]>,
  longest?: number,
): IteratorResult<unknown[]> {
  return row.done
    ? row
    : { done: false, value: row.value.map((value) => unquoted(value, longest)) };
}

/** Invalid bytes become U+FFFD. A blob is returned as its literal, as bytes. */
function unquoted(value: unknown, longest?: number): unknown {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : (value as Buffer);
  const text = bytes.toString('utf8');
  const isCut = longest !== undefined && [...text].length === cutAfter(longest);
  const end = isCut ? undefined : -1;
  if (text.startsWith("'")) return text.slice(1, end).replaceAll("''", "'");
  if (text.startsWith('X')) return Buffer.from(text.slice(2, end), 'hex');
  if (text === 'NULL') return null;
  if (/[.eI]/.test(text)) return Number(text.replace('Inf', 'Infinity'));
  return BigInt(text);
}
