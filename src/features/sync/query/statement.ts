/** One statement that reads, as typed: checks it before a database sees it, and finds its parameters. */

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
export function readStatement(sql: string): Statement {
  const tokens = [...tokensOf(sql)];
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

interface Token {
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

const rules: readonly Rule[] = [
  ['space', /[ \t\n\f\r\uFEFF]+|--[^\n]*(?:\n|$)/y],
  ['space', /\/\*[\s\S]*?(?:\*\/|$)/y],
  ['string', /'(?:[^']|'')*'/y],
  ['name', /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y],
  ['number', /0[xX][\dA-Fa-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ['word', /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y],
  // `?`, `?1`, `:name`, `@name` and `$name`.
  ['variable', /\?\d*|[:@$][A-Za-z_][\w]*/y],
  ['sign', /::|->>|->|\|\||<>|<=|>=|==|!=|<<|>>|[-+*/%&|~<>=!(),.;]/y],
  ['unclear', /[\s\S]/y],
];

/** Splits SQL into tokens, as SQLite does. What could hide the end of a statement from this code is `unclear`. */
export function tokensOf(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    for (const [kind, pattern] of rules) {
      pattern.lastIndex = at;
      const [text = ''] = pattern.exec(sql) ?? [];
      if (text === '') continue;
      const quote = kind === 'string' || kind === 'name' ? (text.at(-1) ?? '') : '';
      const value = quote ? text.slice(1, -1).replaceAll(`${quote}${quote}`, quote) : text;
      if (kind !== 'space') tokens.push({ kind, text, value, at });
      at += text.length;
      break;
    }
  }
  return tokens;
}

/** A value of a parameter. */
export type Parameter = string | number | bigint | null;

export interface ResultColumn {
  readonly name: string;
  /** The declared type of a column of a table, if it is known. */
  readonly type: string | undefined;
}

export interface Result {
  /** In the order of the statement; names can repeat. */
  readonly columns: readonly ResultColumn[];
  /** Rows as lists of values in the order of the columns. An integer beyond 2^53 is a bigint. */
  readonly pages: AsyncIterable<readonly (readonly unknown[])[]>;
}

/** A table or a view. */
export interface Relation {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly comment: string | null;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly comment: string | null;
  }[];
}

export interface Queries {
  /** `values` has one for each parameter of the statement. Throws a QueryError, or the error of the database. */
  run(statement: Statement, values: readonly Parameter[]): Promise<Result>;
  relations(): Promise<readonly Relation[]>;
  close(): Promise<void>;
}
