/** Errors about rows, and about the options that select from them. */

export type FieldFlag = '--fields' | '--sort' | '--expand' | '--spread';

/** A field that is neither in the shape nor in the first page with rows; `known` lists the existing fields. */
export class UnknownField extends Error {
  readonly field: string;
  readonly known: readonly string[];
  readonly flag: FieldFlag;

  constructor(field: string, known: readonly string[], flag: FieldFlag) {
    const isList = flag === '--expand' || flag === '--spread';
    super(`Unknown ${isList ? 'list' : 'field'} '${field}' in ${flag}.`);
    this.field = field;
    this.known = known;
    this.flag = flag;
  }
}

/** The rows of one page have more fields than the maximum number of columns. */
export class TooManyColumns extends Error {}

/** An expression that can't be parsed or evaluated; the message is one line, without the expression. */
export class BadQuery extends Error {}

/** Bodies that can't be joined into one XML document; the message is one line. */
export class UnjoinableXml extends Error {}
