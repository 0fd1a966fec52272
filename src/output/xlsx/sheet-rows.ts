/** The columns of a sheet, and the cells of its rows. */
import type { Currencies, RenderOptions } from '../render-options.ts';
import { allColumns, type Column, chosenColumns } from '../rows/columns.ts';
import {
  type FieldShape,
  fieldOf,
  isNumeral,
  type Row,
  type Shape,
  shapeAt,
} from '../rows/rows.ts';
import { type Cell, cellOf } from './cell.ts';
import type { SheetColumn } from './sheet-xml.ts';
import { longestText } from './xml-text.ts';

export interface TypedColumn extends SheetColumn {
  readonly field: string;
  /** An amount whose currency can be known. */
  readonly isAmount: boolean;
  currencyOf(row: Row): string | undefined;
  cell(row: Row): Cell;
}

/** Pacific time, which ClickBank sends. */
const usualZone = { name: 'America/Los_Angeles', label: 'Pacific' };

/** Returns the columns of a sheet by its shape and the first rows; times name their zone. */
export function typedColumns(
  first: readonly Row[],
  { fields, zone = usualZone, currencies }: RenderOptions,
  shape: Shape | undefined,
): TypedColumn[] {
  const columns = fields ? chosenColumns(fields, shape, first) : allColumns(shape, first);
  return columns.map((column) => {
    const { path, kind, read } = column;
    const keys = path.split('.');
    const field = fieldOf(shapeAt(shape, keys.slice(0, -1)), keys.at(-1) ?? '');
    const isAmount = field?.kind === 'decimal' && currencies !== undefined;
    const currencyOf = isAmount ? currencyReader(path, currencies) : () => undefined;
    const isId = isIdentifier(field);
    const cell = (row: Row): Cell =>
      cellOf(read(row), { kind, zone: zone.name, isId, currency: currencyOf(row) });
    const name = kind === 'time' ? `${column.name} (${zone.label ?? zone.name})` : column.name;
    return { field: path, name, isAmount, currencyOf, cell, width: widthOf(column, name, first) };
  });
}

function isIdentifier(field: FieldShape | undefined): boolean {
  return field?.names !== undefined || field?.kind === 'text';
}

function currencyReader(path: string, { by, fixed }: Currencies): (row: Row) => string | undefined {
  const known = Object.hasOwn(fixed, path) ? fixed[path] : undefined;
  return (row) => {
    const code = known ?? row[by];
    return typeof code === 'string' ? code : undefined;
  };
}

/** In characters: wide enough for the heading with its filter button, and for most of the first values. */
function widthOf({ kind, read, room }: Column, name: string, first: readonly Row[]): number {
  const least = kind === 'time' ? 20 : kind === 'number' ? 14 : room + 2;
  const texts = first.map(read).map((value) => {
    if (isNumeral(value)) return value.value.length;
    return typeof value === 'string' && kind === 'text' ? value.length : 0;
  });
  const lengths = texts.toSorted((one, other) => one - other);
  const usual = (lengths[Math.floor(lengths.length * 0.9)] ?? 0) + 2;
  return Math.min(48, Math.max(least, usual, name.length + 4));
}

/** Whether a cell can't hold the whole text. */
export function isCut(cell: Cell): boolean {
  return typeof cell === 'string' && cell.length > longestText;
}
