/**
 * The driver aborts the process on text that is not UTF-8, such as char(55296). So SQLite returns each value as the bytes of
 * an SQL literal, which is read here.
 */
import type { Statement } from './statement.ts';

/** Selects the rows of a statement with each value as a quoted literal. Each expression is still computed once. */
export function quotedRows({ text }: Statement, columns: number): string {
  const names = Array.from({ length: columns }, (_, i) => `c${i}`);
  const quoted = names.map((name) => `CAST(quote(${name}) AS BLOB)`);
  return `WITH cb_result(${names.join(', ')}) AS (\n${text}\n) SELECT ${quoted.join(', ')} FROM cb_result`;
}

export function unquotedRow(row: IteratorResult<unknown[]>): IteratorResult<unknown[]> {
  return row.done ? row : { done: false, value: row.value.map((value) => unquoted(value)) };
}

/** Invalid bytes become U+FFFD. A blob is returned as its literal, as bytes. */
function unquoted(value: unknown): unknown {
  const bytes = value instanceof ArrayBuffer ? Buffer.from(value) : (value as Buffer);
  const text = bytes.toString('utf8');
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (text.startsWith('X')) return Buffer.from(text.slice(2, -1), 'hex');
  if (text === 'NULL') return null;
  if (/[.eI]/.test(text)) return Number(text.replace('Inf', 'Infinity'));
  return BigInt(text);
}
