/**
 * The destination of a sync that writes Singer messages. A window is written when it is complete: its records, then the state
 * that says so. A window that fails writes nothing.
 */
import type { Completed, Destination, TableRows, WindowWriter } from '../destination.ts';
import type { Source } from '../tables/source.ts';
import type { Cell } from '../tables/table.ts';
import {
  dayStream,
  readStream,
  recordMessage,
  type Stream,
  schemaMessage,
  stateMessage,
  streamOf,
} from './messages.ts';
import { accountStateIn, type StateValue, withDays, withRead } from './state.ts';

export interface SingerOutput {
  /** Writes whole lines. Resolves when the reader has taken them. */
  write(lines: string): Promise<void>;
}

/** Lines that are written at once. */
const linesAtOnce = 1000;

/** `initial` must have the accounts that are synced. */
export function singerDestination(initial: StateValue, { write }: SingerOutput): Destination {
  let value = initial;
  const announced = new Set<string>();
  const announce = (stream: Stream): readonly string[] => {
    if (announced.has(stream.name)) return [];
    announced.add(stream.name);
    return [schemaMessage(stream)];
  };
  const writeLines = async (lines: readonly string[]) => {
    for (let at = 0; at < lines.length; at += linesAtOnce) {
      await write(`${lines.slice(at, at + linesAtOnce).join('\n')}\n`);
    }
  };
  return {
    state: async (account) => accountStateIn(value, account),
    async begin(account, source): Promise<WindowWriter> {
      const records = collector(source);
      return {
        write: async (rows) => records.add(rows),
        async commit(completed) {
          value = stateAfter(value, account, source, completed);
          const { stream, cells } = extentRecords(account, source, completed);
          await writeLines([
            ...[...source.tables.map(streamOf), stream].flatMap(announce),
            ...records.lines(),
            ...cells.map((one) => recordMessage(stream, one)),
            stateMessage(value),
          ]);
        },
        discard: async () => records.clear(),
      };
    },
    // The rows are in the target.
    rowsOf: async () => 0,
    close: async () => undefined,
  };
}

/** Keeps the records of a window as lines, by table. */
function collector({ tables }: Source) {
  const streams = tables.map(streamOf);
  const kept = new Map<string, string[]>(streams.map(({ name }) => [name, []]));
  return {
    add(rows: TableRows) {
      for (const stream of streams) {
        const cells = rows.get(stream.name) ?? [];
        kept.get(stream.name)?.push(...cells.map((one) => recordMessage(stream, one)));
      }
    },
    lines: () => streams.flatMap(({ name }) => kept.get(name) ?? []),
    clear: () => kept.clear(),
  };
}

function stateAfter(
  value: StateValue,
  account: string,
  { name }: Source,
  { extent, syncedAt, rowsByDay }: Completed,
): StateValue {
  if (extent === 'whole' || extent === 'changes') return withRead(value, account, name, syncedAt);
  const read = [...rowsByDay].map(([day, rows]) => [day, [syncedAt, rows] as const]);
  return withDays(value, account, name, Object.fromEntries(read));
}

/** Singer has no message for deletions, so records say what was replaced. */
function extentRecords(
  account: string,
  { name }: Source,
  { extent, syncedAt, rowsByDay }: Completed,
): { readonly stream: Stream; readonly cells: readonly (readonly Cell[])[] } {
  if (extent === 'whole') return { stream: readStream, cells: [[account, name, syncedAt]] };
  const days = extent === 'changes' ? [] : [...rowsByDay];
  return {
    stream: dayStream,
    cells: days.map(([day, rows]) => [account, name, day, rows, syncedAt]),
  };
}
