/** Runs `cb sql`: one statement on the copy, or a list of its tables. */
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { integer, resource, text } from '../../operations/resource.ts';
import type { Row } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import { openQueries } from '../../workflows/sync/query/remote-queries.ts';
import {
  type Parameter,
  type Queries,
  readStatement,
  type Statement,
} from '../../workflows/sync/query/statement.ts';
import { showPages } from '../display/show.ts';
import type { View } from '../display/view.ts';
import { nearest } from '../flags/nearest.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { pathOf } from '../runtime/folders.ts';
import { namingFile, placeOfCopy } from '../sync/open-copy.ts';
import { pagesOf, queryFailure, unreadableFile, viewOf } from './query-failure.ts';

interface SqlFlags {
  readonly file?: string;
  readonly database?: string;
  readonly param?: readonly string[];
}

interface Words {
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
  if (query === '-') return { sql: await textOf(cmd.context.stdin), values };
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
      const statement = readStatement(sql);
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

const tablesView: View = {
  resource: resource('table', ['name', 'rows', 'meaning'], {
    ...{ name: text, kind: text, rows: integer, meaning: text },
  }),
};

const schemaView: View = {
  resource: resource('column', ['table', 'column', 'type', 'meaning'], {
    ...{ table: text, column: text, type: text, meaning: text },
  }),
};

/** Tables and views; the tables have the number of their rows, which for a view could take long. */
async function tableRows(queries: Queries): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { name, kind, comment } of await queries.relations()) {
    const count = kind === 'table' ? await countOf(queries, name) : null;
    rows.push({ name, kind, rows: count, meaning: comment });
  }
  return rows;
}

async function countOf(queries: Queries, table: string): Promise<number> {
  const name = `"${table.replaceAll('"', '""')}"`;
  const statement = readStatement(`SELECT count(*) FROM ${name}`);
  const { pages } = await queries.run(statement, []);
  for await (const [row] of pages) return Number(row?.[0]);
  return 0;
}

async function schemaRows(queries: Queries, table?: string): Promise<readonly Row[]> {
  const columns = await queries.columns();
  const chosen = columns.filter((one) => table === undefined || one.table === table);
  if (table !== undefined && chosen.length === 0) {
    const known = [...new Set(columns.map((one) => one.table))];
    const near = nearest(table, known);
    throw usage(`There is no table ${table}.`, {
      hint: near ? `Did you mean ${near}?` : `Tables: ${known.join(', ')}.`,
    });
  }
  return chosen.map(({ table, column, type, comment }) => ({
    ...{ table, column, type, meaning: comment },
  }));
}

const integerForm = /^-?(?:0|[1-9]\d{0,17})$/;
const decimalForm = /^-?(?:0|[1-9]\d*)\.\d+$/;

/** Other numbers, such as 007 and 1E5, are IDs, which are text. */
function parameterFrom(typed: string): Parameter {
  if (typed === 'null') return null;
  if (integerForm.test(typed)) return BigInt(typed);
  return decimalForm.test(typed) ? Number(typed) : typed;
}

/** Returns a value for each question mark of the statement. Throws a usage failure if a value is missing or not used. */
function valuesFor(
  { parameters }: Statement,
  positional: readonly string[],
  named: readonly string[],
): readonly Parameter[] {
  const byName = new Map(named.map(pairFrom));
  const names = [...new Set(parameters.filter((one) => typeof one === 'string'))];
  const unused = [...byName.keys()].find((name) => !names.includes(name));
  if (unused !== undefined) {
    const near = nearest(unused, names);
    const known = names.map((name) => `:${name}`).join(', ');
    throw usage(`--param ${unused} is not in the query.`, {
      hint: near
        ? `Did you mean ${near}?`
        : known === ''
          ? `Write :${unused} in the query.`
          : `The query has ${known}.`,
    });
  }
  const positions = Math.max(0, ...parameters.filter((one) => typeof one === 'number'));
  if (positional.length > positions) {
    throw usage(`The query has ${positions} ?, but ${positional.length} values were given.`, {
      hint: 'Quote the query as one word.',
    });
  }
  return parameters.map((parameter) => {
    const typed = typeof parameter === 'number' ? positional[parameter - 1] : byName.get(parameter);
    if (typed !== undefined) return parameterFrom(typed);
    if (typeof parameter === 'number') {
      throw usage(`The value of ? number ${parameter} is missing.`, {
        hint: 'Add it after the query.',
      });
    }
    throw usage(`The value of :${parameter} is missing.`, {
      hint: `Add --param ${parameter}=value.`,
    });
  });
}

function pairFrom(typed: string): readonly [string, string] {
  const [, name, value] = /^[:@$]?(\w+)=(.*)$/s.exec(typed) ?? [];
  if (name === undefined || value === undefined) {
    throw usage(`Invalid --param '${typed}'.`, {
      hint: 'Use a name and a value, as in day=today.',
    });
  }
  return [name, value];
}
