/** Runs `cb sql`: one statement on the copy, or a list of its tables. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import type { Row } from '../../output/rows/rows.ts';
import type { Queries } from '../../workflows/sync/query/queries.ts';
import { openQueries } from '../../workflows/sync/query/remote-queries.ts';
import { readStatement } from '../../workflows/sync/query/statement.ts';
import { onePage, showPages } from '../display/show.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import { namingFile, placeOfCopy } from '../sync/open-copy.ts';
import { valuesFor } from './parameters.ts';
import { queryFailure, unreadableFile } from './query-failure.ts';
import { pagesOf, viewOf } from './result-rows.ts';
import { schemaRows, schemaView, tableRows, tablesView } from './table-list.ts';

export interface SqlFlags {
  readonly file?: string;
  readonly database?: string;
  readonly param?: readonly string[];
}

export interface Words {
  readonly query: string | undefined;
  readonly values: readonly string[];
}

export async function runSql(
  cmd: CommandContext,
  flags: SqlFlags,
  output: OutputOptions,
  words: Words,
): Promise<void> {
  const { sql, values } = await sqlFrom(cmd, flags, words);
  const queries = await openCopy(cmd, flags.database);
  try {
    if (sql.trimStart().startsWith('.')) await describe(cmd, output, queries, [sql, ...values]);
    else await runQuery(cmd, output, queries, { sql, values, named: flags.param ?? [] });
  } finally {
    await queries.close();
  }
}

/** The query as typed, from a file or from stdin; all words are values if there is a file. */
async function sqlFrom(cmd: CommandContext, { file }: SqlFlags, { query, values }: Words) {
  if (file !== undefined) {
    const path = pathOf(cmd.context, file);
    const positional = [...(query === undefined ? [] : [query]), ...values];
    return { sql: contentOf(path), values: positional };
  }
  if (query === '-') return { sql: await text(cmd.context.stdin), values };
  if (query === undefined) {
    throw usage('The query is missing.', {
      hint: "Add one, such as 'select * from orders', or list the tables.",
      next: "cb sql '.tables'",
    });
  }
  return { sql: query, values };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

async function openCopy(cmd: CommandContext, typed: string | undefined): Promise<Queries> {
  const place = await placeOfCopy(cmd, typed);
  if (place.kind === 'sqlite') {
    const { signal, startQueries } = cmd.context;
    const { file } = place;
    const options = { file, signal, start: startQueries };
    return namingFile(place, (async () => openQueries(options))());
  }
  throw usage('cb sql reads only SQLite files.', { hint: 'Use psql for PostgreSQL.' });
}

interface Asked {
  readonly sql: string;
  readonly values: readonly string[];
  readonly named: readonly string[];
}

async function runQuery(
  cmd: CommandContext,
  output: OutputOptions,
  queries: Queries,
  { sql, values, named }: Asked,
): Promise<void> {
  const explained = <T>(work: Promise<T>) =>
    work.catch(async (error) => {
      throw await queryFailure(error, sql, queries);
    });
  await explained(
    (async () => {
      const statement = readStatement(sql, queries.dialect);
      const result = await queries.run(statement, valuesFor(statement, values, named));
      const { pages, view } = await viewOf(result);
      await showPages(cmd, output, view, pagesOf(pages));
    })(),
  );
}

/** `.tables`, and `.schema` with or without a table. */
async function describe(
  cmd: CommandContext,
  output: OutputOptions,
  queries: Queries,
  typed: readonly string[],
): Promise<void> {
  const [word = '', ...names] = typed.join(' ').replaceAll(';', ' ').trim().split(/\s+/);
  let rows: readonly Row[];
  if (word === '.tables' && names.length === 0) rows = await tableRows(queries);
  else if (word === '.schema' && names.length < 2) rows = await schemaRows(queries, names[0]);
  else {
    throw usage(`Invalid command '${typed.join(' ')}'.`, {
      hint: 'Use .tables, .schema or .schema with the name of a table.',
    });
  }
  await showPages(cmd, output, word === '.tables' ? tablesView : schemaView, onePage(rows));
}
