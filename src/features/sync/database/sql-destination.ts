/** The destination of a sync in a database: rows are collected in temporary tables and replaced in one transaction. */
import type { Day } from '../../../dates/day.ts';
import type {
  AccountState,
  Completed,
  DayState,
  Destination,
  ListState,
  Sql,
  SqlReader,
  WindowWriter,
} from '../destination.ts';
import { textOf } from '../read-window.ts';
import { type Cell, columnsOf, type Part, type Source, type Table } from '../tables/table.ts';
import { discardKept } from '../views/view.ts';

/** Rows that are collected before they are sent to the database. */
const rowsAtOnce = 1000;

/** `sql` has the schema of this cb and holds its lock. */
export function sqlDestination(sql: Sql): Destination {
  const stages = new Map<string, Stage>();
  return {
    state: (account) => stateOf(sql, account),
    async begin(account, source) {
      const own: Stage[] = [];
      for (const table of source.tables) own.push(await stageFor(sql, table, stages));
      for (const stage of own) await stage.clear();
      return writerOf(sql, account, source, own);
    },
    async rowsOf(account, source, part) {
      const { text, values } = ofPart(source, part);
      const [row] = await sql.query<{ rows: unknown }>(
        `SELECT count(*) AS rows FROM ${source.name} WHERE account = ? AND ${text}`,
        [account, ...values],
      );
      return Number(row?.rows ?? 0);
    },
    close: () => sql.close(),
  };
}

/** A temporary table with the rows of a window, and the rows that are still to be sent to it. */
interface Stage {
  readonly name: string;
  readonly table: Table;
  add(rows: readonly (readonly Cell[])[]): Promise<void>;
  flush(): Promise<void>;
  clear(): Promise<void>;
}

async function stageFor(sql: Sql, table: Table, stages: Map<string, Stage>): Promise<Stage> {
  const known = stages.get(table.name);
  if (known) return known;
  const name = `stage_${table.name}`;
  await sql.query(
    `CREATE TEMPORARY TABLE ${name} AS SELECT ${namesOf(table)} FROM ${table.name} LIMIT 0`,
  );
  const stage = stageOf(sql, table, name);
  stages.set(table.name, stage);
  return stage;
}

function stageOf(sql: Sql, table: Table, name: string): Stage {
  const columns = columnsOf(table);
  let waiting: (readonly Cell[])[] = [];
  let isEmpty = true;
  // PostgreSQL would keep deleted rows in the file, and read over them.
  const clear = sql.dialect === 'postgres' ? `TRUNCATE ${name}` : `DELETE FROM ${name}`;
  const flush = async () => {
    if (waiting.length === 0) return;
    const rows = waiting;
    waiting = [];
    isEmpty = false;
    await sql.load(name, columns, rows);
  };
  return {
    ...{ name, table, flush },
    async add(rows) {
      waiting = waiting.concat(rows);
      if (waiting.length >= rowsAtOnce) await flush();
    },
    async clear() {
      waiting = [];
      if (isEmpty) return;
      await sql.query(clear);
      isEmpty = true;
    },
  };
}

function namesOf(table: Table): string {
  return columnsOf(table)
    .map(({ name }) => name)
    .join(', ');
}

function writerOf(
  sql: Sql,
  account: string,
  source: Source,
  stages: readonly Stage[],
): WindowWriter {
  const clear = async () => {
    for (const stage of stages) await stage.clear();
  };
  return {
    async write(rows) {
      for (const stage of stages) await stage.add(rows.get(stage.table.name) ?? []);
    },
    async commit(completed) {
      for (const stage of stages) await stage.flush();
      await sql.transaction(async () => {
        for (const stage of stages) await replace(sql, account, source, stage, completed);
        await storeState(sql, account, source, completed);
        await discardKept(sql);
      });
      await clear();
    },
    discard: clear,
  };
}

interface Condition {
  readonly text: string;
  readonly values: readonly string[];
}

const every: Condition = { text: '1 = 1', values: [] };

function ofPart({ owner }: Source, { nickname, role }: Part): Condition {
  const text = `upper(${owner}) = ?${role ? ' AND role = ?' : ''}`;
  return { text, values: [nickname.toUpperCase(), ...(role ? [role] : [])] };
}

