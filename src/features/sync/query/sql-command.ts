/** `cb sql`: questions to the copy that `cb sync` makes. */
import { readFileSync } from 'node:fs';
import { text as textOf } from 'node:stream/consumers';
import { LosslessNumber } from 'lossless-json';
import { decimal, type Field, integer, resource, text } from '../../../operations/resource.ts';
import { distinctNames } from '../../../output/rows/columns.ts';
import type { Row, Value } from '../../../output/rows/rows.ts';
import { onePage, type Pages } from '../../../output/stream.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { command, repeatable } from '../../../shell/define.ts';
import { showPages } from '../../../shell/display/show.ts';
import type { View } from '../../../shell/display/view.ts';
import { usage } from '../../../shell/failure.ts';
import { pathOf } from '../../../shell/folders.ts';
import { mostAlike, nearest, suggest } from '../../../shell/options/nearest.ts';
import { codeOf, shownCode } from '../../../storage/files.ts';
import { errorFrom } from '../database/sqlite.ts';
import { placeOfCopy, sayingHow } from '../open-copy.ts';
import { openQueries } from './remote-queries.ts';
import {
  type Parameter,
  placeOf,
  type Queries,
  type Result,
  type ResultColumn,
  readStatement,
  type Statement,
  tokensOf,
} from './statement.ts';

/** Errors of SQL by their code. */
const ofDatabase = /^SQLITE_(?:ERROR|AUTH|READONLY|MISMATCH|TOOBIG|RANGE|CONSTRAINT)/;

/** Explains errors in the query or in the file; returns others unchanged. */
async function queryFailure(
  cause: unknown,
  sql: string,
  queries: ReturnType<typeof openQueries>,
): Promise<unknown> {
  if (!(cause instanceof Error) || !ofDatabase.test(codeOf(cause) ?? '')) {
    return errorFrom(cause, queries.label);
  }
  const { message } = cause;
  const tokens = tokensOf(sql);
  const tokenOf = (word: string) =>
    tokens.find(({ value }) => value.toLowerCase() === word.toLowerCase());
  const [, what, name] = /no such (table|column): (?:\w+\.)?(\S+)/.exec(message) ?? [];
  if (name !== undefined) {
    const all = await queries.relations();
    // The columns of the tables that the query names; of all tables if it names none.
    const named = all.filter((table) => tokenOf(table.name));
    const columns = (named.length > 0 ? named : all).flatMap((table) => table.columns);
    const known = [...new Set((what === 'table' ? all : columns).map((one) => one.name))];
    const alike = mostAlike(name, known, 3).join(', ');
    const others = alike === '' ? 'The database has no tables.' : `Similar names: ${alike}.`;
    const token = tokenOf(name);
    const place = token && sql.trimEnd().includes('\n') ? ` (${placeOf(sql, token.at)})` : '';
    const isQuoted = what === 'column' && token?.text.startsWith('"');
    return usage(`There is no ${what} ${name}${place}.`, {
      hint: isQuoted ? `Text needs single quotes: '${name}'.` : suggest(name, known, others),
      next: what === 'table' ? "cb sql '.tables'" : "cb sql '.schema'",
      cause,
    });
  }
  const [, at] = /near "([\s\S]*)": syntax error/.exec(message) ?? [];
  if (at !== undefined) {
    const tables = (await queries.relations()).map((table) => table.name);
    const near = nearest(at, tables);
    const token = tokens.find(({ text }) => text === at);
    const place = placeOf(sql, token?.at ?? Math.max(0, sql.indexOf(at)));
    return usage(`Invalid SQL at ${place}: near ${at}.`, {
      hint: near && `Did you mean ${near}?`,
      next: "cb sql '.tables'",
      cause,
    });
  }
  return usage(`The query failed: ${message}.`, { cause });
}

