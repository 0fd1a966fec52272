/**
 * Where a sync writes. A database keeps the copy and the state of the sync together: a window and the state that says
 * so are committed in one transaction, so a sync that is stopped anywhere loses and repeats nothing.
 */
import { type Day, endOf } from '../../dates/day.ts';
import type { Cell, Column, Days, Part } from './tables/table.ts';

/** When the rows of a day were read, and how many there were. */
export interface DayState {
  readonly day: Day;
  /** ISO 8601, in UTC. */
  readonly syncedAt: string;
  readonly rows: number;
  /** The nicknames that the key could read then, each in both roles. */
  readonly nicknames: readonly string[];
}

/** When a source was last read as a whole, or for its changes. */
export interface ListState {
  /** ISO 8601, in UTC. */
  readonly syncedAt: string;
  readonly nicknames: readonly string[];
  /** The time of the first empty response, by the text of a part that is suddenly empty; its rows stay for now. */
  readonly emptied: Readonly<Record<string, string>>;
}

/** What a copy knows of one account. */
export interface AccountState {
  /** Days that are complete, by the name of their source. A run adds what it reads. */
  readonly days: Map<string, Map<Day, DayState>>;
  /** Sources that were read as a whole, or for their changes, by name. */
  readonly lists: Map<string, ListState>;
}

/** Whether a day was read after it ended. */
export function isComplete(state: DayState | undefined): state is DayState {
  return state !== undefined && Date.parse(state.syncedAt) >= endOf(state.day) * 1000;
}

/** Whether a day or a list was read with all of these nicknames. */
export function hasRead(
  state: { readonly nicknames: readonly string[] },
  nicknames: readonly string[],
): boolean {
  return nicknames.every((one) => state.nicknames.includes(one));
}

/** The days that were read with all of these nicknames. */
export function daysWith(
  known: ReadonlyMap<Day, DayState> | undefined,
  nicknames: readonly string[],
): ReadonlyMap<Day, DayState> {
  return new Map([...(known ?? [])].filter(([, state]) => hasRead(state, nicknames)));
}

/** A window that was read to its end. */
export interface Completed {
  /** What is replaced: all rows of some days, all rows of a source, or only the rows that were written. */
  readonly extent: Days | 'whole' | 'changes' | 'rows';
  /** ISO 8601, in UTC. */
  readonly syncedAt: string;
  /** The number of rows of the first table by day, if the extent is days. */
  readonly rowsByDay?: ReadonlyMap<Day, number>;
  /** The nicknames that were read. */
  readonly nicknames: readonly string[];
  /** The copy also has rows of nicknames that were not read; they stay. */
  readonly isPartial?: boolean;
  /** Parts of a whole list whose rows stay, because they are suddenly empty. */
  readonly emptied?: ReadonlyMap<Part, string>;
}

export type DestinationErrorKind =
  /** There is no copy yet. */
  | 'missing'
  /** It can't be opened. */
  | 'unavailable'
  /** The connection was lost. */
  | 'lost'
  /** Another sync is writing to it. */
  | 'busy'
  /** It holds something else, such as data of another service or a newer schema. */
  | 'unsuitable'
  /** It has no room left. */
  | 'full';

/** `where` is as in `at shop.db`. */
export function missingCopy(where: string): DestinationError {
  const hint = 'Create it with `cb sync`.';
  return new DestinationError('missing', `There is no copy ${where}.`, { hint });
}

export function busyCopy(label: string, who = 'cb sync', cause?: unknown): DestinationError {
  const hint = 'Try again when it has ended.';
  return new DestinationError('busy', `Another ${who} is writing to ${label}.`, { hint, cause });
}

/** The database has the tables of a copy, but not as cb made them. */
export function damagedCopy(label: string, reason: string, cause?: unknown): DestinationError {
  return new DestinationError('unsuitable', `${label} is not a copy that cb can use: ${reason}.`, {
    hint: 'Delete the file (in PostgreSQL, drop the schema) and run `cb sync` again, or name another database.',
    cause,
  });
}

export class DestinationError extends Error {
  override readonly name = 'DestinationError';
  readonly kind: DestinationErrorKind;
  readonly hint: string | undefined;

  constructor(
    kind: DestinationErrorKind,
    message: string,
    { hint, cause }: { readonly hint?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.hint = hint;
  }
}

export type Dialect = 'sqlite' | 'postgres';

export interface SqlReader {
  readonly dialect: Dialect;
  /** Names the database in messages, without a password. */
  readonly label: string;
  /**
   * Values are bound in the order of the question marks. In the rows, moments are ISO 8601 texts in UTC and days are
   * texts; numeric values and booleans are numbers in SQLite, and texts with all digits and booleans in PostgreSQL.
   * Throws a DestinationError.
   */
  query<R = Readonly<Record<string, unknown>>>(
    text: string,
    values?: readonly Cell[],
  ): Promise<R[]>;
  close(): Promise<void>;
}

export interface Sql extends SqlReader {
  /** Runs `work` in one transaction; no other query of the connection may run meanwhile. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** Appends rows to a table in bulk. Throws a DestinationError. */
  load(
    table: string,
    columns: readonly Column[],
    rows: readonly (readonly Cell[])[],
  ): Promise<void>;
  /**
   * Makes this the only sync that writes to the database. Throws a DestinationError of kind `busy` if another one
   * still does after `patience` milliseconds.
   */
  lock(patience: number): Promise<void>;
  /**
   * Keeps the rows of an account, and only those: in PostgreSQL, other machines can then sync other accounts, but nobody
   * can change the copy as a whole. SQLite has one writer, so the copy stays locked. Called after `lock`, or again for
   * another account. Throws a DestinationError of kind `busy`.
   */
  lockAccount(account: string, patience: number): Promise<void>;
  /** Called after `lock`: no account may be in use, either. Throws a DestinationError of kind `busy`. */
  lockAccounts(patience: number): Promise<void>;
}
