/** The names of tables and columns that Tab offers inside a query of `cb sql`. */
import { existsSync } from 'node:fs';
import { openSqliteQueries } from '../../workflows/sync/query/sqlite-queries.ts';
import { readArgv } from '../runtime/argv.ts';
import { contextFor } from '../runtime/command-context.ts';
import type { Context } from '../runtime/context.ts';
import { placeOfCopy } from '../sync/open-copy.ts';

/** Each line is the query so far with its last name completed; the shell keeps those that fit. None if there is no copy. */
export async function sqlLines(
  context: Context,
  words: readonly string[],
  typed: string,
): Promise<string[]> {
  const known = await namesIn(context, words, typed);
  const afterSchema = words.includes('.schema') || typed.startsWith('.schema ');
  if (words.includes('.schema')) return known.tables;
  if (typed.startsWith('.') && !afterSchema) return ['.tables', '.schema'];
  const last = /\w*$/.exec(typed)?.[0] ?? '';
  const before = typed.slice(0, typed.length - last.length);
  // After the alias of a table, as in `o.receipt`, there are only columns.
  const names = afterSchema
    ? known.tables
    : before.endsWith('.')
      ? known.columns
      : [...known.tables, ...known.columns];
  const fitting = names.filter((name) => name.startsWith(last.toLowerCase()));
  return [...new Set(fitting)].map((name) => `${before}${name}`);
}

/** Columns are those of the tables that the query names, if it names any yet. */
async function namesIn(context: Context, words: readonly string[], typed: string) {
  const { sandbox, profile } = readArgv(words);
  const flags = { sandbox, ...(profile && { profile }) };
  const at = words.indexOf('--database');
  const place = await placeOfCopy(contextFor({ context, code: 0 }, flags), words[at + 1 || -1]);
  if (place.kind !== 'sqlite' || !existsSync(place.file)) return { tables: [], columns: [] };
  const queries = await openSqliteQueries(place.file);
  try {
    const columns = (await queries.columns()).filter(({ table }) => !table.startsWith('sync_'));
    const named = columns.filter(({ table }) => new RegExp(`\\b${table}\\b`, 'i').test(typed));
    return {
      tables: [...new Set(columns.map(({ table }) => table))],
      columns: (named.length > 0 ? named : columns).map(({ column }) => column),
    };
  } finally {
    await queries.close();
  }
}
