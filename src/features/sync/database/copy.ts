/** A copy in a database as a whole: which service and accounts it holds, and its runs. */
import type { Day } from '../../../dates/day.ts';
import type { CopiedAccount } from '../access.ts';
import {
  type AccountState,
  type Completed,
  type DayState,
  type Destination,
  DestinationError,
  type ListState,
  type Sql,
  type SqlReader,
  type WindowWriter,
} from '../destination.ts';
import { textOf } from '../run.ts';
import { sources } from '../tables/sources.ts';
import { type Cell, columnsOf, type Part, type Source, type Table } from '../tables/table.ts';
import { discardKept } from '../views/view.ts';
import { replaceViews, updateViews } from '../views/views.ts';
import { metaOf, migrate, schemaVersion, setMeta, versionOf } from './schema.ts';

export interface CopyFacts {
  /** Names the service, as in `https://api.clickbank.com`; a copy holds data of one service. */
  readonly service: string;
  /** Names, addresses and texts of customers are left out. */
  readonly withoutPersonalData: boolean;
}

/**
 * Takes the lock, for which it waits up to `patience` milliseconds, and brings the schema up to date. Returns what the copy
 * is from now on. Throws a DestinationError.
 */
export async function prepareCopy(
  sql: Sql,
  { patience, ...facts }: CopyFacts & { readonly patience: number },
): Promise<CopyFacts> {
  await sql.lock(patience);
  await updateCopy(sql);
  return claimCopy(sql, facts);
}

/** Brings the schema and the views up to date. `sql` holds the lock. Throws a DestinationError. */
export async function updateCopy(sql: Sql): Promise<void> {
  await migrate(sql, schemaVersion, sources, () => replaceViews(sql));
  await updateViews(sql);
}

/** Requires that a copy fits, or makes a new one what is asked for. `sql` holds the lock. Throws a DestinationError. */
export async function claimCopy(sql: Sql, facts: CopyFacts): Promise<CopyFacts> {
  const known = await factsOf(sql);
  if (!known) {
    await sql.transaction(async () => {
      await setMeta(sql, 'service', facts.service);
      await setMeta(sql, 'personal_data', facts.withoutPersonalData ? 'left out' : 'included');
    });
    return facts;
  }
  requireService(sql, known, facts.service);
  if (facts.withoutPersonalData && !known.withoutPersonalData) {
    throw new DestinationError('unsuitable', `${sql.label} already has personal data.`, {
      hint: 'Run the sync without --without-personal-data, or start again with `cb sync reset`.',
    });
  }
  return known;
}

/** Returns undefined for a database without a copy, and for an empty copy. */
export async function factsOf(sql: SqlReader): Promise<CopyFacts | undefined> {
  if ((await versionOf(sql)) === undefined) return undefined;
  const service = await metaOf(sql, 'service');
  if (service === undefined) return undefined;
  return { service, withoutPersonalData: (await metaOf(sql, 'personal_data')) === 'left out' };
}

/** Throws a DestinationError if the copy is one of another service. */
export function requireService(sql: SqlReader, { service }: CopyFacts, asked: string): void {
  if (service === asked) return;
  throw new DestinationError(
    'unsuitable',
    `${sql.label} is a copy of ${service}, not of ${asked}.`,
    { hint: 'Name another database.' },
  );
}

export async function accountsIn(sql: SqlReader): Promise<readonly CopiedAccount[]> {
  const rows = await sql.query<{
    account: string;
    nicknames: string;
    first_day: Day;
    /** Missing in copies of earlier versions. */
    ended?: string | null;
  }>('SELECT * FROM sync_accounts ORDER BY account');
  return rows.map(({ account, nicknames, first_day, ended }) => ({
    account,
    nicknames: JSON.parse(nicknames),
    ended: JSON.parse(ended ?? '{}'),
    firstDay: first_day,
  }));
}

/** Stores an account in place of what was stored of it. */
export async function storeAccount(sql: Sql, account: CopiedAccount): Promise<void> {
  const { account: name, nicknames, ended, firstDay } = account;
  const values = [name, JSON.stringify(nicknames), firstDay, JSON.stringify(ended)];
  await sql.transaction(async () => {
    await sql.query('DELETE FROM sync_accounts WHERE account = ?', [name]);
    await sql.query(
      'INSERT INTO sync_accounts (account, nicknames, first_day, ended) VALUES (?, ?, ?, ?)',
      values,
    );
  });
}

interface Run {
  readonly runId: string;
  readonly account: string;
}

export async function startRun(sql: Sql, run: Run, startedAt: string, day: Day): Promise<void> {
  // The views of subscriptions end with the day of the latest run.
  await discardKept(sql);
  await sql.query(
    'INSERT INTO sync_runs (run_id, account, started_at, pacific_day, requests, row_count) VALUES (?, ?, ?, ?, 0, 0)',
    [run.runId, run.account, startedAt, day],
  );
}

interface RunFigures {
  readonly requests: number;
  readonly rows: number;
}

/** Stores how far a run is, so that the requests of a killed run still count. */
export async function updateRun(sql: Sql, run: Run, { requests, rows }: RunFigures): Promise<void> {
  await sql.query(
    'UPDATE sync_runs SET requests = ?, row_count = ? WHERE run_id = ? AND account = ?',
    [requests, rows, run.runId, run.account],
  );
}

export interface RunEnd extends RunFigures {
  readonly endedAt: string;
  readonly outcome: 'complete' | 'stopped' | 'incomplete' | 'failed';
  readonly message: string | null;
}

export async function endRun(sql: Sql, run: Run, end: RunEnd): Promise<void> {
  await updateRun(sql, run, end);
  await sql.query(
    'UPDATE sync_runs SET ended_at = ?, outcome = ?, message = ? WHERE run_id = ? AND account = ?',
    [end.endedAt, end.outcome, end.message, run.runId, run.account],
  );
}

/** The requests that syncs of an account sent on a Pacific day. */
export async function requestsOn(sql: SqlReader, account: string, day: Day): Promise<number> {
  const [row] = await sql.query<{ sum: unknown }>(
    'SELECT coalesce(sum(requests), 0) AS sum FROM sync_runs WHERE account = ? AND pacific_day = ?',
    [account, day],
  );
  return Number(row?.sum ?? 0);
}

/** Deleted text stays in unused parts of a file of SQLite, and in its log. */
export async function removeDeleted(sql: Sql): Promise<void> {
  if (sql.dialect !== 'sqlite') return;
  await sql.query('VACUUM');
  await sql.query('PRAGMA wal_checkpoint(TRUNCATE)');
}

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
