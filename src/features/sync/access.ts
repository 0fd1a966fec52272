/**
 * Which account of a copy a key continues. Keys change: a nickname is added, or an access ends. The copy then reads
 * the days that a new nickname lacks, and keeps the rows of one that the key can no longer read.
 */
import type { Day } from '../../dates/day.ts';
import { type AccountState, DestinationError, isComplete } from './destination.ts';

export interface CopiedAccount {
  readonly account: string;
  /** The nicknames that the key must read: a day that was read without one of them is not complete. */
  readonly nicknames: readonly string[];
  /** Nicknames that the key can't read, with the last day of each in the copy; null if it has none. */
  readonly ended: Readonly<Record<string, Day | null>>;
  /** The first day that is copied. */
  readonly firstDay: Day;
}

/** All nicknames that an account has rows of. */
function allNicknames({ nicknames, ended }: CopiedAccount): readonly string[] {
  return [...new Set([...nicknames, ...Object.keys(ended)])];
}

/** Whether an account has rows of nicknames that the key can't read. */
export function isPartialKey(account: CopiedAccount, nicknames: readonly string[]): boolean {
  return allNicknames(account).some((name) => !nicknames.includes(name));
}

/**
 * The account that a key continues: the same nicknames, more of them or fewer. Undefined for a new account. Throws a
 * DestinationError if rows would be in the copy twice. `isNew` copies such a key as a separate account; `acceptsEnd` says
 * that access to what the key can't read has ended. `label` names the copy in messages.
 */
export function continuedAccount(
  accounts: readonly CopiedAccount[],
  nicknames: readonly string[],
  asked: { label: string; isNew?: boolean | undefined; acceptsEnd?: boolean | undefined },
): CopiedAccount | undefined {
  const shares = (one: CopiedAccount) =>
    allNicknames(one).filter((name) => nicknames.includes(name));
  const others = (one: CopiedAccount) =>
    nicknames.filter((name) => !allNicknames(one).includes(name));
  const isMore = ({ nicknames: known }: CopiedAccount) =>
    known.every((name) => nicknames.includes(name));
  const touched = accounts.filter((one) => shares(one).length > 0);
  const hasSeveral = touched.length > 1;
  const found =
    touched.find((one) => isMore(one) && others(one).length === 0) ??
    touched.find(isMore) ??
    touched.find((one) => others(one).length === 0) ??
    (asked.acceptsEnd && !hasSeveral ? touched[0] : undefined);
  // Another account may share what was already read twice, on request.
  const mixed = touched.find(
    (one) => one !== found && shares(one).some((name) => !found || others(found).includes(name)),
  );
  if (!mixed) return found;
  if (asked.isNew) return undefined;
  const end =
    ' If you no longer have access to the rest of that account, run cb sync with --accept-access.';
  throw new DestinationError(
    'unsuitable',
    `${asked.label} already has ${shares(mixed).join(', ')} in the account ${mixed.account}, and the API key also reads ${others(mixed).join(', ')}.`,
    {
      hint: `Nothing was written. Use the key of that account or another database, or run cb sync with --new-account to copy this key as a separate account.${hasSeveral ? '' : end}`,
    },
  );
}

/**
 * The account as a sync stores it. Its name never changes, and only an earlier day replaces its first day. `acceptsEnd`
 * if the user says that the access to what the key can't read has ended.
 */
export function accountFor(
  known: CopiedAccount | undefined,
  { nicknames, firstDay }: Pick<CopiedAccount, 'nicknames' | 'firstDay'>,
  acceptsEnd: boolean | undefined,
  accounts: readonly CopiedAccount[],
  state: AccountState,
): CopiedAccount {
  if (!known) {
    const isFree = (name: string) => !accounts.some(({ account }) => account === name);
    const account = nicknames.find(isFree) ?? nicknames.join('+');
    return { account, nicknames, ended: {}, firstDay };
  }
  const unread = allNicknames(known).filter((name) => !nicknames.includes(name));
  return {
    account: known.account,
    nicknames: acceptsEnd ? nicknames : [...new Set([...nicknames, ...lostBy(known, nicknames)])],
    ended: Object.fromEntries(
      unread.map((name) => [name, known.ended[name] ?? lastDayOf(state, name)]),
    ),
    firstDay: firstDay < known.firstDay ? firstDay : known.firstDay,
  };
}

/** The nicknames that the key should read, but can't. */
export function lostBy(
  { nicknames: wanted }: CopiedAccount,
  nicknames: readonly string[],
): readonly string[] {
  return wanted.filter((name) => !nicknames.includes(name));
}

/** The last complete day that was read with a nickname. */
function lastDayOf({ days }: AccountState, nickname: string): Day | null {
  const read = [...days.values()].flatMap((known) => [...known.values()]);
  const own = read.filter((state) => state.nicknames.includes(nickname) && isComplete(state));
  const ownDays = own.map(({ day }) => day).sort();
  return ownDays.at(-1) ?? null;
}

/** As in `SHOP (last day 2026-03-17), CLUB (no day)`. */
export function namesWithLastDay({ ended }: CopiedAccount, names: readonly string[]): string {
  return names
    .map((name) => `${name} (${ended[name] ? `last day ${ended[name]}` : 'no day'})`)
    .join(', ');
}

/** Undefined if the key still reads all nicknames that the account has rows of. */
export function endedSentence(account: CopiedAccount): string | undefined {
  const names = Object.keys(account.ended);
  if (names.length === 0) return undefined;
  return `The copy of ${account.account} has earlier rows only of ${namesWithLastDay(account, names)}.`;
}
