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
import type { Table } from '../tables/table.ts';
import type { Sql, SqlReader } from './sql.ts';

/** `sql` has the schema of this cb and holds its lock. */
export function sqlDestination(sql: Sql): Destination {
  const staged = new Set<string>();
  return {
    state: (account) => stateOf(sql, account),
    async begin(account, source) {
      for (const table of source.tables) await prepareStage(sql, table, staged);
      return writerOf(sql, account, source);
    },
    close: () => sql.close(),
  };
}

const stageOf = ({ name }: Table) => `stage_${name}`;

async function prepareStage(sql: Sql, table: Table, staged: Set<string>): Promise<void> {
  const stage = stageOf(table);
  if (staged.has(stage)) {
    await sql.query(`DELETE FROM ${stage}`);
    return;
  }
  await sql.query(
    `CREATE TEMPORARY TABLE ${stage} AS SELECT ${namesOf(table)} FROM ${table.name} LIMIT 0`,
  );
  staged.add(stage);
}

function namesOf(table: Table): string {
  return columnsOf(table)
    .map(({ name }) => name)
    .join(', ');
}

function writerOf(sql: Sql, account: string, source: Source): WindowWriter {
  return {
    async write(rows) {
      for (const table of source.tables) {
        const cells = rows.get(table.name) ?? [];
        if (cells.length > 0) await sql.load(stageOf(table), columnsOf(table), cells);
      }
    },
    async commit(completed) {
      await sql.transaction(async () => {
        for (const table of source.tables)
          await replace(sql, account, source, table, completed.extent);
        for (const table of source.tables) await sql.query(`DELETE FROM ${stageOf(table)}`);
        await storeState(sql, account, source, completed);
      });
    },
    async discard() {
      for (const table of source.tables) await sql.query(`DELETE FROM ${stageOf(table)}`);
    },
  };
}

/** Rows with an identity that was read are replaced wherever they are, so that none is ever there twice. */
async function replace(
  sql: Sql,
  account: string,
  { identity, tables: [main] }: Source,
  table: Table,
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
      `DELETE FROM ${name} WHERE account = ? AND ${identity} IN (SELECT ${identity} FROM ${stageOf(main)})`,
      [account],
    );
  }
  const names = namesOf(table);
  await sql.query(`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${stageOf(table)}`);
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
    `SELECT source, day, row_count AS rows, ${isoText(sql, 'synced_at')} AS at FROM sync_days WHERE account = ?`,
    [account],
  );
  for (const { source, day, rows, at } of found) {
    const known = days.get(source) ?? new Map<Day, DayState>();
    known.set(day, { day, rows: Number(rows), syncedAt: at });
    days.set(source, known);
  }
  const reads = await sql.query<{ source: string; at: string }>(
    `SELECT source, ${isoText(sql, 'synced_at')} AS at FROM sync_reads WHERE account = ?`,
    [account],
  );
  return { days, readAt: new Map(reads.map(({ source, at }) => [source, at])) };
}

/** An expression for a timestamp as ISO 8601 text in UTC, as SQLite stores it. */
export function isoText({ dialect }: SqlReader, column: string): string {
  return dialect === 'sqlite'
    ? column
    : `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}
