/** Errors about rows, and about the options that select from them. */

export type FieldFlag = '--fields' | '--sort' | '--expand' | '--spread';

/** A field that is neither in the shape nor in the first page with rows; `known` lists the existing fields. */
export class UnknownField extends Error {
  readonly field: string;
  readonly known: readonly string[];
  readonly flag: FieldFlag;

  constructor(field: string, known: readonly string[], flag: FieldFlag = '--fields') {
    const isList = flag === '--expand' || flag === '--spread';
    super(`Unknown ${isList ? 'list' : 'field'} '${field}' in ${flag}.`);
    this.field = field;
    this.known = known;
    this.flag = flag;
  }
}

/**
 * Rows that can't be written as asked; the message and the hint are for the user.
 * - `usage`: the options are wrong
 * - `failed`: what was received does not fit the format
 * - `incomplete`: this machine failed
 */
export class OutputError extends Error {
  readonly kind: 'usage' | 'failed' | 'incomplete';
  readonly hint: string | undefined;

  constructor(kind: OutputError['kind'], message: string, hint?: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
    this.hint = hint;
  }
}

/** A value that its column in a Parquet file can't hold exactly. */
export class UnfitValue extends OutputError {
  constructor(column: string, text: string, type: string) {
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    const message = `${column} has the value ${shown}, which ${type} can't hold exactly.`;
    const hint = 'Nothing is rounded. Choose other columns with --fields, or use -o csv.';
    super('failed', message, hint);
  }
}
