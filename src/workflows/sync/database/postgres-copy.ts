/** Rows in the text format of COPY. */
import type { Cell, Column } from '../tables/table.ts';

/** What has a meaning in the format. */
const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/** One line for each row, with a tab between its cells. */
export function copyText(columns: readonly Column[], rows: readonly (readonly Cell[])[]): string {
  const isJson = columns.map(({ type }) => type === 'json');
  const lines = rows.map((row) =>
    row.map((cell, i) => copyCell(cell, isJson[i] ?? false)).join('\t'),
  );
  return lines.map((line) => `${line}\n`).join('');
}

function copyCell(cell: Cell, isJson: boolean): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  const text = isJson ? storableJson(String(cell)) : storableText(String(cell));
  return text.replace(special, (character) => escapes[character] ?? '');
}

/** PostgreSQL stores no NUL in texts. Lone surrogates become U+FFFD when the text is encoded. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** jsonb accepts neither NUL nor lone surrogates; JSON.stringify escapes both, and no other surrogates. */
function storableJson(json: string): string {
  if (!json.includes('\\u')) return json;
  return json.replace(/\\(?:u([0-9a-f]{4})|.)/gi, (sequence, code?: string) => {
    if (code === undefined) return sequence;
    if (code === '0000') return '';
    return /^d[89a-f]/i.test(code) ? '\uFFFD' : sequence;
  });
}
