/** The line above a table of figures: its days, accounts, role and unit. */
import { addDays, pacificDay } from '../../dates/day.ts';
import { daysText } from '../../dates/day-texts.ts';
import type { Arguments } from '../../operations/operation.ts';
import type { ViewFacts } from '../../shell/display/view.ts';

/** `Nov 16 to Nov 22, 2026, GREENLEAF as vendor, amounts in USD`; without dates, from `defaultDays` ago to today. */
export function figuresTitle(
  args: Arguments,
  { now }: Partial<ViewFacts>,
  defaultDays: number,
): string[] {
  const { startDate, endDate } = args;
  const today = now && pacificDay(now().getTime() / 1000);
  const last = endDate ?? today;
  const first = startDate ?? (today && addDays(today, -defaultDays));
  if (typeof first !== 'string' || typeof last !== 'string') return [];
  return [`${daysText({ first, last })}, ${accountTitle(args)}, amounts in USD`];
}

/** `GREENLEAF as vendor`. */
export function accountTitle({ account, role }: Arguments): string {
  const accounts = account === undefined ? 'all accounts' : String(account);
  return role === undefined ? accounts : `${accounts} as ${String(role).toLowerCase()}`;
}
