/** Values that name their own XML Schema type on the wire. */

/** A text among figures: it may look like a number and still is none. */
export class TypedText {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** Whole numbers are long, other numbers decimal. */
export function typeOf(value: unknown): 'xs:string' | 'xs:long' | 'xs:decimal' {
  if (value instanceof TypedText) return 'xs:string';
  return /^-?\d+$/.test(String(value)) ? 'xs:long' : 'xs:decimal';
}
