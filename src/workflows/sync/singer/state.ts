/** The state of a sync to a Singer target: what a database would keep, as the value of STATE messages. */
import type { Day } from '../../../dates/day.ts';
import type { CopiedAccount } from '../access.ts';
import {
  type AccountState,
  type DayState,
  DestinationError,
  hasRead,
  type ListState,
} from '../destination.ts';

/** When a day was read (ISO 8601, UTC), and the number of its rows. */
type Read = readonly [syncedAt: string, rows: number];

interface AccountValue {
  readonly nicknames: readonly string[];
  readonly first_day: Day;
  /** By source and day. */
  readonly days: Readonly<Record<string, Readonly<Record<Day, Read>>>>;
  /** When a source was last read as a whole, or for its changes. */
  readonly reads: Readonly<Record<string, string>>;
}

export interface StateValue {
  /** The version of this shape. */
  readonly version: 1;
  /** As in `https://api.clickbank.com`; a state belongs to one service. */
  readonly service: string;
  readonly without_personal_data: boolean;
  /** By account. */
  readonly bookmarks: Readonly<Record<string, AccountValue>>;
}

/**
 * Reads the value of the last STATE message, the message itself, or the output of a target, whose last line is the
 * value. Throws a DestinationError for anything else.
 */
export function readState(text: string): StateValue {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const value = valueIn(text) ?? valueIn(lines.at(-1) ?? '');
  if (value?.version === 1 && typeof value.service === 'string' && value.bookmarks) return value;
  throw new DestinationError('unsuitable', 'The state is not one that cb sync has written.', {
    hint: 'Use the value of the last STATE message, or leave out --state to start again.',
  });
}

function valueIn(text: string): StateValue | undefined {
  try {
    const read = JSON.parse(text);
    return read?.type === 'STATE' ? read.value : read;
  } catch {
    return undefined;
  }
}

export function emptyState(service: string, withoutPersonalData: boolean): StateValue {
  return {
    version: 1,
    ...{ service, without_personal_data: withoutPersonalData, bookmarks: {} },
  };
}

export function accountsOf({ bookmarks }: StateValue): readonly CopiedAccount[] {
  return Object.entries(bookmarks).map(([account, { nicknames, first_day: firstDay }]) => ({
    ...{ account, nicknames, ended: {}, firstDay },
  }));
}

export function accountStateIn({ bookmarks }: StateValue, account: string): AccountState {
  const { days = {}, reads = {}, nicknames = [] } = bookmarks[account] ?? {};
  const states = Object.entries(days).map(([source, byDay]) => {
    const known = Object.entries(byDay).map(([day, [syncedAt, rows]]): [Day, DayState] => [
      day,
      { day, syncedAt, rows, nicknames },
    ]);
    return [source, new Map(known)] as const;
  });
  const lists = Object.entries(reads).map(([source, syncedAt]): [string, ListState] => [
    source,
    { syncedAt, nicknames, emptied: {} },
  ]);
  return { days: new Map(states), lists: new Map(lists) };
}

/** The state with the account as it is now: all days are unread if its key can read more than before. */
export function withAccount(
  value: StateValue,
  { account, nicknames, firstDay }: CopiedAccount,
): StateValue {
  const before = value.bookmarks[account];
  const { days = {}, reads = {} } = before && hasRead(before, nicknames) ? before : {};
  const entry: AccountValue = { nicknames, first_day: firstDay, days, reads };
  return { ...value, bookmarks: { ...value.bookmarks, [account]: entry } };
}

/** The state after some days of a source were read. */
export function withDays(
  value: StateValue,
  account: string,
  source: string,
  read: Readonly<Record<Day, Read>>,
): StateValue {
  const before = value.bookmarks[account];
  if (!before) throw new Error(`the state has no account ${account}`);
  const days = { ...before.days, [source]: { ...before.days[source], ...read } };
  return { ...value, bookmarks: { ...value.bookmarks, [account]: { ...before, days } } };
}

/** The state after a source was read as a whole, or for its changes. */
export function withRead(
  value: StateValue,
  account: string,
  source: string,
  syncedAt: string,
): StateValue {
  const before = value.bookmarks[account];
  if (!before) throw new Error(`the state has no account ${account}`);
  const reads = { ...before.reads, [source]: syncedAt };
  return { ...value, bookmarks: { ...value.bookmarks, [account]: { ...before, reads } } };
}
