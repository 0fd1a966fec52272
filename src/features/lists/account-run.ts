/** The rows of one account in one run of an incremental export: which days to read, and which rows are new. */
import { createHash } from 'node:crypto';
import { keyOf } from '../../client/paging/pages.ts';
import { WorkflowError } from '../../client/workflow-error.ts';
import { type Days, daysIn, isWithin } from '../../client/zoned-period.ts';
import { addDays, type Day, later } from '../../dates/day.ts';
import type { Arguments, Operation, Period } from '../../operations/operation.ts';
import { type Account, createFingerprint, matchesFingerprint } from '../../storage/fingerprint.ts';

export interface AccountState {
  /** Service and API key. */
  readonly fingerprint: string;
  /** The service, and the accounts that the key could read; absent in the state of earlier versions. */
  readonly baseUrl?: string;
  readonly nicknames?: readonly string[];
  /** First day of the first run. */
  readonly from: Day;
  /** Where the first day began in another time zone, in seconds since 1970; earlier rows are not exported. */
  readonly start?: number;
  /**
   * The last day that is known to be over or to have rows. Derived from rows that were read, not from a clock.
   * Absent until one run is complete.
   */
  readonly through?: Day;
  /** Hashes of exported rows that a later run may read again, by a day on or after their own. */
  readonly seen: Readonly<Record<Day, readonly string[]>>;
}

/** The rows that a run has read, by a day on or after their own. */
export type SeenRows = AccountState['seen'];

export type AccountRun = ReturnType<typeof runOf>;