/** Reads the first page, because the types of computed columns show only in their values. */
async function viewOf({ columns, pages }: Result): Promise<{ view: View; pages: Pages }> {
  // The fields of a row are in order only if their names are no numbers.
  const nameOf = ({ name }: ResultColumn, i: number) =>
    /^\d*$/.test(name) ? `column_${i + 1}` : name;
  const names = distinctNames(columns.map(nameOf));
  const rowOf = (values: readonly unknown[]): Row =>
    Object.fromEntries(names.map((name, i) => [name, valueFrom(values[i])]));
  const iterator = pages[Symbol.asyncIterator]();
  const next = async (): Promise<Row[] | undefined> => (await iterator.next()).value?.map(rowOf);
  const first = await next();
  const fieldsOf = (name: string, i: number) => {
    const seen = first?.map((row) => row[name]) ?? [];
    return [name, { ...fieldOf(columns[i], seen), heading: name }];
  };
  const fields = Object.fromEntries(names.map(fieldsOf));
  async function* numbered(): Pages {
    let number = 1;
    for (let rows = first; rows; rows = await next()) {
      yield { number: number++, more: true, rows, totals: [] };
    }
  }
  return { view: { resource: resource('row', names, fields) }, pages: numbered() };
}

function fieldOf(column: ResultColumn | undefined, values: readonly Value[]): Field {
  const type = column?.type?.toLowerCase() ?? '';
  if (/^(?:integer|bigint|int)/.test(type)) return integer;
  if (/^(?:numeric|real|double|decimal)/.test(type)) return decimal;
  const present = values.filter((value) => value !== null);
  const isNumber = (value: Value) => typeof value === 'number' || value instanceof LosslessNumber;
  return type === '' && present.length > 0 && present.every(isNumber) ? decimal : text;
}

/** A blob is a literal of SQL, x'0102'. */
function valueFrom(value: unknown): Value {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : new LosslessNumber(String(value));
  }
  if (typeof value === 'number' && !Number.isFinite(value)) return value > 0 ? 'Inf' : '-Inf';
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  return (value ?? null) as Value;
}

/** The query as typed, from a file or from stdin; all words are values if there is a file. */
async function readSql(
  { context }: CommandContext,
  file: string | undefined,
  [query, ...values]: readonly string[],
) {
  if (file !== undefined) {
    const path = pathOf(context, file);
    try {
      const sql = readFileSync(path, 'utf8');
      return { sql, values: query === undefined ? [] : [query, ...values] };
    } catch (cause) {
      const hint = 'Use --file with a text file that has one query.';
      throw usage(`Can't read ${path} (${shownCode(cause)}).`, { hint, cause });
    }
  }
  if (query === '-') return { sql: await textOf(context.stdin), values };
  if (query !== undefined) return { sql: query, values };
  throw usage('The query is missing.', {
    hint: "Add one, such as 'select * from orders', or list the tables.",
    next: "cb sql '.tables'",
  });
}

/** `.tables`, and `.schema` with or without a table. */
async function describe(queries: Queries, typed: string): Promise<{ view: View; rows: Row[] }> {
  const [word, table, ...more] = typed.replaceAll(';', ' ').trim().split(/\s+/);
  const isTables = word === '.tables' && table === undefined;
  if (!isTables && (word !== '.schema' || more.length > 0)) {
    throw usage(`Invalid command '${typed}'.`, {
      hint: 'Use .tables, .schema or .schema with the name of a table.',
    });
  }
  const known = await queries.relations();
  const rows: Row[] = [];
  if (isTables) {
    for (const { name, kind, comment } of known) {
      // To count the rows of a view could take long.
      const count = kind === 'table' ? await countOf(queries, name) : null;
      rows.push({ name, kind, rows: count, meaning: comment });
    }
    return { view: tablesView, rows };
  }
  const names = known.map(({ name }) => name);
  if (table !== undefined && !names.includes(table)) {
    const hint = suggest(table, names, `Tables: ${names.join(', ')}.`);
    throw usage(`There is no table ${table}.`, { hint });
  }
  for (const { name, columns } of known) {
    if (table !== undefined && name !== table) continue;
    for (const { name: column, type, comment } of columns) {
      rows.push({ table: name, column, type, meaning: comment });
    }
  }
  return { view: schemaView, rows };
}

