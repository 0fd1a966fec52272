/** The forms in which people type days, periods and durations, for help and errors. */

export const dayForms = 'YYYY-MM-DD, today, yesterday, a weekday, or an offset such as -7d';

export const periodForms =
  'today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026';
