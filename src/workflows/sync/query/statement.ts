/** One statement that reads, as typed: checks it before a database sees it, and finds its parameters. */
import type { Dialect } from '../database/sql.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A query that can't run. The command line recognizes it by its name. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly hint: string | undefined;

  constructor(
    message: string,
    { hint, cause }: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.hint = hint;
  }
}

export interface Statement {
  /** Without the last semicolon, and with a question mark for each parameter. */
  readonly text: string;
  /** The parameter of each question mark: its position, counted from 1, or its name. */
  readonly parameters: readonly (number | string)[];
  readonly tokens: readonly Token[];
  /** It explains how the database would run a statement. */
  readonly isExplanation: boolean;
}

/** Throws a QueryError for anything but one SELECT, WITH, VALUES or EXPLAIN statement. */
export function readStatement(sql: string, dialect: Dialect): Statement {
  const tokens = [...tokensOf(sql, dialect)];
  const unclear = tokens.find(({ kind }) => kind === 'unclear');
  if (unclear) throw new QueryError(`Invalid SQL at ${placeOf(sql, unclear.at)}: ${unclear.text}`);
  while (tokens.at(-1)?.text === ';') tokens.pop();
  const [first] = tokens;
  if (!first) throw new QueryError('The SQL is empty.', { hint: "Try cb sql '.tables'." });
  const next = tokens.find(({ text }) => text === ';');
  if (next) {
    throw new QueryError('Only one statement can run at a time.', {
      hint: `A second one begins after ${placeOf(sql, next.at)}.`,
    });
  }
  const isExplanation = requireReading(tokens);
  const last = tokens.at(-1) ?? first;
  const { text, parameters } = withMarks(sql.slice(0, last.at + last.text.length), tokens);
  return { text, parameters, tokens, isExplanation };
}

const reading = new Set(['SELECT', 'WITH', 'VALUES']);

/**
 * The first word decides: PRAGMA, ATTACH and VACUUM have effects as soon as they are prepared, or on other files. Returns
 * whether it is EXPLAIN.
 */
function requireReading(tokens: readonly Token[]): boolean {
  const words = tokens.slice(0, 4).map(({ kind, text }) => (kind === 'word' ? text : ''));
  const [first = '', second = '', third = ''] = words.map((word) => word.toUpperCase());
  if (reading.has(first)) return false;
  const explained = second === 'QUERY' && third === 'PLAN' ? (words[3] ?? '') : second;
  if (first === 'EXPLAIN' && reading.has(explained.toUpperCase())) return true;
  throw new QueryError('cb sql only reads.', {
    hint: 'Use a statement that begins with SELECT, WITH, VALUES or EXPLAIN.',
  });
}

/** Each parameter becomes a question mark; `?2` and `:name` may occur several times. */
function withMarks(sql: string, tokens: readonly Token[]) {
  const parameters: (number | string)[] = [];
  let text = '';
  let from = 0;
  let positions = 0;
  for (const { kind, text: typed, at } of tokens) {
    if (kind !== 'variable') continue;
    const position = typed.startsWith('?') ? Number(typed.slice(1)) || positions + 1 : undefined;
    positions = Math.max(positions, position ?? 0);
    parameters.push(position ?? typed.slice(1));
    text += `${sql.slice(from, at)}?`;
    from = at + typed.length;
  }
  return { text: text + sql.slice(from), parameters };
}

/** As in `line 2, column 7`; only the column if there is one line. */
export function placeOf(sql: string, at: number): string {
  const lines = sql.slice(0, at).split('\n');
  const column = `column ${(lines.at(-1)?.length ?? 0) + 1}`;
  return sql.trimEnd().includes('\n') ? `line ${lines.length}, ${column}` : column;
}