/** The rows that a reading replaces: never those of nicknames or parts that it did not read. */
function replaced(source: Source, { nicknames, isPartial, emptied }: Completed): Condition {
  const { owner } = source;
  if (isPartial && !owner) return { text: '1 = 0', values: [] };
  const own = isPartial
    ? {
        text: `upper(${owner}) IN (${nicknames.map(() => '?').join(', ')})`,
        values: nicknames.map((name) => name.toUpperCase()),
      }
    : every;
  const kept = [...(emptied?.keys() ?? [])].map((part) => ofPart(source, part));
  return {
    text: [own.text, ...kept.map(({ text }) => `NOT (${text})`)].join(' AND '),
    values: [...own.values, ...kept.flatMap(({ values }) => values)],
  };
}

/** Rows with an identity that was read are replaced wherever they are, so that none is ever there twice. */
async function replace(
  sql: Sql,
  account: string,
  source: Source,
  { name: stage, table }: Stage,
  completed: Completed,
): Promise<void> {
  const { identity, tables } = source;
  const { extent } = completed;
  const { name, day } = table;
  const own = replaced(source, completed);
  const remove = ({ text, values }: Condition, { text: also, values: more }: Condition) =>
    sql.query(`DELETE FROM ${name} WHERE account = ? AND ${text} AND ${also}`, [
      account,
      ...values,
      ...more,
    ]);
  if (extent === 'whole') await remove(every, own);
  else if (extent !== 'changes') {
    await remove({ text: `${day} BETWEEN ? AND ?`, values: [extent.first, extent.last] }, own);
  }
  const isRead = `${identity} IN (SELECT ${identity} FROM stage_${tables[0].name})`;
  // Several nicknames have rows of a day.
  await remove({ text: isRead, values: [] }, identity === day ? own : every);
  const names = namesOf(table);
  await sql.query(`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${stage}`);
}

async function storeState(
  sql: Sql,
  account: string,
  { name }: Source,
  { extent, syncedAt, rowsByDay, nicknames, emptied }: Completed,
): Promise<void> {
  const readWith = JSON.stringify(nicknames);
  if (extent === 'whole' || extent === 'changes') {
    await sql.query('DELETE FROM sync_reads WHERE account = ? AND source = ?', [account, name]);
    const since = [...(emptied ?? [])].map(([part, time]) => [textOf(part), time]);
    await sql.query(
      'INSERT INTO sync_reads (account, source, synced_at, nicknames, emptied) VALUES (?, ?, ?, ?, ?)',
      [account, name, syncedAt, readWith, JSON.stringify(Object.fromEntries(since))],
    );
    return;
  }
  const { first, last } = extent;
  const where = 'account = ? AND source = ? AND day BETWEEN ? AND ?';
  await sql.query(`DELETE FROM sync_days WHERE ${where}`, [account, name, first, last]);
  const insert =
    'INSERT INTO sync_days (account, source, day, row_count, synced_at, nicknames) VALUES (?, ?, ?, ?, ?, ?)';
  for (const [day, rows] of rowsByDay) {
    await sql.query(insert, [account, name, day, rows, syncedAt, readWith]);
  }
}

interface StoredState {
  readonly source: string;
  readonly synced_at: string;
  /** Missing in copies of earlier versions. */
  readonly nicknames?: string | null;
}

/** What a copy knows of an account. */
export async function stateOf(sql: SqlReader, account: string): Promise<AccountState> {
  const stored = <R>(table: string) =>
    sql.query<R & StoredState>(`SELECT * FROM ${table} WHERE account = ?`, [account]);
  const [own] = await stored<object>('sync_accounts');
  const readWith = ({ nicknames }: StoredState): readonly string[] =>
    JSON.parse(nicknames ?? own?.nicknames ?? '[]');
  const days = new Map<string, Map<Day, DayState>>();
  for (const row of await stored<{ day: Day; row_count: unknown }>('sync_days')) {
    const { source, day, row_count: rows, synced_at: syncedAt } = row;
    const known = days.get(source) ?? new Map<Day, DayState>();
    known.set(day, { day, rows: Number(rows), syncedAt, nicknames: readWith(row) });
    days.set(source, known);
  }
  const lists = new Map<string, ListState>();
  for (const row of await stored<{ emptied?: string | null }>('sync_reads')) {
    const emptied = JSON.parse(row.emptied ?? '{}');
    lists.set(row.source, { syncedAt: row.synced_at, nicknames: readWith(row), emptied });
  }
  return { days, lists };
}
