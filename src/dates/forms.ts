/** The forms in which people type days and periods, for help and errors. */

export const dayForms =
  'yyyy-mm-dd, today, yesterday, tomorrow, a weekday, or an offset such as -7d, -2w, -3m, +1y';

export const periodForms =
  'today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026';
