/** A list of objects inside a card: a small indented table. */
import { allColumns, headlineColumns } from './columns.ts';
import type { Row, Shape } from './rows.ts';
import { shapeAt } from './rows.ts';
import type { Style } from './style.ts';
import { fitHeadline, naturalTracks } from './table-layout.ts';
import { headerLine, rowLines } from './table-lines.ts';

export interface Panel {
  readonly lines: readonly string[];
  /** Paths of the columns that have values but were no headline or had no room. */
  readonly leftOut: readonly string[];
}

const indent = '  ';

/** The headline columns, then those that the shape does not know, as far as they have values and room. */
export function writePanel(
  elements: readonly Row[],
  path: string,
  shape: Shape | undefined,
  width: number | undefined,
  style: Style,
): Panel {
  const inner = shapeAt(shape, path.split('.'));
  const hasValue = ({ read }: { read: (row: Row) => unknown }) =>
    elements.some((element) => (read(element) ?? null) !== null);
  const isUnknown = ({ path: field }: { path: string }) =>
    inner !== undefined && !Object.hasOwn(inner.fields, field.split('.')[0] ?? '');
  const unknown = allColumns(inner, elements).filter(isUnknown);
  const columns = [...headlineColumns(inner, elements), ...unknown].filter(hasValue);
  const natural = naturalTracks(columns, elements, width);
  const isFitted = width !== undefined;
  const tracks = isFitted
    ? fitHeadline(natural, elements, Math.max(1, width - indent.length))
    : natural;
  const shown = tracks.map(({ column }) => column.path);
  const lines = { tracks, isFitted, style };
  return {
    lines: [headerLine(lines), ...rowLines(elements, lines)].map((line) => indent + line),
    leftOut: allColumns(inner, elements)
      .filter((column) => hasValue(column) && !shown.includes(column.path))
      .map((column) => `${path}.${column.path}`),
  };
}
