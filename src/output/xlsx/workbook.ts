/** A streamed xlsx file: one sheet goes out as its rows arrive; others are spooled, since zip parts follow each other. */

import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { Zip, ZipPassThrough } from 'fflate';
import { OutputError } from '../errors.ts';
import {
  type Cell,
  columnName,
  declaration,
  openStyles,
  rowXml,
  type SheetColumn,
  sheetEnd,
  sheetStart,
  xmlText,
} from './sheet.ts';

/** A sheet as Excel shows it: a long one continues on another. */
interface SheetPart {
  readonly name: string;
  readonly number: number;
  readonly position: number;
  /** As in `$A$1:$D$12`. */
  readonly filtered: string | undefined;
}

interface Placing {
  /** Only one sheet can be written without a spool. */
  readonly direct?: boolean;
  readonly position?: number;
  /** False for a sheet that is read, not filtered. */
  readonly filter?: boolean;
}

/** Excel and LibreOffice show no more lines, and a part of a zip file can have 4 GiB. */
const usualLimits = { lines: 1_048_576, bytes: 3 * 2 ** 30 };

export type Workbook = ReturnType<typeof openWorkbook>;

export function openWorkbook(limits = usualLimits) {
  const styles = openStyles();
  const parts: SheetPart[] = [];
  const closeSheets: (() => void)[] = [];
  const spooled: (readonly [ZipEntry, Spool])[] = [];
  let count = 0;
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const added = (entry: ZipEntry) => {
    zip.add(entry);
    return entry;
  };
  const take = () => ready.splice(0);
  const openEntry = (path: string, direct: boolean): ZipEntry => {
    const entry = new ZipEntry(path);
    if (direct) return added(entry);
    const spool = openSpool();
    entry.ondata = (_, bytes) => spool.write(bytes);
    spooled.push([entry, spool]);
    return entry;
  };
  return {
    /** A long sheet continues on another. The tabs are in the order of the calls, unless a position says otherwise. */
    sheet(name: string, columns: readonly SheetColumn[], placing: Placing = {}) {
      const { direct = false, position = closeSheets.length } = placing;
      const { filter = columns.length > 0 } = placing;
      const last = columnName(columns.length - 1);
      let part = 0;
      let lines = 0;
      const open = () => {
        count += 1;
        part += 1;
        lines = 1;
        const entry = openEntry(`xl/worksheets/sheet${count}.xml`, direct);
        entry.add(sheetStart(columns));
        return { entry, number: count };
      };
      let { entry, number } = open();
      const close = () => {
        entry.add(sheetEnd(filter ? `A1:${last}${lines}` : undefined), true);
        const filtered = filter ? `$A$1:$${last}$${lines}` : undefined;
        parts.push({ name: part === 1 ? name : `${name} ${part}`, number, position, filtered });
      };
      closeSheets.push(close);
      return {
        add(rows: Iterable<readonly Cell[]>) {
          for (const row of rows) {
            if (lines >= limits.lines || entry.size >= limits.bytes) {
              close();
              ({ entry, number } = open());
            }
            lines += 1;
            entry.add(rowXml(row, lines, styles));
          }
        },
      };
    },
    /** Returns the bytes that are complete, each once. */
    take,
    *finish() {
      for (const close of closeSheets) close();
      for (const [{ filename, crc, size }, spool] of spooled) {
        // The bytes are compressed already, and their checksum is known.
        const copy = added(Object.assign(new ZipEntry(filename), { crc, size }));
        for (const bytes of spool.read()) {
          copy.ondata(null, bytes, false);
          yield* take();
        }
        copy.ondata(null, new Uint8Array(0), true);
      }
      const shown = parts.toSorted((a, b) => a.position - b.position || a.number - b.number);
      for (const [path, xml] of packageParts(shown, styles.xml()))
        openEntry(path, true).add(xml, true);
      zip.end();
      yield* take();
    },
    /** Removes the spooled bytes, also after an error. */
    close() {
      for (const [, spool] of spooled.splice(0)) spool.close();
    },
  };
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function packageParts(
  sheets: readonly SheetPart[],
  styles: string,
): (readonly [path: string, xml: string])[] {
  return [
    ['xl/styles.xml', styles],
    ['xl/workbook.xml', workbookXml(sheets)],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map(({ number }) => ['worksheet', `worksheets/sheet${number}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    ],
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

/** Characters of XML that are compressed together. */
const mostCharacters = 1 << 16;

const encoder = new TextEncoder();

/** Compresses with zlib, which is native code; fflate adds the checksum and the size. */
class ZipEntry extends ZipPassThrough {
  /** The number of the zip specification for deflate. */
  override compression = 8;
  /** One time for all parts, so that equal rows are equal files. */
  override mtime = '2000-01-01T12:00:00';

  #held = '';

  /** Each chunk is complete, so that chunks can follow each other. */
  protected override process(chunk: Uint8Array<ArrayBuffer>, final: boolean): void {
    const finishFlush = final ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
    // Level 3 takes less than half the time of the usual one, for a tenth more bytes.
    this.ondata(null, deflateRawSync(chunk, { finishFlush, chunkSize: 1 << 15, level: 3 }), final);
  }

  /** Adds text, which is compressed when there is enough of it, at the latest with the last text. */
  add(text: string, final = false): void {
    this.#held += text;
    if (!final && this.#held.length < mostCharacters) return;
    this.push(encoder.encode(this.#held), final);
    this.#held = '';
  }
}

/** More than this goes to a file. */
const mostHeld = 1 << 20;

const chunkLength = 1 << 16;

type Spool = ReturnType<typeof openSpool>;

export function openSpool(held = mostHeld) {
  let chunks: Uint8Array[] = [];
  let length = 0;
  let file: ReturnType<typeof openTemporaryFile> | undefined;
  return {
    write(bytes: Uint8Array) {
      chunks.push(bytes);
      length += bytes.length;
      if (length <= held) return;
      try {
        file ??= openTemporaryFile();
        for (const chunk of chunks) {
          for (let at = 0; at < chunk.length; ) at += writeSync(file.descriptor, chunk, at);
        }
      } catch (cause) {
        const { code } = cause as NodeJS.ErrnoException;
        const reason = code === 'ENOSPC' ? 'ENOSPC: the disk is full' : code;
        const message = `A temporary file in ${tmpdir()} could not be written (${reason}).`;
        const hint =
          'Free some space, or set TMPDIR to a folder on another disk. Then run it again.';
        throw new OutputError('incomplete', message, hint, cause);
      }
      chunks = [];
      length = 0;
    },
    /** Yields everything that was written, in order. */
    *read(): Generator<Uint8Array<ArrayBuffer>> {
      const buffer = new Uint8Array(chunkLength);
      for (let at = 0; file; ) {
        const count = readSync(file.descriptor, buffer, 0, chunkLength, at);
        if (count === 0) break;
        yield buffer.slice(0, count);
        at += count;
      }
      for (const chunk of chunks) yield new Uint8Array(chunk);
    },
    close() {
      chunks = [];
      file?.remove();
      file = undefined;
    },
  };
}

/** It has no name where the system permits that, so that nothing of it remains after a kill. */
function openTemporaryFile() {
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
