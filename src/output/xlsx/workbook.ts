/**
 * Writes an xlsx file as a stream. The bytes of one sheet go out as its rows arrive; those of the other sheets are
 * spooled, because the parts of a zip file follow each other. Memory holds no rows.
 */
import { Zip } from 'fflate';
import { CompressedEntry, copied, spooledEntry } from './entry.ts';
import { packageParts, type SheetPart } from './package-xml.ts';
import { type Limits, openSheet, type Sheet } from './sheet.ts';
import type { SheetColumn } from './sheet-xml.ts';
import { openSpool, type Spool } from './spool.ts';
import { openStyles } from './styles.ts';

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
