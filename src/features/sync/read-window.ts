/** Reads one window of a source and commits it, or leaves the copy as it was. */
import { ApiError } from '../../client/errors.ts';
import { type Day, daysFrom } from '../../dates/day.ts';
import type { Completed, Destination, Emptied, ListState, WindowWriter } from './destination.ts';
import { rowMaker } from './tables/rows.ts';
import {
  type AccountReader,
  type DatedSource,
  type Days,
  halvesOf,
  type Part,
  type RowPages,
  type ServiceRow,
  type Source,
  type WholeSource,
} from './tables/table.ts';

export interface WindowContext {
  readonly account: string;
  readonly reader: AccountReader;
  readonly destination: Destination;
  /** The time of the service. */
  now(): Date;
  /** Whether the personal data of a row is left out. */
  isAnonymous(row: ServiceRow): boolean;
  /** Called after each page with the number of its rows. */
  onRows(rows: number): void;
  /** Called for a window that was committed although the service counts other rows than it lists. */
  onMismatch(days: Days, error: Error): void;
}

/** The service counts other rows than it lists. */
class CountMismatch extends Error {
  override readonly name = 'CountMismatch';

  constructor(counted: number, listed: number) {
    super(`ClickBank counts ${counted} rows but lists ${listed}`);
  }
}

/** A list is suddenly empty, which is more likely an error of the service than the truth. Its rows stay. */
class ListEmptied extends Error {
  override readonly name = 'ListEmptied';
}

/** New rows may arrive between the count and the end of the list, and rows may move between pages, so both are tried again. */
const attempts = 3;

interface Expected {
  /** Rows that the days had when they were last read; 0 if they never were. */
  readonly before: number;
  /** Estimated rows, which bound prefetching. */
  readonly rows: number;
}

/**
 * Replaces the rows of some days. Returns the number of rows by day. If the service always counts and lists the same two
 * different numbers, the listed rows are taken, unless the copy has more of them. Days whose rows always move between pages are read in two parts. Throws
 * CountMismatch, ListEmptied or an ApiError.
 */
export async function readDays(
  context: WindowContext,
  source: DatedSource,
  days: Days,
  expected: Expected,
): Promise<ReadonlyMap<Day, number>> {
  const mismatches: CountMismatch[] = [];
  for (let attempt = 1; ; attempt++) {
    const counted = await source.count?.(context.reader, days);
    const rowsByDay = new Map(daysFrom(days.first, days.last).map((day) => [day, 0]));
    let before: Day | undefined;
    const place = (row: ServiceRow) => {
      // Lists are in the order of time, so a row without one is of the day of the row before it.
      const day = dayWithin(source.dayOf(row) ?? before, days);
      before = day;
      rowsByDay.set(day, (rowsByDay.get(day) ?? 0) + 1);
      return day;
    };
    const pages = source.read(context.reader, { days, expected: counted ?? expected.rows });
    let mismatch: CountMismatch | undefined;
    try {
      await collect(context, source, pages, place, async (writer, syncedAt, listed) => {
        if (counted !== undefined && counted !== listed) {
          mismatch = new CountMismatch(counted, listed);
          mismatches.push(mismatch);
          const rows = [...rowsByDay.values()].reduce((sum, one) => sum + one, 0);
          const isLess = rows === 0 || rows < expected.before;
          const isStable =
            mismatches.length === attempts && new Set(mismatches.map(String)).size === 1;
          if (isLess || !isStable) throw mismatch;
        }
        if (counted === undefined && listed === 0 && expected.before > 0) {
          throw new ListEmptied(
            `ClickBank lists nothing, but the copy has ${expected.before} rows of these days`,
          );
        }
        await writer.commit({ extent: days, syncedAt, rowsByDay, ...whoseOf(context.reader) });
      });
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      const hasMoved = code === 'shifted-rows' || code === 'missing-rows';
      if (!hasMoved && error !== mismatch) throw error;
      if (attempt < attempts) continue;
      if (!hasMoved || days.first === days.last) throw error;
      const half = { before: 0, rows: Math.ceil(expected.rows / 2) };
      const [later, earlier] = halvesOf(days);
      return new Map([
        ...(await readDays(context, source, later, half)),
        ...(await readDays(context, source, earlier, half)),
      ]);
    }
    if (mismatch) context.onMismatch(days, mismatch);
    return rowsByDay;
  }
}