export interface RunOptions {
  readonly operation: Operation;
  readonly range: Period;
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
) {
  const { returns } = operation;
  const key = ('key' in returns ? returns.key : undefined) ?? [];
  const ownFields = key.filter((name) => !name.includes('.'));
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64').slice(0, 16);
  const isSameKey = stored && matchesFingerprint(stored.fingerprint, identity);
  const fingerprint = isSameKey ? stored.fingerprint : createFingerprint(identity);
  const reader = { fingerprint, ...(nicknames && { baseUrl: identity.baseUrl, nicknames }) };
  const from = stored?.from ?? daysIn(args, range)?.first ?? today;
  const start = stored ? stored.start : asked;
  const bounds = start !== undefined && { at: range.at ?? '', start, end: Infinity };
  const exported = new Map(entriesOf(stored?.seen ?? {}));
  const all = new Map(exported);
  const through = stored?.through;
  // Up to today, or up to the last day with rows if the clock is behind it.
  const end = later(through ?? today, today);
  const begin = through === undefined ? from : later(addDays(through, -1), from);
  let latest = through;
  let isDone = false;
  const days: Days = begin > end ? { first: end, last: end } : { first: begin, last: end };
  return {
    /** The days to read; undefined in the first run, which reads the requested days. */
    days: stored && days,
    /** What the key could not read when the state was written. */
    added: stored?.nicknames
      ? (nicknames ?? []).filter((name) => !stored.nicknames?.includes(name))
      : [],
    /** Returns the rows that were not exported before; `window` has the arguments of their window. */
    take(read: readonly unknown[], window: Arguments): readonly unknown[] {
      const rows = bounds ? read.filter((row) => isWithin(row, bounds)) : read;
      const { first, last } = daysIn(window, range) ?? { first: today, last: today };
      if (rows.length > 0 && (latest === undefined || first > latest)) latest = first;
      return rows.filter((row) => {
        const fields = row as Readonly<Record<string, unknown>>;
        // A row without any field of its key is known by all of its values.
        const isKeyed = key.some((name) => (fields[name] ?? null) !== null);
        const text = isKeyed ? keyOf(row, key) : JSON.stringify(row);
        const hash = hashOf(text);
        const known = all.get(hash);
        all.set(hash, known !== undefined && known < last ? known : last);
        // Earlier versions of cb knew a row without its items.
        return !exported.has(hash) && !exported.has(hashOf(keyOf(row, ownFields)));
      });
    },
    /** Marks that all rows of the account have been taken. */
    finish: () => {
      isDone = true;
    },
    seen: () => byDay(all),
    restore: (seen: SeenRows) => {
      for (const [hash, day] of entriesOf(seen)) {
        all.set(hash, day);
        // The days of longer windows are later than those of their rows.
        if (day >= dailyFrom(today) && (latest === undefined || day > latest)) latest = day;
      }
    },
    /** Returns the state to save; it advances only if the account is finished. */
    state(): AccountState {
      const reached = isDone ? (latest ?? from) : through;
      const seen = byDay(all, isDone && reached ? addDays(reached, -1) : '');
      const begun = { from, ...(start !== undefined && { start }) };
      return { ...reader, ...begun, ...(reached && { through: reached }), seen };
    },
  };
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

/** An account of a run. */
export interface OpenedAccount {
  /** Of the profile; empty for a key from the environment. */
  readonly name: string;
  readonly identity: Account;
  /** What the key can read; undefined if it may not ask. */
  readonly nicknames: readonly string[] | undefined;
}

/** An account of the state. */
interface StoredAccount {
  readonly name: string;
  readonly state: AccountState;
}

/** What the key can read, beside what the state was written with. */
type Relation = 'equal' | 'more' | 'fewer' | 'other' | 'unknown';

function relationOf({ state }: StoredAccount, { identity, nicknames }: OpenedAccount): Relation {
  const before = state.nicknames;
  if (!before || !nicknames) {
    return matchesFingerprint(state.fingerprint, identity) ? 'equal' : 'unknown';
  }
  const kept = before.filter((name) => nicknames.includes(name));
  if (state.baseUrl !== identity.baseUrl || kept.length === 0) return 'other';
  if (kept.length < before.length) return 'fewer';
  return nicknames.length > before.length ? 'more' : 'equal';
}

/**
 * Returns what each account continues: the accounts that a key can read count, not its name. Accounts are new in a
 * first run, and beside a known one. Throws a WorkflowError of kind `other-account` if an account could repeat or lack
 * rows of the schedule `name`.
 */
export function continuedAccounts(
  name: string,
  stored: Readonly<Record<string, AccountState>>,
  opened: readonly OpenedAccount[],
): ReadonlyMap<OpenedAccount, StoredAccount> {
  const found = new Map<OpenedAccount, StoredAccount>();
  const left = new Set(Object.entries(stored).map(([name, state]) => ({ name, state })));
  const related = (account: OpenedAccount, relation: Relation, isNamed = false) =>
    [...left].find(
      (one) => relationOf(one, account) === relation && (!isNamed || one.name === account.name),
    );
  // The surest first.
  for (const [relation, isNamed] of [['equal', true], ['equal'], ['more']] as const) {
    for (const account of opened) {
      const one = found.has(account) ? undefined : related(account, relation, isNamed);
      if (!one) continue;
      found.set(account, one);
      left.delete(one);
    }
  }
  for (const account of opened) {
    if (found.has(account)) continue;
    const blocking =
      [...left].find((one) => one.name === account.name) ??
      related(account, 'fewer') ??
      (found.size === 0 ? [...left][0] : undefined);
    if (blocking) throw otherAccount(name, blocking, account);
  }
  return found;
}

function otherAccount(name: string, stored: StoredAccount, account: OpenedAccount): WorkflowError {
  const { baseUrl, nicknames = [] } = stored.state;
  const profile = account.name === '' ? '' : ` of profile ${account.name}`;
  const lost = nicknames.filter((one) => !account.nicknames?.includes(one)).join(', ');
  const [problem, hint] =
    relationOf(stored, account) === 'unknown'
      ? [
          `was made with another API key or service${profile}`,
          'Run it once with the key of before, or use another name for this account.',
        ]
      : [
          baseUrl === account.identity.baseUrl
            ? `has rows of ${lost}, which the API key${profile} can't read`
            : `has rows of ${baseUrl}, not of ${account.identity.baseUrl}`,
          'Use a key that can, or another name and another file for this key.',
        ];
  return new WorkflowError('other-account', `The incremental export '${name}' ${problem}.`, {
    hint: `Nothing was written. ${hint}`,
  });
}
