/**
 * Splits SQL into tokens, as SQLite and PostgreSQL do. What the two read differently, or what could hide the end of a
 * statement from this code, is `unclear`.
 */
import type { Dialect } from '../database/sql.ts';

export interface Token {
  /** `name` is a quoted name; `word` a name without quotes, or a keyword. */
  readonly kind: 'word' | 'name' | 'string' | 'number' | 'variable' | 'sign' | 'unclear';
  /** As typed. */
  readonly text: string;
  /** The name or the text without its quotes. */
  readonly value: string;
  /** Offset in the SQL. */
  readonly at: number;
}

type Rule = readonly [kind: Token['kind'] | 'space', pattern: RegExp];

const space: Rule = ['space', /[ \t\n\f\r\uFEFF]+|--[^\n]*(?:\n|$)/y];
const comment: Rule = ['space', /\/\*[\s\S]*?(?:\*\/|$)/y];
const text: Rule = ['string', /'(?:[^']|'')*'/y];
const quoted: Rule = ['name', /"(?:[^"]|"")*"/y];
const number: Rule = ['number', /0[xX][\dA-Fa-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y];
const word: Rule = ['word', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y];
const sign: Rule = ['sign', /::|->>|->|\|\||<>|<=|>=|==|!=|<<|>>|[-+*/%&|~<>=!(),.;]/y];
/** `?`, `?1`, `:name`, `@name` and `$name`. */
const variable: Rule = ['variable', /\?\d*|[:@$][A-Za-z_][\w]*/y];

const rules: Readonly<Record<Dialect, readonly Rule[]>> = {
  sqlite: [
    ...[space, comment, text, quoted],
    ...[['name', /`(?:[^`]|``)*`|\[[^\]]*\]/y] as const, number, word, variable, sign],
  ],
  postgres: [
    // Comments nest, texts can have escapes, and dollars quote texts.
    ...[space, ['unclear', /\/\*(?:(?!\*\/)[\s\S])*?\/\*|[eE]'|[uU]&['"]|\$\d|\$\w*\$/y] as const],
    ...[comment, text, quoted, number, word, ['sign', /::/y] as const, variable],
    ...[['sign', /[[\]:^#@]/y] as const, sign],
  ],
};

export function tokensOf(sql: string, dialect: Dialect): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    const [kind, found] = matchAt(sql, at, dialect);
    if (kind !== 'space') tokens.push({ kind, text: found, value: plainValue(kind, found), at });
    at += found.length;
  }
  return tokens;
}

function matchAt(sql: string, at: number, dialect: Dialect): readonly [Rule[0], string] {
  for (const [kind, pattern] of rules[dialect]) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(sql) ?? [];
    if (found) return [kind, found];
  }
  return ['unclear', sql.slice(at, at + 1)];
}

function plainValue(kind: Rule[0], found: string): string {
  if (kind !== 'string' && kind !== 'name') return found;
  const quote = found.at(-1) ?? '';
  return found.slice(1, -1).replaceAll(`${quote}${quote}`, quote);
}
