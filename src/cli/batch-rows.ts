/** The rows of a table as the arguments of writes, and what is wrong with them. */
import type { Arguments, Operation } from '../operations/operation.ts';
import { type Columns, typedFrom } from './batch-columns.ts';
import type { Day } from './dates.ts';
import { flagName, readArguments, type Typed } from './flags.ts';
import type { InputRow, InputTable } from './table-input.ts';

/** One write. */
export interface Entry {
  readonly line: number;
  readonly args: Arguments;
  /** Writes with the same key are done one after the other. */
  readonly key: string;
}

export interface BadRow {
  readonly line: number;
  readonly key: string;
  readonly why: string;
}

export interface Rows {
  readonly entries: readonly Entry[];
  readonly bad: readonly BadRow[];
  readonly notes: readonly string[];
}

/** Holds every row against the catalogue; two equal rows are wrong both. */
export function readRows(
  operation: Operation,
  table: InputTable,
  columns: Columns,
  defaults: Typed,
  { today, allowDuplicate }: { readonly today: Day; readonly allowDuplicate: boolean },
): Rows {
  const entries: Entry[] = [];
  const bad: BadRow[] = [];
  const notes = new Set<string>();
  for (const row of table.rows) {
    const typed = typedFrom(operation, columns, row, defaults);
    const key = String(typed.receipt ?? '');
    const { args, problems, missing, notes: said } = readArguments(operation, typed, today);
    const missed = missing.map((name) => `${flagName(operation, name)} is missing`);
    const why = [...widthProblem(row, table), ...missed, ...problems];
    if (why.length > 0) bad.push({ line: row.line, key, why: why.join('; ') });
    else entries.push({ line: row.line, key, args: args as Arguments });
    for (const one of said) notes.add(one);
  }
  const twins = allowDuplicate ? [] : equalRows(entries);
  const lines = new Set(twins.map(({ line }) => line));
  return {
    entries: entries.filter(({ line }) => !lines.has(line)),
    bad: [...bad, ...twins].sort((a, b) => a.line - b.line),
    notes: [...notes],
  };
}

function widthProblem({ cells }: InputRow, { header }: InputTable): string[] {
  if (cells.length === header.length) return [];
  return [`it has ${cells.length} cells, and the header ${header.length}`];
}

function equalRows(entries: readonly Entry[]): BadRow[] {
  return [...groupedBy(entries).values()]
    .filter((group) => group.length > 1)
    .flatMap((group) =>
      group.map(({ line, key }) => {
        const others = group.filter((one) => one.line !== line).map((one) => one.line);
        return { line, key, why: `the same as line ${others.join(', ')}` };
      }),
    );
}

function textOf({ args }: Entry): string {
  return JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function groupedBy(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const text = textOf(entry);
    groups.set(text, [...(groups.get(text) ?? []), entry]);
  }
  return groups;
}
