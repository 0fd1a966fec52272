/** Compares days and periods in words with a second calculation by day numbers, in several time zones. */
import { expect, test } from 'vitest';
import { dayIn } from '../../src/dates/pacific.ts';
import { parseDay, parsePeriod } from '../../src/dates/words.ts';

const dayLong = 86_400_000;

/** Converts a date to days since 1970 and back. A month is 0 to 11 or beyond, as for Date.UTC. */
const numberOf = (year: number, month: number, date: number) =>
  Date.UTC(year, month, date) / dayLong;
const textOf = (number: number) => new Date(number * dayLong).toISOString().slice(0, 10);

function partsOf(number: number): [year: number, month: number, date: number, weekday: number] {
  const day = new Date(number * dayLong);
  return [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), day.getUTCDay()];
}

/** The same date a number of months later, or the last day of that month. */
function monthsLater(number: number, count: number): number {
  const [year, month, date] = partsOf(number);
  const last = numberOf(year, month + count + 1, 1) - 1;
  return Math.min(numberOf(year, month + count, date), last);
}

type Spell = (today: number) => number;
type Span = (today: number) => readonly [first: number, last: number];

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const latest = (weekday: number, today: number) => today - ((partsOf(today)[3] - weekday + 7) % 7);
const counts = [1, 2, 7, 30, 365];

const days: Readonly<Record<string, Spell>> = {
  today: (today) => today,
  yesterday: (today) => today - 1,
  tomorrow: (today) => today + 1,
  ...Object.fromEntries(weekdays.map((name, i) => [name, (today) => latest(i, today)])),
  ...Object.fromEntries(
    counts.flatMap((count): [string, Spell][] => [
      [`-${count}d`, (today) => today - count],
      [`+${count}d`, (today) => today + count],
      [`-${count}w`, (today) => today - 7 * count],
      [`+${count}m`, (today) => monthsLater(today, count)],
      [`-${count}m`, (today) => monthsLater(today, -count)],
      [`-${count}y`, (today) => monthsLater(today, -12 * count)],
    ]),
  ),
};

/** The first day of the month that is `months` months from that of `today`. */
function monthStart(today: number, count: number): number {
  const [year, month] = partsOf(today);
  return numberOf(year, month + count, 1);
}
const quarterStart = (today: number) => monthStart(today, -(partsOf(today)[1] % 3));
const yearStart = (today: number) => monthStart(today, -partsOf(today)[1]);

const periods: Readonly<Record<string, Span>> = {
  today: (today) => [today, today],
  ...Object.fromEntries(
    counts.flatMap((count): [string, Span][] => [
      [`last-${count}-days`, (today) => [today - count + 1, today]],
      [`last-${count}-weeks`, (today) => [today - 7 * count + 1, today]],
      [`last-${count}-months`, (today) => [monthsLater(today, -count) + 1, today]],
      [`last-${count}-years`, (today) => [monthsLater(today, -12 * count) + 1, today]],
    ]),
  ),
  'this-week': (today) => [latest(1, today), today],
  'last-week': (today) => [latest(1, today) - 7, latest(1, today) - 1],
  'this-month': (today) => [monthStart(today, 0), today],
  'last-month': (today) => [monthStart(today, -1), monthStart(today, 0) - 1],
  'this-quarter': (today) => [quarterStart(today), today],
  'last-quarter': (today) => [monthStart(quarterStart(today), -3), quarterStart(today) - 1],
  'this-year': (today) => [yearStart(today), today],
  'last-year': (today) => [monthStart(yearStart(today), -12), yearStart(today) - 1],
  '2025-03': () => [numberOf(2025, 2, 1), numberOf(2025, 2, 31)],
  '2024-02': () => [numberOf(2024, 1, 1), numberOf(2024, 1, 29)],
  '2026-q4': () => [numberOf(2026, 9, 1), numberOf(2026, 11, 31)],
  '2026': () => [numberOf(2026, 0, 1), numberOf(2026, 11, 31)],
};

/** Days on which the clocks change, a year ends or a February ends. */
const turns = [
  ...['2025-03-09', '2025-11-02', '2026-03-08', '2026-11-01', '2025-12-31', '2024-02-29'],
  ...['2027-02-28', '2028-12-31'],
];
const todays = turns.flatMap((turn) =>
  [-3, -2, -1, 0, 1, 2, 3].map((step) => Date.parse(turn) / dayLong + step),
);

const zones = [
  ...['America/Los_Angeles', 'UTC', 'Asia/Kolkata', 'Pacific/Kiritimati', 'America/Havana'],
  'Australia/Lord_Howe',
];

const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
  ]),
);

/** The day of a time by the offset of its zone. */
function dayThere(zone: string, moment: number): string {
  const parts = formats.get(zone)?.formatToParts(moment);
  const name = parts?.find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  return new Date(moment + offset).toISOString().slice(0, 10);
}

/** The half hours of some days from the start of a day in UTC. */
const halfHours = (start: number, count: number) =>
  Array.from({ length: count * 48 }, (_, i) => start + i * 1_800_000);

/** Every half hour, and the moment before it, around each clock change. */
const moments = turns
  .flatMap((turn) => halfHours(Date.parse(turn) - dayLong / 2, 2))
  .flatMap((moment) => [moment - 1, moment]);

/** Also run at other times and in other time zones of the machine by `npm run test:days`. */
test('resolves every word for a day or a period relative to today', () => {
  for (const today of todays) {
    for (const [word, spell] of Object.entries(days)) {
      expect(parseDay(word, textOf(today)), word).toBe(textOf(spell(today)));
    }
    for (const [word, span] of Object.entries(periods)) {
      const [first, last] = span(today).map(textOf);
      expect(parsePeriod(word, textOf(today)), word).toEqual({ first, last });
    }
  }
});

test.each(zones)('computes the day in %s by its offset, around each clock change', (zone) => {
  for (const moment of moments) {
    expect(dayIn(zone, new Date(moment))).toBe(dayThere(zone, moment));
  }
});
