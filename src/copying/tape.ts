/**
 * A decoded row without an object for it: what each value is, and where in the body it stands. Entries
 * follow each other in the order of the resource:
 *
 * - `nothing`, `no`, `yes`: two numbers are unused;
 * - `numeral`, `text`: from where to where in the body;
 * - `made`: which of the values that were made after all;
 * - `list`: the place behind its last element; the elements follow;
 * - `object`: the place behind its last field; the fields follow, each behind its index in the plan.
 */
export const entry = {
  nothing: 0,
  no: 1,
  yes: 2,
  numeral: 3,
  /** Without its quotes, and without an escape in it. */
  text: 4,
  /** A value that was decoded by its field. */
  made: 5,
  list: 6,
  object: 7,
} as const;

/** Bits of what is in a text beside plain ASCII. */
export const trait = {
  /** A character that JSON may have to write in another way, though it needs no escape. */
  invisible: 8,
  /** What has a meaning in the format that is written, such as a delimiter. */
  special: 16,
} as const;

export interface Tape {
  /** The kind of an entry and the traits of its text; then its two numbers. */
  slots: Int32Array;
  /** Where the next entry goes. */
  size: number;
}

export const entrySize = 3;

const kindBits = 8;

export function openTape(): Tape {
  return { slots: new Int32Array(1024), size: 0 };
}

export function addEntry(tape: Tape, kind: number, first: number, second: number): void {
  const at = tape.size;
  // An entry may have the index of its field before it.
  if (at + entrySize + 1 >= tape.slots.length) grow(tape);
  const { slots } = tape;
  slots[at] = kind;
  slots[at + 1] = first;
  slots[at + 2] = second;
  tape.size = at + entrySize;
}

/** Before the entry of a field. */
export function addIndex(tape: Tape, index: number): void {
  tape.slots[tape.size++] = index;
}

/** A list or an object that began there ends here. */
export function closeEntry(tape: Tape, start: number): void {
  tape.slots[start + 1] = tape.size;
}

/** The traits of a text go with its kind. */
export function textEntry(traits: number): number {
  return entry.text | (traits << kindBits);
}

export function kindAt({ slots }: Tape, at: number): number {
  return (slots[at] as number) & (2 ** kindBits - 1);
}

export function traitsAt({ slots }: Tape, at: number): number {
  return (slots[at] as number) >> kindBits;
}

/** Where the next entry is. */
export function behind(tape: Tape, at: number): number {
  return kindAt(tape, at) < entry.list ? at + entrySize : (tape.slots[at + 1] as number);
}

function grow(tape: Tape): void {
  const larger = new Int32Array(2 * tape.slots.length);
  larger.set(tape.slots);
  tape.slots = larger;
}