/** A row without a time, or with one of another day, belongs to the window that listed it. */
function dayWithin(day: Day | undefined, { first, last }: Days): Day {
  if (day === undefined || day < first) return first;
  return day > last ? last : day;
}

/** Replaces rows of any day that changed in these days. */
export async function readChanges(
  context: WindowContext,
  source: DatedSource,
  days: Days,
): Promise<void> {
  const pages = source.readChanges?.(context.reader, days);
  if (!pages) return;
  const place = (row: ServiceRow) => source.dayOf(row) ?? days.first;
  await collect(context, source, pages, place, (writer, syncedAt) =>
    writer.commit({
      ...{ extent: 'changes', syncedAt, rowsByDay: new Map() },
      ...whoseOf(context.reader),
    }),
  );
}

/** Whose rows are replaced. */
function whoseOf({
  nicknames,
  isPartial = false,
}: AccountReader): Pick<Completed, 'nicknames' | 'isPartial'> {
  return { nicknames, isPartial };
}

/** A part that stays empty for so long, in milliseconds, has no rows: the third of three nightly runs agrees. */
const emptyFor = 40 * 3_600_000;

/** Replaces all rows of a source. Throws ListEmptied, after the commit, if a part is suddenly empty: its rows stay. */
export async function readWhole(
  context: WindowContext,
  source: WholeSource,
  before: ListState | undefined,
): Promise<void> {
  const emptied = new Map<Part, string>();
  const pages = nonEmptyParts(context, source, before?.emptied ?? {}, emptied);
  await collect(
    context,
    source,
    pages,
    () => '',
    (writer, syncedAt) =>
      writer.commit({
        ...{ extent: 'whole', syncedAt, rowsByDay: new Map(), emptied },
        ...whoseOf(context.reader),
      }),
  );
  if (emptied.size === 0) return;
  const names = [...emptied.keys()].map(textOf).join(', ');
  throw new ListEmptied(`ClickBank lists none of ${names}, but the copy has some`);
}

/** As in `SHOP VENDOR`. */
export function textOf({ nickname, role }: Part): string {
  return role === undefined ? nickname : `${nickname} ${role}`;
}

/** Reads a part again that is empty although the copy has rows of it. Adds it to `emptied` if it stays empty. */
async function* nonEmptyParts(
  { account, destination, reader, now }: WindowContext,
  source: WholeSource,
  emptyBefore: Emptied,
  emptied: Map<Part, string>,
): RowPages {
  for (const part of reader.nicknames.flatMap(source.partsOf)) {
    let held = 0;
    for (let attempt = 1; attempt === 1 || (held > 0 && attempt <= attempts); attempt++) {
      let rows = 0;
      for await (const page of source.read(reader, part)) {
        rows += page.rows.length;
        yield page;
      }
      held = rows > 0 ? 0 : await destination.rowsOf(account, source, part);
    }
    const since = emptyBefore[textOf(part)] ?? now().toISOString();
    if (held > 0 && now().getTime() - Date.parse(since) < emptyFor) emptied.set(part, since);
  }
}

async function collect(
  { account, reader, destination, now, isAnonymous, onRows }: WindowContext,
  source: Source,
  pages: RowPages,
  dayOf: (row: ServiceRow) => Day,
  commit: (writer: WindowWriter, syncedAt: string, rows: number) => Promise<void>,
): Promise<void> {
  // The time before the first request: what changes afterwards is read again.
  const syncedAt = now()
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');
  const make = rowMaker(source, { account, syncedAt, isAnonymous });
  const writer = await destination.begin(account, source);
  let listed = 0;
  try {
    for await (const { rows, isExtra } of pages) {
      reader.signal.throwIfAborted();
      await writer.write(make(rows.map((row) => ({ row, day: dayOf(row) }))));
      if (!isExtra) listed += rows.length;
      onRows(rows.length);
    }
    await commit(writer, syncedAt, listed);
  } catch (error) {
    await writer.discard().catch(() => undefined);
    throw error;
  }
}
