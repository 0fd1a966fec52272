/** What can be wrong with rows, or with how they are asked to be shown. */

export type FieldFlag = '--fields' | '--expand' | '--spread';

/** A field that is in neither the shape nor the first page with rows; `known` lists those that can be chosen. */
export class UnknownField extends Error {
  readonly field: string;
  readonly known: readonly string[];
  readonly flag: FieldFlag;

  constructor(field: string, known: readonly string[], flag: FieldFlag = '--fields') {
    super(`there is no ${flag === '--fields' ? 'field' : 'list'} '${field}' in the response`);
    this.field = field;
    this.known = known;
    this.flag = flag;
  }
}

/** The rows of one page have more fields than can be columns. */
export class TooManyColumns extends Error {}

/** An expression that cannot be read or applied; the message is one line, without the expression. */
export class BadQuery extends Error {}

/** Bodies that cannot be one XML document; the message is one line. */
export class UnjoinableXml extends Error {}
