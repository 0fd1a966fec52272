/** The XML of a worksheet: a frozen header with filters, and typed cells. */
import type { Cell } from './cell.ts';
import { type Styles, styleIds } from './styles.ts';
import { xmlText } from './xml-text.ts';

export interface SheetColumn {
  readonly name: string;
  /** In characters. */
  readonly width: number;
}

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The start of a sheet whose first line stays in view, with that line. */
export function sheetStart(columns: readonly SheetColumn[]): string {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  const cells = columns.map(
    ({ name }, at) =>
      `<c r="${columnName(at)}1" s="${styleIds.header}" t="inlineStr">${inline(name)}</c>`,
  );
  return [
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${namespace}">`,
    '<sheetViews><sheetView workbookViewId="0">',
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '</sheetView></sheetViews>',
    ...(widths.length > 0 ? ['<cols>', ...widths, '</cols>'] : []),
    `<sheetData><row r="1">${cells.join('')}</row>`,
  ].join('');
}

/** The end of a sheet, with filters for a range. */
export function sheetEnd(filtered: string | undefined): string {
  const filter = filtered === undefined ? '' : `<autoFilter ref="${filtered}"/>`;
  return `</sheetData>${filter}</worksheet>`;
}

/** As in `A1:D12`, with a header in line 1. */
export function rangeOf(columns: number, lines: number, mark = ''): string {
  const cell = (column: number, line: number) => `${mark}${columnName(column)}${mark}${line}`;
  return `${cell(0, 1)}:${cell(columns - 1, lines)}`;
}

export function rowXml(cells: readonly Cell[], line: number, styles: Styles): string {
  let xml = `<row r="${line}">`;
  for (const [at, cell] of cells.entries()) {
    if (cell !== undefined) xml += cellXml(cell, `${columnName(at)}${line}`, styles);
  }
  return `${xml}</row>`;
}

function cellXml(cell: Exclude<Cell, undefined>, place: string, styles: Styles): string {
  if (typeof cell === 'boolean') return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell !== 'string') {
    return `<c r="${place}" s="${styles.idOf(cell.format)}"><v>${cell.digits}</v></c>`;
  }
  return `<c r="${place}" s="${styleIds.text}" t="inlineStr">${inline(cell)}</c>`;
}

function inline(text: string): string {
  return `<is><t xml:space="preserve">${xmlText(text)}</t></is>`;
}

const names: string[] = [];

/** A, B, …, Z, AA, AB, … */
function columnName(index: number): string {
  const known = names[index];
  if (known !== undefined) return known;
  const last = String.fromCharCode(65 + (index % 26));
  const name = index < 26 ? last : `${columnName(Math.floor(index / 26) - 1)}${last}`;
  names[index] = name;
  return name;
}