async function countOf(queries: Queries, table: string): Promise<number> {
  const statement = readStatement(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`);
  const { pages } = await queries.run(statement, []);
  for await (const [row] of pages) return Number(row?.[0]);
  return 0;
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
  const byName = new Map<string, string>();
  for (const typed of named) {
    const [, name, value] = /^[:@$]?(\w+)=(.*)$/s.exec(typed) ?? [];
    if (name === undefined || value === undefined) {
      const hint = 'Use a name and a value, as in day=today.';
      throw usage(`Invalid --param '${typed}'.`, { hint });
    }
    if (byName.has(name)) throw usage(`--param ${name} was given twice.`);
    byName.set(name, value);
  }
  const names = [...new Set(parameters.filter((one) => typeof one === 'string'))];
  const unused = [...byName.keys()].find((name) => !names.includes(name));
  if (unused !== undefined) {
    const known = names.map((name) => `:${name}`).join(', ');
    const others = known === '' ? `Write :${unused} in the query.` : `The query has ${known}.`;
    const hint = suggest(unused, names, others);
    throw usage(`--param ${unused} is not in the query.`, { hint });
  }
  const positions = Math.max(0, ...parameters.filter((one) => typeof one === 'number'));
  if (positional.length > positions) {
    throw usage(`The query has ${positions} ?, but ${positional.length} values were given.`, {
      hint: 'Quote the query as one word.',
    });
  }
  return parameters.map((parameter) => {
    const isPosition = typeof parameter === 'number';
    const typed = isPosition ? positional[parameter - 1] : byName.get(parameter);
    if (typed !== undefined) return parameterFrom(typed);
    const what = isPosition ? `? number ${parameter}` : `:${parameter}`;
    throw usage(`The value of ${what} is missing.`, {
      hint: isPosition ? 'Add it after the query.' : `Add --param ${parameter}=value.`,
    });
  });
}

export const sql = command({
  words: 'sql',
  args: {
    '[query]': 'One SELECT statement, .tables, .schema [table], or - for stdin',
    '[values...]': 'The values of ? in the query, in order',
  },
  options: {
    file: ['--file <file>', 'Read the SQL from a file'],
    database: ['--database <db>', 'File of the copy (default: the file of cb sync)'],
    param: ['--param <name=value>', 'The value of :name in the query; repeatable', repeatable],
  },
  shows: { rows: true },
  help: {
    notes: [
      'Reads from the copy made by cb sync. Queries are read-only. The SQL dialect is that of SQLite. For a copy in PostgreSQL, use psql.',
      'A value for ? or :name is a number if it looks like one, NULL if it is null, and text otherwise.',
    ],
    examples: [
      "cb sql '.tables'",
      "cb sql '.schema orders'",
      "cb sql 'select country, round(sum(net), 2) as net from payments group by 1'",
      "cb sql 'select product, round(sum(net), 2) as net from sales_by_day_and_product group by 1'",
      "cb sql 'select receipt from orders where email = :email' --param email=ada.sample@example.com",
    ],
    obeys: ['--profile', '--sandbox'],
    topics: ['output', 'exit-codes'],
  },
  async run(cmd, { file, database, param = [], query, values: more = [] }, output) {
    const other = cmd.flags.tz === undefined ? output.dates && '--dates' : '--tz';
    if (other) {
      const hint = "Times are in UTC. For others, select datetime(transaction_time, '+1 hour').";
      throw usage(`${other} can't be used here: the query sets the format of times.`, { hint });
    }
    const { sql, values } = await readSql(cmd, file, query === undefined ? [] : [query, ...more]);
    const place = await placeOfCopy(cmd, database);
    if (place.kind !== 'sqlite') {
      throw usage('cb sql reads only SQLite files.', { hint: 'Use psql for PostgreSQL.' });
    }
    const { signal, startQueries: start } = cmd.context;
    const open = async () => openQueries({ file: place.file, signal, start });
    const queries = await sayingHow(place, open());
    try {
      if (sql.trimStart().startsWith('.')) {
        const { view, rows } = await describe(queries, [sql, ...values].join(' '));
        return await showPages(cmd, output, view, onePage(rows));
      }
      const statement = readStatement(sql);
      const result = await queries.run(statement, valuesFor(statement, values, param));
      const { pages, view } = await viewOf(result);
      await showPages(cmd, output, view, pages);
    } catch (error) {
      throw await queryFailure(error, sql, queries);
    } finally {
      await queries.close();
    }
  },
});
