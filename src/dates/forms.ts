/** The forms in which people type days, for errors. */

export const dayForms = 'YYYY-MM-DD, today, yesterday, a weekday, or an offset such as -7d';
