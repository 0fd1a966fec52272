/** A calendar month as people type it: 2026-10, October 2026, last-month. */
import type { Day } from '../../dates/day.ts';
import { addDays, addMonths } from '../../dates/day.ts';
import { parsePeriod } from '../../dates/periods.ts';

export interface Month {
  /** As in `2026-10`. */
  readonly name: string;
  readonly first: Day;
  /** The last day that can be read: that of the month, or today. */
  readonly last: Day;
  /** All days of the month are over. */
  readonly isOver: boolean;
}

/** Returns undefined for text that is not a month, and for a month that has not begun. `today` is the day at ClickBank. */
export function monthNamed(text: string, today: Day): Month | undefined {
  const period = parsePeriod(text, today);
  if (!period?.first.endsWith('-01')) return undefined;
  const { first } = period;
  const end = addDays(addMonths(first, 1), -1);
  const isMonth = period.last === end || (period.last === today && today < end);
  if (!isMonth || first > today) return undefined;
  return {
    name: first.slice(0, 'yyyy-mm'.length),
    first,
    last: end < today ? end : today,
    isOver: end < today,
  };
}
