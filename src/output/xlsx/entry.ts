/** A part of the zip file that an xlsx file is: compressed as it is written, or spooled for later. */
import { constants, deflateRawSync } from 'node:zlib';
import { ZipPassThrough } from 'fflate';
import type { Spool } from './spool.ts';

/** Bytes of XML that are compressed together. */
const bufferLength = 1 << 16;

const encoder = new TextEncoder();

/** Less than half the time of the usual level, for a tenth more bytes. */
const level = 3;

/** Of compressed bytes; XML shrinks to less than a tenth. */
const chunkSize = 1 << 15;

/** The number of the zip specification for deflate. */
const deflated = 8;

/** Compresses with zlib, which is native code; fflate adds the checksum and the size. */
export class CompressedEntry extends ZipPassThrough {
  override compression = deflated;

  /** Each chunk is complete, so that chunks can follow each other. */
  protected override process(chunk: Uint8Array<ArrayBuffer>, final: boolean): void {
    const finishFlush = final ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    this.ondata(null, deflateRawSync(chunk, { finishFlush, chunkSize, level }), final);
  }

  readonly #buffer = new Uint8Array(bufferLength);
  #used = 0;

  /** Adds text. Its bytes are compressed when the buffer is full, at the latest with the last text. */
  add(text: string, final = false): void {
    let rest = text;
    for (;;) {
      const { read, written } = encoder.encodeInto(rest, this.#buffer.subarray(this.#used));
      this.#used += written;
      rest = rest.slice(read);
      if (rest === '') break;
      this.#flush(false);
    }
    if (final) this.#flush(true);
  }

  #flush(final: boolean): void {
    const bytes = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    this.push(bytes, final);
  }
}

/** An entry whose compressed bytes go to the spool, until `copied` adds them to the zip file. */
export function spooledEntry(name: string, spool: Spool): CompressedEntry {
  const entry = new CompressedEntry(name);
  entry.ondata = (_, bytes) => spool.write(bytes);
  return entry;
}

/** An entry with the size and the checksum of a spooled one, for its bytes. */
export function copied({ filename, crc, size, mtime }: CompressedEntry): CompressedEntry {
  return Object.assign(new CompressedEntry(filename), { crc, size, ...(mtime && { mtime }) });
}
