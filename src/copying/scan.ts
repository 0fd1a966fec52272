/**
 * Reads rows out of the bytes of a body onto a tape. Only what the service really writes is read here: JSON
 * without white space, its fields in the order of the resource. Of all else it says that it can't.
 */
import type { Value } from '../output/rows.ts';
import { mark, stops } from './marks.ts';
import type { Place, Plan } from './plan.ts';
import { patternOf, type Source, standsAt } from './source.ts';
import { addEntry, addIndex, closeEntry, entry, entrySize, type Tape, textEntry } from './tape.ts';

export interface Scan {
  readonly source: Source;
  at: number;
  readonly tape: Tape;
  /** What was made of values that can't be copied. */
  readonly made: Value[];
  /** As `marksOf` makes them. */
  readonly marks: Uint8Array;
  /** Of the text that was read last. */
  traits: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const nil = patternOf('{"@nil":"true"}');
const nothing = patternOf('null');
const yes = patternOf('"true"');
const no = patternOf('"false"');

/** Reads an object, from its brace on; false when it is of another make than the service's. */
export function readObject(scan: Scan, plan: Plan): boolean {
  const { bytes } = scan.source;
  const { tape } = scan;
  if (bytes[scan.at] !== openBrace) return false;
  const start = tape.size;
  addEntry(tape, entry.object, 0, 0);
  let next = 0;
  if (bytes[scan.at + 1] === closeBrace) scan.at += 1;
  else {
    do {
      scan.at += 1;
      next = readField(scan, plan, next);
      if (next < 0) return false;
    } while (bytes[scan.at] === comma);
  }
  if (bytes[scan.at++] !== closeBrace) return false;
  for (; next < plan.length; next++) addAbsent(tape, plan[next] as Place, next);
  closeEntry(tape, start);
  return true;
}

/** The index behind that of the field that stands here; -1 when none from `first` on does. */
function readField(scan: Scan, plan: Plan, first: number): number {
  const { source, tape } = scan;
  for (let index = first; index < plan.length; index++) {
    const place = plan[index] as Place;
    if (standsAt(source, scan.at, place.key)) {
      scan.at += place.key.length;
      addIndex(tape, index);
      return readValue(scan, place) ? index + 1 : -1;
    }
    addAbsent(tape, place, index);
  }
  return -1;
}

/** A list that is not there has no elements; any other field is absent from the row too. */
function addAbsent(tape: Tape, { kind }: Place, index: number): void {
  if (kind !== 'list') return;
  addIndex(tape, index);
  addEntry(tape, entry.list, tape.size + entrySize, 0);
}

function readValue(scan: Scan, place: Place): boolean {
  const { tape, at } = scan;
  const { size } = tape;
  if (readAsItIs(scan, place)) return true;
  scan.at = at;
  tape.size = size;
  return makeValue(scan, place);
}

/** False where the value is not what its field has as a rule. */
function readAsItIs(scan: Scan, place: Place): boolean {
  const { kind, inside } = place;
  if (kind === 'list') return readList(scan, inside);
  if (scan.source.bytes[scan.at] === quote) return readScalar(scan, place);
  if (readNothing(scan)) {
    addEntry(scan.tape, entry.nothing, 0, 0);
    return true;
  }
  return kind === 'object' && inside !== undefined && readObject(scan, inside);
}

/** Whether what the service writes for nothing stands here; if so, it is behind now. */
function readNothing(scan: Scan): boolean {
  const { source, at } = scan;
  if (standsAt(source, at, nil)) scan.at += nil.length;
  else if (standsAt(source, at, nothing)) scan.at += nothing.length;
  return scan.at > at;
}

function readScalar(scan: Scan, { kind }: Place): boolean {
  const start = scan.at + 1;
  if (kind === 'object' || !readText(scan)) return false;
  const end = scan.at - 1;
  const { source, tape, traits } = scan;
  switch (kind) {
    case 'integer':
    case 'decimal':
      if (!isNumeral(source.bytes, start, end)) return false;
      addEntry(tape, entry.numeral, start, end);
      return true;
    case 'boolean': {
      const isYes = standsAt(source, start - 1, yes);
      const isNo = standsAt(source, start - 1, no);
      addEntry(tape, isYes ? entry.yes : isNo ? entry.no : textEntry(traits), start, end);
      return true;
    }
    default:
      addEntry(tape, textEntry(traits), start, end);
      return true;
  }
}

/** From quote to quote; false when there is an escape in it, or what must not be. */
function readText(scan: Scan): boolean {
  const { marks } = scan;
  const { bytes } = scan.source;
  const { length } = bytes;
  let at = scan.at + 1;
  let traits = 0;
  let found = 0;
  for (; at < length; at++) {
    found = marks[bytes[at] as number] as number;
    if ((found & stops) !== 0) break;
    traits |= found;
  }
  scan.traits = traits;
  scan.at = at + 1;
  return found === mark.end;
}

/** A number as JSON writes it, without an exponent. */
function isNumeral(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === 0x2d ? start + 1 : start;
  const point = behindDigits(bytes, first, end);
  if (point === first || (bytes[first] === 0x30 && point > first + 1)) return false;
  if (point === end) return true;
  return bytes[point] === 0x2e && point + 1 < end && behindDigits(bytes, point + 1, end) === end;
}

function behindDigits(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at += 1;
  return at;
}

/** A list of one is the bare element. */
function readList(scan: Scan, inside: Plan | undefined): boolean {
  const { bytes } = scan.source;
  const { tape } = scan;
  const start = tape.size;
  addEntry(tape, entry.list, 0, 0);
  if (bytes[scan.at] !== openBracket) {
    if (!readElement(scan, inside)) return false;
  } else if (bytes[scan.at + 1] === closeBracket) {
    scan.at += 2;
  } else {
    do {
      scan.at += 1;
      if (!readElement(scan, inside)) return false;
    } while (bytes[scan.at] === comma);
    if (bytes[scan.at++] !== closeBracket) return false;
  }
  closeEntry(tape, start);
  return true;
}

/** Nothing is no element, and neither is an empty text. */
function readElement(scan: Scan, inside: Plan | undefined): boolean {
  if (readNothing(scan)) return true;
  const { bytes } = scan.source;
  const start = scan.at + 1;
  // In a cell, JSON without any quote would have none around it.
  if (inside) return bytes[start] !== closeBrace && readObject(scan, inside);
  if (bytes[scan.at] !== quote || !readText(scan)) return false;
  const end = scan.at - 1;
  if (start < end) addEntry(scan.tape, textEntry(scan.traits), start, end);
  return true;
}

/** Has any other value decoded by its field. Throws where it is no JSON, or a number without quotes. */
function makeValue(scan: Scan, place: Place): boolean {
  const { source, tape, made, at } = scan;
  const end = endOfValue(source.bytes, at);
  const value = place.decode(JSON.parse(source.bytes.toString('utf8', at, end)));
  addEntry(tape, entry.made, made.push(value as Value) - 1, 0);
  scan.at = end;
  return true;
}

/** Where the bracket or comma is that ends what begins here; whether it is JSON, its parser finds out. */
function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = closingQuote(bytes, at);
    else if (byte === openBrace || byte === openBracket) depth += 1;
    else if (depth === 0 && (byte === comma || byte === closeBrace || byte === closeBracket)) break;
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return at;
}

function closingQuote(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at += 1;
  return at;
}

/** The text that stands there. */
export function textAt({ source, tape }: Scan, at: number): string {
  return source.bytes.toString('utf8', tape.slots[at + 1], tape.slots[at + 2]);
}

/** The value that was made for that place. */
export function madeAt({ tape, made }: Scan, at: number): Value {
  return made[tape.slots[at + 1] as number];
}
