/** `--dates`: times in the form that spreadsheets read as a date and time. */
import { serviceZone } from '../../dates/pacific.ts';
import { spreadsheetTime } from '../../dates/spreadsheet-time.ts';
import type { RenderOptions } from '../render-options.ts';
import type { Column } from '../rows/columns.ts';

const day = /^\d{4}-\d\d-\d\d/;

/**
 * Converts the columns of times and days; with `both`, a column `date` with the day follows the first column of times.
 * Text that is not a time stays as it is.
 */
export function withDates(
  columns: readonly Column[],
  { dates, zone }: Pick<RenderOptions, 'dates' | 'zone'>,
): readonly Column[] {
  if (dates === undefined) return columns;
  const converted = columns.map((column) => inSpreadsheet(column, zone?.name ?? serviceZone));
  const at = converted.findIndex(({ kind }) => kind === 'time');
  const time = converted[at];
  if (dates !== 'both' || !time || columns.some(({ name }) => name === 'date')) return converted;
  return [...converted.slice(0, at + 1), dayColumn(time), ...converted.slice(at + 1)];
}

function inSpreadsheet(column: Column, zone: string): Column {
  const { kind, read } = column;
  if (kind !== 'time' && kind !== 'day') return column;
  return {
    ...column,
    read: (row) => {
      const value = read(row);
      if (typeof value !== 'string') return value;
      return (kind === 'day' ? day.exec(value)?.[0] : spreadsheetTime(value, zone)) ?? value;
    },
  };
}

function dayColumn({ read, ...time }: Column): Column {
  const named = { path: 'date', name: 'date', heading: 'Date', kind: 'day' } as const;
  return {
    ...time,
    ...named,
    read: (row) => {
      const value = read(row);
      return typeof value === 'string' ? day.exec(value)?.[0] : undefined;
    },
  };
}
