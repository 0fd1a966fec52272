/** The line above a table of figures: its days, accounts, role and unit. */
import { addDays } from '../../dates/day.ts';
import { daysText } from '../../dates/day-texts.ts';
import { pacificDay } from '../../dates/pacific.ts';
import type { Arguments } from '../../operations/operation.ts';
import type { ViewFacts } from '../../shell/display/view.ts';

/**
 * `Nov 16 to Nov 22, 2026, GREENLEAF as vendor, amounts in USD`. Without dates, ClickBank returns the days from `defaultDays`
 * ago to today.
 */
export function figuresTitle(
  { startDate, endDate, account, role }: Arguments,
  { now }: Partial<ViewFacts>,
  defaultDays: number,
): string[] {
  const today = now && pacificDay(now().getTime() / 1000);
  const last = endDate ?? today;
  const first = startDate ?? (today && addDays(today, -defaultDays));
  if (typeof first !== 'string' || typeof last !== 'string') return [];
  const accounts = account === undefined ? 'all accounts' : String(account);
  const as = role === undefined ? '' : ` as ${String(role).toLowerCase()}`;
  return [`${daysText({ first, last })}, ${accounts}${as}, amounts in USD`];
}
