/**
 * Values as JSON text, numbers with the digits as sent. Written here because lossless-json's own writer takes
 * half of the time of an export.
 */
import type { Column } from './columns.ts';
import { isList, isNumeral, type Row, type Value } from './rows.ts';

/**
 * What JSON.stringify has to escape, and what it leaves as it is but a terminal or a line reader would act
 * upon: DEL, C1 controls, line and paragraph separators, bidirectional and invisible format characters.
 */
const special =
  /["\\\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u;

/** Nearly every name and value; asked first, as it is told many times faster. */
const plain = /^[\w .:@/-]*$/;

const unsafe =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * JSON on one line, or with line breaks that go on with `lineStart` and two blanks a level. Whatever could
 * steer a terminal is written as `\uXXXX`, which reads back as the same text. Every quote is written as
 * `quote`: inside a cell of csv, two of them.
 */
export function toJson(value: Value, lineStart?: string, quote = '"'): string {
  if (typeof value === 'string') return stringText(value, quote);
  if (value === null || value === undefined) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isNumeral(value)) return value.value;
  const open = lineStart === undefined ? '' : `${lineStart}  `;
  const inner = lineStart === undefined ? undefined : open;
  const isArray = isList(value);
  const texts = isArray
    ? elementTexts(value, open, inner, quote)
    : fieldTexts(value, open, inner, quote);
  const end = texts === '' || lineStart === undefined ? '' : lineStart;
  return isArray ? `[${texts}${end}]` : `{${texts}${end}}`;
}

/** The elements with commas between them, each after `open`. */
function elementTexts(
  list: readonly Value[],
  open: string,
  lineStart: string | undefined,
  quote: string,
): string {
  let texts = '';
  for (const element of list) {
    texts += (texts === '' ? open : `,${open}`) + toJson(element, lineStart, quote);
  }
  return texts;
}

function fieldTexts(row: Row, open: string, lineStart: string | undefined, quote: string): string {
  const colon = lineStart === undefined ? ':' : ': ';
  let texts = '';
  for (const key of Object.keys(row)) {
    const value = row[key];
    if (value === undefined) continue;
    const comma = texts === '' ? open : `,${open}`;
    texts += comma + stringText(key, quote) + colon + toJson(value, lineStart, quote);
  }
  return texts;
}

function stringText(text: string, quote: string): string {
  if (plain.test(text) || !special.test(text)) return quote + text + quote;
  const json = JSON.stringify(text).replace(unsafe, escapeCharacter);
  return quote === '"' ? json : json.replaceAll('"', quote);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

type Draft = { [field: string]: Value };

/** Compiles what builds an object out of the columns: nested by their paths, absent where the row has nothing. */
export function compilePick(columns: readonly Column[]): (row: Row) => Row {
  const outermost = columns.filter(
    ({ path }) => !columns.some((other) => path.startsWith(`${other.path}.`)),
  );
  const places = outermost.map(({ path, read }) => ({ keys: path.split('.'), read }));
  return (row) => {
    const picked: Draft = Object.create(null);
    for (const { keys, read } of places) {
      const value = read(row);
      if (value !== undefined) place(picked, keys, value);
    }
    return picked;
  };
}

function place(draft: Draft, keys: readonly string[], value: Value): void {
  const [key = '', ...others] = keys;
  if (others.length === 0) {
    draft[key] = value;
    return;
  }
  draft[key] ??= Object.create(null);
  place(draft[key] as Draft, others, value);
}
