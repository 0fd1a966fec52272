/** The rows of one account in one run of an incremental export: which days to read, and which rows are new. */
import { createHash } from 'node:crypto';
import { keyOf } from '../../client/paging/row-page.ts';
import { addDays } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import { createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';
import { type Days, daysIn, type RangeNames } from '../period.ts';
import { isWithin } from '../zoned-period.ts';
import type { OpenedAccount } from './same-account.ts';
import type { AccountState, Day } from './state.ts';

/** The rows that a run has read, by a day on or after their own. */
export type SeenRows = AccountState['seen'];

export interface AccountRun {
  /** The days to read; undefined in the first run, which reads the requested days. */
  readonly days: Days | undefined;
  /** What the key could not read when the state was written. */
  readonly added: readonly string[];
  /** Returns the rows that were not exported before; `args` are those of their window. */
  take(rows: readonly unknown[], args: Arguments): readonly unknown[];
  /** Marks that all rows of the account have been taken. */
  finish(): void;
  seen(): SeenRows;
  restore(seen: SeenRows): void;
  /** Returns the state to save; it advances only if the account is finished. */
  state(): AccountState;
}

export interface RunOptions {
  readonly operation: Operation;
  readonly range: RangeNames;
  /** Today at the service, as far as it is known. */
  readonly today: Day;
  /** Where the first day begins in another time zone, in seconds since 1970. */
  readonly start?: number | undefined;
}

/** Days from this one to today are read one by one, so that few rows must be remembered. */
export function dailyFrom(today: Day): Day {
  return addDays(today, -3);
}

export function runOf(
  stored: AccountState | undefined,
  { identity, nicknames = stored?.nicknames }: OpenedAccount,
  { operation, range, today, start: asked }: RunOptions,
  args: Arguments,
): AccountRun {
  const { returns } = operation;
  const key = ('key' in returns ? returns.key : undefined) ?? [];
  const isSameKey = stored && matchesFingerprint(stored.fingerprint, identity);
  const fingerprint = isSameKey ? stored.fingerprint : createFingerprint(identity);
  const reader = { fingerprint, ...(nicknames && { baseUrl: identity.baseUrl, nicknames }) };
  const from = stored?.from ?? daysIn(args, range)?.first ?? today;
  const start = stored ? stored.start : asked;
  const bounds = start !== undefined && { at: range.at ?? '', start, end: Infinity };
  const exported = new Map(entriesOf(stored?.seen ?? {}));
  const all = new Map(exported);
  let latest = stored?.through;
  let isDone = false;
  return {
    days: stored && daysToRead(from, latest, today),
    added: addedTo(stored?.nicknames, nicknames),
    take(read, window) {
      const rows = bounds ? read.filter((row) => isWithin(row, bounds)) : read;
      const { first, last } = daysIn(window, range) ?? { first: today, last: today };
      if (rows.length > 0 && (latest === undefined || first > latest)) latest = first;
      return rows.filter((row) => {
        const hash = hashOfRow(row, key);
        const known = all.get(hash);
        all.set(hash, known !== undefined && known < last ? known : last);
        return !exported.has(hash);
      });
    },
    finish: () => {
      isDone = true;
    },
    seen: () => byDay(all),
    restore: (seen) => {
      for (const [hash, day] of entriesOf(seen)) {
        all.set(hash, day);
        // The days of longer windows are later than those of their rows.
        if (day >= dailyFrom(today) && (latest === undefined || day > latest)) latest = day;
      }
    },
    state() {
      const through = isDone ? (latest ?? from) : stored?.through;
      const seen = byDay(all, isDone && through ? addDays(through, -1) : '');
      const begun = { from, ...(start !== undefined && { start }) };
      return { ...reader, ...begun, ...(through && { through }), seen };
    },
  };
}

function addedTo(before: AccountState['nicknames'], now: AccountState['nicknames'] = []) {
  return before ? now.filter((name) => !before.includes(name)) : [];
}

/** Returns the days to read, up to today, or up to the last day with rows if the clock is behind it. */
function daysToRead(from: Day, through: Day | undefined, today: Day): Days {
  const first = through === undefined ? from : addDays(through, -1);
  const last = through !== undefined && through > today ? through : today;
  return first > last ? { first: last, last } : { first, last };
}

function entriesOf(seen: SeenRows): (readonly [string, Day])[] {
  return Object.entries(seen).flatMap(([day, hashes]) =>
    hashes.map((hash) => [hash, day] as const),
  );
}

function byDay(seen: ReadonlyMap<string, Day>, since: Day = ''): SeenRows {
  const days: Record<Day, string[]> = {};
  for (const [hash, day] of seen) {
    if (day < since) continue;
    days[day] ??= [];
    days[day].push(hash);
  }
  return days;
}

/** Hashes a row by its key, or by all of its values if it has no key. */
function hashOfRow(row: unknown, key: readonly string[]): string {
  const fields = row as Readonly<Record<string, unknown>>;
  const isKeyed = key.some((name) => fields[name] !== undefined && fields[name] !== null);
  const text = isKeyed ? keyOf(row, key) : JSON.stringify(row);
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}
