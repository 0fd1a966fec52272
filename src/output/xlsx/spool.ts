/** Holds the bytes of a sheet until the sheet before it is complete: some in memory, more in a private file. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpoolFailed } from '../errors.ts';

export interface Spool {
  write(bytes: Uint8Array): void;
  /** Yields everything that was written, in order. */
  read(): Generator<Uint8Array<ArrayBuffer>>;
  /** Removes the file. */
  close(): void;
}

/** More than this goes to a file. */
const mostHeld = 1 << 20;

const chunkLength = 1 << 16;

export function openSpool(held = mostHeld): Spool {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let file: TemporaryFile | undefined;
  const moveToFile = () => {
    try {
      file ??= openTemporaryFile();
      for (const chunk of chunks) writeAll(file.descriptor, chunk);
    } catch (cause) {
      throw new SpoolFailed(tmpdir(), cause as NodeJS.ErrnoException);
    }
    chunks = [];
    length = 0;
  };
  return {
    write(bytes) {
      chunks.push(bytes);
      length += bytes.length;
      if (length > held) moveToFile();
    },
    *read() {
      if (file) yield* bytesIn(file.descriptor);
      for (const chunk of chunks) yield new Uint8Array(chunk);
    },
    close() {
      chunks = [];
      file?.remove();
      file = undefined;
    },
  };
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

function* bytesIn(descriptor: number): Generator<Uint8Array<ArrayBuffer>> {
  const buffer = new Uint8Array(chunkLength);
  for (let at = 0; ; ) {
    const count = readSync(descriptor, buffer, 0, chunkLength, at);
    if (count === 0) return;
    yield buffer.slice(0, count);
    at += count;
  }
}

interface TemporaryFile {
  readonly descriptor: number;
  remove(): void;
}

/** It has no name where the system permits that, so that nothing of it remains after a kill. */
function openTemporaryFile(): TemporaryFile {
  const folder = mkdtempSync(join(tmpdir(), 'cb-sheet-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const descriptor = openSync(join(folder, 'sheet'), 'wx+', 0o600);
  try {
    removeFolder();
  } catch {
    // Windows removes a file only when it is closed.
  }
  return {
    descriptor,
    remove() {
      closeSync(descriptor);
      removeFolder();
    },
  };
}
