/** The XML of a sheet and of its styles. */
import { wholeCurrencies } from '../../decimals/decimals.ts';

/** A number with its digits, or a time as the number of days since the start of 1900. */
export interface NumberCell {
  readonly digits: string;
  readonly format: NumberFormat;
}

/** `plain` shows the digits as they are, `decimal` two decimals; any other name is a currency. */
export type NumberFormat = 'plain' | 'decimal' | 'time' | 'day' | { readonly currency: string };

export type Cell = NumberCell | string | boolean | undefined;

export interface SheetColumn {
  readonly name: string;
  /** In characters. */
  readonly width: number;
}

export const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
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
    `${declaration}<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0">`,
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>',
    '</sheetView></sheetViews>',
    ...(widths.length > 0 ? ['<cols>', ...widths, '</cols>'] : []),
    `<sheetData><row r="1">${cells.join('')}</row>`,
  ].join('');
}

/** `filtered` is the range of the filters, as in `A1:D12`. */
export function sheetEnd(filtered: string | undefined): string {
  const filter = filtered === undefined ? '' : `<autoFilter ref="${filtered}"/>`;
  return `</sheetData>${filter}</worksheet>`;
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
export function columnName(index: number): string {
  const known = names[index];
  if (known !== undefined) return known;
  const last = String.fromCharCode(65 + (index % 26));
  const name = index < 26 ? last : `${columnName(Math.floor(index / 26) - 1)}${last}`;
  names[index] = name;
  return name;
}

type Styles = ReturnType<typeof openStyles>;

/** Indexes of `cellXfs`; currencies follow. */
const styleIds = { plain: 0, header: 1, text: 2, time: 3, day: 4, decimal: 5 } as const;
const firstCurrency = 6;

/** Number formats from 164 on are the user's. */
const [timeFormat, dayFormat, currencyFormat] = [164, 165, 166];

export function openStyles() {
  const currencies: string[] = [];
  return {
    idOf(format: NumberFormat): number {
      if (typeof format === 'string') return styleIds[format];
      const { currency } = format;
      const at = currencies.indexOf(currency);
      if (at >= 0) return firstCurrency + at;
      if (!/^[A-Z]{3}$/.test(currency)) return styleIds.decimal;
      return firstCurrency - 1 + currencies.push(currency);
    },
    xml: () => stylesXml(currencies),
  };
}

function stylesXml(currencies: readonly string[]): string {
  const numberFormat = (id: number, code: string) =>
    `<numFmt numFmtId="${id}" formatCode="${code}"/>`;
  const formats = [
    numberFormat(timeFormat, 'yyyy\\-mm\\-dd\\ hh:mm:ss'),
    numberFormat(dayFormat, 'yyyy\\-mm\\-dd'),
    ...currencies.map((code, at) => {
      const digits = wholeCurrencies.includes(code) ? '#,##0' : '#,##0.00';
      return numberFormat(currencyFormat + at, `${digits}\\ [$${code}]`);
    }),
  ];
  const style = (format: number, font = 0) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${font ? ' applyFont="1"' : ''}/>`;
  const styles = [
    ...[style(0), style(0, 1), style(49), style(timeFormat), style(dayFormat), style(4)],
    ...currencies.map((_, at) => style(currencyFormat + at)),
  ];
  const font = '<sz val="11"/><name val="Calibri"/>';
  const fill = (pattern: string) => `<fill><patternFill patternType="${pattern}"/></fill>`;
  return [
    `${declaration}<styleSheet xmlns="${namespace}">`,
    `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    `<fills count="2">${fill('none')}${fill('gray125')}</fills>`,
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    '</styleSheet>',
  ].join('');
}

/** The longest text that a cell holds, in UTF-16 units. */
export const longestText = 32_767;

const special = /[&<>"\r_\ud800-\udfff\ufffe\uffff]|[^\P{Cc}\t\n]/u;
const parts = /[&<>"]|_(?=x[0-9A-Fa-f]{4}_)|[\r\ufffe\uffff]|[^\P{Cc}\t\n]|\p{Cs}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Writes what XML forbids as `_xHHHH_` (half a surrogate pair as U+FFFD), and cuts what is longer than a cell. */
export function xmlText(text: string): string {
  const cut = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
  return special.test(cut) ? cut.replace(parts, escaped) : cut;
}

function escaped(character: string): string {
  const entity = entities[character];
  if (entity !== undefined) return entity;
  if (/\p{Cs}/u.test(character)) return '\ufffd';
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
