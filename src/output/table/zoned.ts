/** Columns of times in tables and cards, in the requested time zone. */
import { shortTime } from '../../dates/relative.ts';
import { wallTime } from '../../dates/wall-time.ts';
import type { TimeZone } from '../render-options.ts';
import type { Column } from '../rows/columns.ts';

/**
 * Returns the same columns, with times in the zone and the zone's label after their headings. If `now` is given, times
 * are short.
 */
export function zoned(
  columns: readonly Column[],
  zone: TimeZone | undefined,
  now?: Date | undefined,
): Column[] {
  if (!zone) return [...columns];
  const { name, label } = zone;
  return columns.map((column) => {
    if (column.kind !== 'time') return column;
    const { heading, read } = column;
    return {
      ...column,
      heading: label === undefined ? heading : `${heading} (${label})`,
      read: (row) => {
        const value = read(row);
        if (typeof value !== 'string') return value;
        return now ? shortTime(value, name, now) : wallTime(value, name);
      },
    };
  });
}
