/** Bytes to be read and copied, one at a time or four. */
export interface Source {
  readonly bytes: Buffer;
  /** Of the same bytes. */
  readonly view: DataView;
}

/** Bytes that are read together where many are. */
export const wordSize = 4;

export function sourceOf(bytes: Buffer): Source {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

export function sourceFrom(text: string): Source {
  return sourceOf(Buffer.from(text));
}

/** Known bytes that are looked for at a place: most of a body is the names of fields. */
export interface Pattern {
  readonly length: number;
  readonly words: Int32Array;
  /** The last word, which may begin within the one before. */
  readonly end: number;
}

/** Of a text that is as long as a word, or longer. */
export function patternOf(text: string): Pattern {
  const { bytes, view } = sourceFrom(text);
  const count = Math.floor(bytes.length / wordSize);
  return {
    length: bytes.length,
    words: Int32Array.from({ length: count }, (_, i) => view.getInt32(i * wordSize)),
    end: view.getInt32(bytes.length - wordSize),
  };
}

export function standsAt({ view }: Source, at: number, { length, words, end }: Pattern): boolean {
  if (at + length > view.byteLength) return false;
  for (let i = 0; i < words.length; i++) {
    if (view.getInt32(at + i * wordSize) !== words[i]) return false;
  }
  return view.getInt32(at + length - wordSize) === end;
}
