/**
 * Writes an xlsx file as a stream. The bytes of one sheet go out as its rows arrive; those of the other sheets are
 * spooled, because the parts of a zip file follow each other. Memory holds no rows.
 */

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';
import { SpoolFailed } from '../errors.ts';
import {
  type Limits,
  openSheet,
  openStyles,
  type Sheet,
  type SheetColumn,
  type SheetPart,
  xmlText,
} from './sheet.ts';

export interface Workbook {
  /** Adds a sheet. The tabs are in the order of the calls, unless a position says otherwise. */
  sheet(name: string, columns: readonly SheetColumn[], options?: Placing): Sheet;
  /** Returns the bytes that are complete, each once. */
  take(): Uint8Array[];
  /** Yields the rest of the file. */
  finish(): Generator<Uint8Array>;
  /** Removes the spooled bytes, also after an error. */
  close(): void;
}

export interface Placing {
  /** Only one sheet can be written without a spool. */
  readonly direct?: boolean;
  readonly position?: number;
  /** False for a sheet that is read, not filtered. */
  readonly filter?: boolean;
}

const usualLimits: Limits = { lines: 1_048_576, bytes: 3 * 2 ** 30 };

/** One time for all parts, so that equal rows are equal files. */
const madeAt = '2000-01-01T12:00:00';

export function openWorkbook(limits: Limits = usualLimits): Workbook {
  const styles = openStyles();
  const archive = openArchive();
  const parts: (SheetPart & { readonly position: number })[] = [];
  const closers: (() => void)[] = [];
  let number = 0;
  return {
    sheet(name, columns, { direct = false, filter = true, position = closers.length } = {}) {
      const openPart = () => {
        number += 1;
        const path = `xl/worksheets/sheet${number}.xml`;
        return { number, entry: direct ? archive.entry(path) : archive.spooled(path) };
      };
      const onPart = (part: SheetPart) => parts.push({ ...part, position });
      const sheet = openSheet({ name, columns, filter, styles, limits, openPart, onPart });
      closers.push(sheet.close);
      return sheet;
    },
    take: archive.take,
    *finish() {
      for (const close of closers) close();
      yield* archive.unspooled();
      const sheets = parts.toSorted((a, b) => a.position - b.position || a.number - b.number);
      for (const [path, xml] of packageParts(sheets, styles.xml())) {
        archive.entry(path).add(xml, true);
      }
      yield* archive.finish();
    },
    close: archive.close,
  };
}

/** A zip file whose bytes are taken as they become complete. */
function openArchive() {
  let spools: { readonly entry: CompressedEntry; readonly spool: Spool }[] = [];
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const take = () => {
    const bytes = ready;
    ready = [];
    return bytes;
  };
  return {
    take,
    entry(path: string): CompressedEntry {
      const entry = Object.assign(new CompressedEntry(path), { mtime: madeAt });
      zip.add(entry);
      return entry;
    },
    spooled(path: string): CompressedEntry {
      const spool = openSpool();
      const entry = Object.assign(spooledEntry(path, spool), { mtime: madeAt });
      spools.push({ entry, spool });
      return entry;
    },
    *unspooled() {
      for (const { entry, spool } of spools) {
        const copy = copied(entry);
        zip.add(copy);
        for (const bytes of spool.read()) {
          copy.ondata(null, bytes, false);
          yield* take();
        }
        copy.ondata(null, new Uint8Array(0), true);
      }
    },
    *finish() {
      zip.end();
      yield* take();
    },
    close() {
      for (const { spool } of spools) spool.close();
      spools = [];
    },
  };
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The path and the XML of each part besides the sheets. */
function packageParts(
  sheets: readonly SheetPart[],
  styles: string,
): (readonly [path: string, xml: string])[] {
  return [
    ['xl/styles.xml', styles],
    ['xl/workbook.xml', workbookXml(sheets)],
    ['xl/_rels/workbook.xml.rels', workbookRelations(sheets)],
    ['_rels/.rels', relations([['officeDocument', 'xl/workbook.xml']])],
    ['[Content_Types].xml', contentTypes(sheets)],
  ];
}

function workbookXml(sheets: readonly SheetPart[]): string {
  const listed = sheets.map(
    ({ name, number }, at) =>
      `<sheet name="${xmlText(name)}" sheetId="${number}" r:id="rId${at + 1}"/>`,
  );
  const filters = sheets.flatMap(({ name, filtered }, at) => {
    if (filtered === undefined) return [];
    const quoted = xmlText(`'${name.replaceAll("'", "''")}'`);
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${quoted}!${filtered}</definedName>`;
  });
  const names = filters.length > 0 ? `<definedNames>${filters.join('')}</definedNames>` : '';
  return [
    `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}">`,
    `<sheets>${listed.join('')}</sheets>`,
    `${names}</workbook>`,
  ].join('');
}

function workbookRelations(sheets: readonly SheetPart[]): string {
  return relations([
    ...sheets.map(({ number }) => ['worksheet', `worksheets/sheet${number}.xml`] as const),
    ['styles', 'styles.xml'],
  ]);
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const lines = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `${declaration}<Relationships xmlns="${packages}/relationships">${lines.join('')}</Relationships>`;
}

function contentTypes(sheets: readonly SheetPart[]): string {
  const part = (path: string, type: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${types}.${type}+xml"/>`;
  return [
    `${declaration}<Types xmlns="${packages}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    part('workbook', 'sheet.main'),
    part('styles', 'styles'),
    ...sheets.map(({ number }) => part(`worksheets/sheet${number}`, 'worksheet')),
    '</Types>',
  ].join('');
}

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
class CompressedEntry extends ZipPassThrough {
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
function spooledEntry(name: string, spool: Spool): CompressedEntry {
  const entry = new CompressedEntry(name);
  entry.ondata = (_, bytes) => spool.write(bytes);
  return entry;
}

/** An entry with the size and the checksum of a spooled one, for its bytes. */
function copied({ filename, crc, size, mtime }: CompressedEntry): CompressedEntry {
  return Object.assign(new CompressedEntry(filename), { crc, size, ...(mtime && { mtime }) });
}

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
