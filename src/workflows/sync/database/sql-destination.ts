/** The destination of a sync in a database: rows are collected in temporary tables and replaced in one transaction. */
import type { Day } from '../../../dates/day.ts';
import type {
  AccountState,
  Completed,
  DayState,
  Destination,
  Extent,
  WindowWriter,
} from '../destination.ts';
import { columnsOf } from '../tables/row-columns.ts';
import type { Source } from '../tables/source.ts';
import type { Cell, Table } from '../tables/table.ts';
import { discardKept } from '../views/kept-views.ts';
import type { Sql, SqlReader } from './sql.ts';

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
        for (const stage of stages) await replace(sql, account, source, stage, completed.extent);
        await storeState(sql, account, source, completed);
        await discardKept(sql);
      });
      await clear();
    },
    discard: clear,
  };
}

/** Rows with an identity that was read are replaced wherever they are, so that none is ever there twice. */
async function replace(
  sql: Sql,
  account: string,
  { identity, tables: [main] }: Source,
  { name: stage, table }: Stage,
  extent: Extent,
): Promise<void> {
  const { name, day } = table;
  if (extent === 'whole') {
    await sql.query(`DELETE FROM ${name} WHERE account = ?`, [account]);
  } else {
    if (extent !== 'changes') {
      const days = [account, extent.first, extent.last];
      await sql.query(`DELETE FROM ${name} WHERE account = ? AND ${day} BETWEEN ? AND ?`, days);
    }
    await sql.query(
      `DELETE FROM ${name} WHERE account = ? AND ${identity} IN (SELECT ${identity} FROM stage_${main.name})`,
      [account],
    );
  }
  const names = namesOf(table);
  await sql.query(`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${stage}`);
}

async function storeState(
  sql: Sql,
  account: string,
  { name }: Source,
  { extent, syncedAt, rowsByDay }: Completed,
): Promise<void> {
  if (extent === 'whole' || extent === 'changes') {
    await sql.query('DELETE FROM sync_reads WHERE account = ? AND source = ?', [account, name]);
    const values = [account, name, syncedAt];
    await sql.query('INSERT INTO sync_reads (account, source, synced_at) VALUES (?, ?, ?)', values);
    return;
  }
  const { first, last } = extent;
  const where = 'account = ? AND source = ? AND day BETWEEN ? AND ?';
  await sql.query(`DELETE FROM sync_days WHERE ${where}`, [account, name, first, last]);
  const insert =
    'INSERT INTO sync_days (account, source, day, row_count, synced_at) VALUES (?, ?, ?, ?, ?)';
  for (const [day, rows] of rowsByDay) {
    await sql.query(insert, [account, name, day, rows, syncedAt]);
  }
}

/** What a copy knows of an account. */
export async function stateOf(sql: SqlReader, account: string): Promise<AccountState> {
  const days = new Map<string, Map<Day, DayState>>();
  const found = await sql.query<{ source: string; day: Day; rows: number; at: string }>(
    `SELECT source, day, row_count AS rows, synced_at AS at FROM sync_days WHERE account = ?`,
    [account],
  );
  for (const { source, day, rows, at } of found) {
    const known = days.get(source) ?? new Map<Day, DayState>();
    known.set(day, { day, rows: Number(rows), syncedAt: at });
    days.set(source, known);
  }
  const reads = await sql.query<{ source: string; at: string }>(
    `SELECT source, synced_at AS at FROM sync_reads WHERE account = ?`,
    [account],
  );
  return { days, readAt: new Map(reads.map(({ source, at }) => [source, at])) };
}
