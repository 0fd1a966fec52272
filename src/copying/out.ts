/** Bytes that are written one behind the other, into room that grows. */
import { type Source, sourceOf, wordSize } from './source.ts';

export interface Out {
  room: Source;
  /** How many bytes are written. */
  size: number;
}

export function openOut(): Out {
  return { room: roomFor(2 ** 17), size: 0 };
}

function roomFor(size: number): Source {
  return sourceOf(Buffer.allocUnsafeSlow(size));
}

/** What is written so far, in bytes of its own. */
export function writtenIn({ room, size }: Out): Buffer {
  return Buffer.from(room.bytes.subarray(0, size));
}

export function putByte(out: Out, byte: number): void {
  if (out.size === out.room.bytes.length) grow(out, 1);
  out.room.bytes[out.size++] = byte;
}

/** Four bytes at a time: a few words take less time than a call that copies them all. */
export function putSpan(out: Out, { bytes, view }: Source, start: number, end: number): void {
  const size = end - start;
  // A word may be put beyond the end: what comes next is put over it.
  if (out.size + size + wordSize > out.room.bytes.length) grow(out, size + wordSize);
  const { room } = out;
  const to = out.size - start;
  const last = Math.min(end - 1, bytes.length - wordSize);
  let at = start;
  for (; at <= last; at += wordSize) room.view.setInt32(at + to, view.getInt32(at));
  for (; at < end; at++) room.bytes[at + to] = bytes[at] as number;
  out.size += size;
}

export function putAll(out: Out, source: Source): void {
  putSpan(out, source, 0, source.bytes.length);
}

export function putText(out: Out, text: string): void {
  // A UTF-16 unit takes three bytes at most.
  if (out.size + 3 * text.length > out.room.bytes.length) grow(out, 3 * text.length);
  out.size += out.room.bytes.write(text, out.size);
}

function grow(out: Out, more: number): void {
  const larger = roomFor(2 * (out.size + more));
  out.room.bytes.copy(larger.bytes, 0, 0, out.size);
  out.room = larger;
}
