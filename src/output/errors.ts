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

/** The rows of one page have more fields than the maximum number of columns. */
export class TooManyColumns extends Error {}

/** A value that its column in a Parquet file can't hold exactly. */
export class UnfitValue extends Error {
  constructor(column: string, text: string, type: string) {
    const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    super(`${column} has the value ${shown}, which ${type} can't hold exactly.`);
  }
}

/** An expression that can't be parsed or evaluated; the message is one line, without the expression. */
export class BadQuery extends Error {}

/** Bodies that can't be joined into one XML document; the message is one line. */
export class UnjoinableXml extends Error {}

/** A temporary file could not be written or read; `code` is that of the system, such as ENOSPC. */
export class SpoolFailed extends Error {
  readonly code: string;

  constructor(folder: string, cause: NodeJS.ErrnoException) {
    const reason = cause.code === 'ENOSPC' ? 'ENOSPC: the disk is full' : cause.code;
    super(`A temporary file in ${folder} could not be written (${reason}).`, { cause });
    this.code = cause.code ?? '';
  }
}
