/** The rows of a page, which may be made only when somebody looks at them. */

export interface Rows<Row = unknown> extends Iterable<Row> {
  readonly length: number;
  /** What they will be shown as, where they are copied. */
  readonly copied?: Buffer;
}

/** What stands in the output for the rows of a body, behind those of an earlier page. */
export interface Copied {
  readonly rows: number;
  readonly text: Buffer;
}

/** Copies the rows of a body into the output; undefined when that takes the rows themselves. */
export type Copier = (body: Buffer) => Copied | undefined;

/** Rows that stand copied; `make` makes them, each time that they are gone through. */
export function copiedRows<Row>({ rows, text }: Copied, make: () => readonly Row[]): Rows<Row> {
  return { length: rows, copied: text, [Symbol.iterator]: () => make()[Symbol.iterator]() };
}
