/** Writes the rows of a sheet; what exceeds the limits of a sheet continues on another with the same columns. */
import type { Cell } from './cell.ts';
import type { CompressedEntry } from './entry.ts';
import type { SheetPart } from './package-xml.ts';
import { rangeOf, rowXml, type SheetColumn, sheetEnd, sheetStart } from './sheet-xml.ts';
import type { Styles } from './styles.ts';

export interface Sheet {
  add(rows: Iterable<readonly Cell[]>): void;
}

export interface Limits {
  /** Excel and LibreOffice show no more lines. */
  readonly lines: number;
  /** A part of a zip file can have 4 GiB. */
  readonly bytes: number;
}

export interface SheetOptions {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  readonly filter: boolean;
  readonly styles: Styles;
  readonly limits: Limits;
  /** Opens the next part of the zip file that is a sheet. */
  openPart(): { readonly entry: CompressedEntry; readonly number: number };
  /** Called when a part is complete. */
  onPart(part: SheetPart): void;
}

export function openSheet(options: SheetOptions): Sheet & { close(): void } {
  const { name, columns, filter, styles, limits } = options;
  let parts = 0;
  let lines = 0;
  const open = () => {
    const part = options.openPart();
    part.entry.add(sheetStart(columns));
    parts += 1;
    lines = 1;
    return part;
  };
  let { entry, number } = open();
  const close = () => {
    const range = filter ? rangeOf(columns.length, lines) : undefined;
    entry.add(sheetEnd(range), true);
    const shown = parts === 1 ? name : `${name} ${parts}`;
    const filtered = filter ? rangeOf(columns.length, lines, '$') : undefined;
    options.onPart({ name: shown, number, filtered });
  };
  return {
    add(rows) {
      for (const row of rows) {
        if (lines >= limits.lines || entry.size >= limits.bytes) {
          close();
          ({ entry, number } = open());
        }
        lines += 1;
        entry.add(rowXml(row, lines, styles));
      }
    },
    close,
  };
}
