/** How days and periods may be typed, as help and errors say it. */

export const dayForms =
  'a day is yyyy-mm-dd, today, yesterday, tomorrow, a weekday, or a distance like -7d, -2w, -3m, +1y';

export const periodForms =
  'a period is today, yesterday, last-7-days, this-week, last-month, this-quarter, last-3-months, this-year, 2026-03, 2026-Q1 or 2026';
