/** Bytes of files: compared, hashed and copied in pieces, so that their size does not matter. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

const pieceSize = 64 * 1024;

/** The pieces of a range, up to the end of the file. */
async function* piecesOf(
  file: FileHandle,
  from: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < from + length; ) {
    const piece = Buffer.allocUnsafe(Math.min(pieceSize, from + length - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}

export async function hashOf(file: FileHandle, from: number, length: number): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file, from, length)) hash.update(piece);
  return hash.digest('hex');
}

export async function sizeOf(file: FileHandle): Promise<number> {
  return (await file.stat()).size;
}

/** Adds the bytes of `source` from `from` on to the end of `target`, which is open for appending. */
export async function copyTo(
  target: FileHandle,
  source: FileHandle,
  from: number,
  length: number,
): Promise<void> {
  for await (const piece of piecesOf(source, from, length)) await target.appendFile(piece);
}
