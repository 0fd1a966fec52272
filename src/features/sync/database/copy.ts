/** A copy in a database as a whole: which service and accounts it holds, and its runs. */
import type { Day } from '../../../dates/day.ts';
import type { CopiedAccount } from '../access.ts';
import {
  type AccountState,
  type Completed,
  DestinationError,
  type Sql,
  type SqlReader,
} from '../destination.ts';
import {
  type Cell,
  columnsOf,
  type Part,
  partText,
  type Source,
  type Table,
  type TableRows,
} from '../tables/table.ts';
import { replaceViews } from '../views/views.ts';
import { createTables, dropFormerRaw } from './migrate.ts';
import { metaOf, schemaVersion, setMeta, storedIn, storeRow, versionOf } from './schema.ts';

export interface CopyFacts {
  /** Names the service, as in `https://api.clickbank.com`; a copy holds data of one service. */
  readonly service: string;
  /** Names, addresses and texts of customers are left out. */
  readonly withoutPersonalData: boolean;
}

/** Milliseconds in which `cb ins listen --sync` writes what it has read: everybody else waits so long for the lock. */
export const aMoment = 2000;

/**
 * Takes the lock, for which it waits up to `patience` milliseconds, and brings the schema up to date. Returns what the copy
 * is from now on. Throws a DestinationError.
 */
export async function prepareCopy(
  sql: Sql,
  { patience, ...facts }: CopyFacts & { readonly patience: number },
): Promise<CopyFacts> {
  await sql.lock(patience);
  // Nobody may write to tables that are replaced.
  if (((await versionOf(sql)) ?? schemaVersion) < schemaVersion) await sql.lockAccounts(patience);
  await updateCopy(sql);
  return claimCopy(sql, facts);
}

/** Brings the tables and the views up to date, both or neither. `sql` holds the lock. Throws a DestinationError. */
export async function updateCopy(sql: Sql): Promise<void> {
  await sql.transaction(async () => {
    const isSeparated = await createTables(sql);
    await replaceViews(sql);
    if (isSeparated) await dropFormerRaw(sql);
  });
}

/** Requires that a copy fits, or makes a new one what is asked for. `sql` holds the lock. Throws a DestinationError. */
export async function claimCopy(sql: Sql, facts: CopyFacts): Promise<CopyFacts> {
  const known = await factsOf(sql, facts.service);
  if (!known) {
    await sql.transaction(async () => {
      await setMeta(sql, 'service', facts.service);
      await setMeta(sql, 'personal_data', facts.withoutPersonalData ? 'left out' : 'included');
    });
    return facts;
  }
  if (facts.withoutPersonalData && !known.withoutPersonalData) {
    throw new DestinationError('unsuitable', `${sql.label} already has personal data.`, {
      hint: 'Run the sync without --without-personal-data, or start again with `cb sync reset`.',
    });
  }
  return known;
}

/** Returns undefined for an empty copy. Throws a DestinationError for a copy of another service. */
export async function factsOf(sql: SqlReader, asked: string): Promise<CopyFacts | undefined> {
  const service = await metaOf(sql, 'service');
  if (service === undefined) return undefined;
  if (service === asked) {
    return { service, withoutPersonalData: (await metaOf(sql, 'personal_data')) === 'left out' };
  }
  const message = `${sql.label} is a copy of ${service}, not of ${asked}.`;
  throw new DestinationError('unsuitable', message, { hint: 'Name another database.' });
}

export async function accountsIn(sql: SqlReader): Promise<readonly CopiedAccount[]> {
  const rows = await sql.query<Readonly<Record<string, string>>>(
    'SELECT account, nicknames, ended, first_day FROM sync_accounts ORDER BY account',
  );
  return rows.map(({ account = '', nicknames = '[]', ended = '{}', first_day: firstDay = '' }) => ({
    ...{ account, firstDay, nicknames: JSON.parse(nicknames), ended: JSON.parse(ended) },
  }));
}

/** Stores an account in place of what was stored of it. */
export async function storeAccount(sql: Sql, copied: CopiedAccount): Promise<void> {
  const { account, nicknames, ended, firstDay: first_day } = copied;
  const lists = { nicknames: JSON.stringify(nicknames), ended: JSON.stringify(ended) };
  await sql.transaction(() => storeRow(sql, 'sync_accounts', { account, first_day, ...lists }));
}

/** Stores how far a run is, by the columns of `sync_runs`, so that the requests of a killed run still count. */
export async function storeRun(sql: Sql, run: Readonly<Record<string, Cell>>): Promise<void> {
  await sql.transaction(() => storeRow(sql, 'sync_runs', run));
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
  const [log] = await sql.query<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)');
  if (log?.busy) {
    throw new DestinationError(
      'busy',
      `Deleted text stays in ${sql.label} while another program reads it.`,
      {
        hint: 'Run the same command again when that program has ended.',
      },
    );
  }
}

/** Rows that are collected before they are sent to the database. */
const rowsAtOnce = 1000;

export type Destination = ReturnType<typeof sqlDestination>;

/** `sql` has the schema of this cb and holds its lock. */
export function sqlDestination(sql: Sql) {
  return {
    state: (account: string) => stateOf(sql, account),
    /** Starts a window, of which nothing is visible before `commit`, and forgets one that was not committed. */
    async begin(account: string, source: Source) {
      for (const table of source.tables) {
        const { name } = table;
        const empty = `SELECT ${namesOf(table)} FROM ${name} WHERE 1 = 0`;
        await sql.query(`CREATE TEMPORARY TABLE IF NOT EXISTS stage_${name} AS ${empty}`);
        const key = ['account', ...table.key].join(', ');
        await sql.query(`CREATE INDEX IF NOT EXISTS stage_${name}_key ON stage_${name} (${key})`);
        // PostgreSQL would keep deleted rows in the file, and read over them.
        const clear = sql.dialect === 'postgres' ? 'TRUNCATE' : 'DELETE FROM';
        await sql.query(`${clear} stage_${name}`);
      }
      const waiting = new Map<string, (readonly Cell[])[]>();
      const flush = async (least: number) => {
        for (const table of source.tables) {
          const rows = waiting.get(table.name) ?? [];
          if (rows.length < least) continue;
          waiting.delete(table.name);
          await sql.load(`stage_${table.name}`, columnsOf(table), rows);
        }
      };
      return {
        async write(rows: TableRows) {
          for (const [name, some] of rows) {
            waiting.set(name, (waiting.get(name) ?? []).concat(some));
          }
          await flush(rowsAtOnce);
        },
        /** Replaces the rows of the extent and stores the state, both or neither. */
        async commit(completed: Completed) {
          await flush(1);
          // PostgreSQL would take a full stage for an empty one, and compare each row with each other one.
          for (const { name, key } of sql.dialect === 'postgres' ? source.tables : []) {
            await sql.query(`ANALYZE stage_${name} (${['account', ...key].join(', ')})`);
          }
          await sql.transaction(async () => {
            for (const table of source.tables)
              await replace(sql, account, source, table, completed);
            await storeState(sql, account, source, completed);
          });
        },
      };
    },
    /** The number of rows that the copy has of a part of a whole list. */
    async rowsOf(account: string, source: Source, part: Part) {
      const { text, values } = ofPart(source, part);
      const [row] = await sql.query<{ rows: unknown }>(
        `SELECT count(*) AS rows FROM ${source.name} WHERE account = ? AND ${text}`,
        [account, ...values],
      );
      return Number(row?.rows ?? 0);
    },
  };
}

function namesOf(table: Table): string {
  return columnsOf(table)
    .map(({ name }) => name)
    .join(', ');
}

interface Condition {
  readonly text: string;
  readonly values: readonly string[];
}

function both(...conditions: readonly Condition[]): Condition {
  return {
    text: conditions.map(({ text }) => text).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

const every: Condition = { text: '1 = 1', values: [] };
const none: Condition = { text: '1 = 0', values: [] };

function ofPart({ owner }: Source, { nickname, role }: Part): Condition {
  const text = `upper(${owner}) = ?${role ? ' AND role = ?' : ''}`;
  return { text, values: [nickname.toUpperCase(), ...(role ? [role] : [])] };
}

/** The rows that a key can read: those of its nicknames, if the copy also has rows of others. */
export function ofNicknames(
  owner: string | undefined,
  { nicknames, isPartial }: Pick<Completed, 'nicknames' | 'isPartial'>,
): Condition {
  if (!isPartial) return every;
  if (!owner) return none;
  const text = `upper(${owner}) IN (${nicknames.map(() => '?').join(', ')})`;
  return { text, values: nicknames.map((name) => name.toUpperCase()) };
}

/**
 * Replaces rows, but never those of nicknames or parts that a reading did not read. Rows with an identity that was read
 * are replaced wherever they are, so that none is ever there twice. A row that was read as it is stays untouched, because
 * most rows of a night have not changed, and each one has many indexes.
 */
async function replace(
  sql: Sql,
  account: string,
  source: Source,
  table: Table,
  completed: Completed,
): Promise<void> {
  const { identity, owner } = source;
  const { name, day } = table;
  const { extent, emptied } = completed;
  const kept = [...(emptied?.keys() ?? [])].map((part) => ofPart(source, part));
  const own = both(
    ofNicknames(owner, completed),
    ...kept.map(({ text, values }) => ({ text: `NOT (${text})`, values })),
  );
  const hasChanged = {
    text: `NOT EXISTS (SELECT 1 FROM stage_${name} WHERE ${isSame(table)})`,
    values: [],
  };
  const remove = async (...conditions: readonly Condition[]) => {
    const ofAccount = { text: 'account = ?', values: [account] };
    const { text, values } = both(ofAccount, hasChanged, ...conditions);
    // The row as received is the first to go: a row without it has changed, too.
    for (const { name: stored, key } of storedIn(table).toReversed()) {
      const keys = key.join(', ');
      const changed = `SELECT ${keys} FROM ${name} WHERE ${text}`;
      await sql.query(`DELETE FROM ${stored} WHERE (${keys}) IN (${changed})`, values);
    }
  };
  if (extent === 'whole') await remove(own);
  else if (typeof extent === 'object') {
    await remove({ text: `${day} BETWEEN ? AND ?`, values: [extent.first, extent.last] }, own);
  }
  const isRead = `${identity} IN (SELECT ${identity} FROM stage_${source.name})`;
  // Several nicknames have rows of a day.
  await remove({ text: isRead, values: [] }, identity === day ? own : every);
  for (const { name: stored, columns, key } of storedIn(table)) {
    const names = columns.map((column) => column.name).join(', ');
    const isThere = key
      .map((column) => `${stored}.${column} = stage_${name}.${column}`)
      .join(' AND ');
    await sql.query(`INSERT INTO ${stored} (${names}) SELECT ${names} FROM stage_${name}
      WHERE NOT EXISTS (SELECT 1 FROM ${stored} WHERE ${isThere})`);
  }
}

/** A row of a table equals a staged one but for the time at which it was read. Nulls are equal, too. */
function isSame(table: Table): string {
  const { name } = table;
  const key = ['account', ...table.key];
  const others = columnsOf(table)
    .map((column) => column.name)
    .filter((column) => column !== 'synced_at' && !key.includes(column));
  return [
    ...key.map((column) => `${name}.${column} = stage_${name}.${column}`),
    ...others.map((column) => `${name}.${column} IS NOT DISTINCT FROM stage_${name}.${column}`),
  ].join(' AND ');
}

async function storeState(
  sql: Sql,
  account: string,
  { name: source }: Source,
  { extent, syncedAt: synced_at, rowsByDay, nicknames: read, emptied }: Completed,
): Promise<void> {
  const nicknames = JSON.stringify(read);
  if (extent === 'rows') return;
  if (extent === 'whole' || extent === 'changes') {
    const since = [...(emptied ?? [])].map(([part, time]) => [partText(part), time]);
    const row = { account, source, synced_at, nicknames };
    await storeRow(sql, 'sync_reads', {
      ...row,
      emptied: JSON.stringify(Object.fromEntries(since)),
    });
  } else {
    await sql.query(
      'DELETE FROM sync_days WHERE account = ? AND source = ? AND day BETWEEN ? AND ?',
      [account, source, extent.first, extent.last],
    );
    for (const [day, row_count] of rowsByDay ?? []) {
      await storeRow(sql, 'sync_days', { account, source, day, row_count, synced_at, nicknames });
    }
  }
}

export async function stateOf(sql: SqlReader, account: string): Promise<AccountState> {
  const stored = (table: string) =>
    sql.query<{
      readonly source: string;
      readonly synced_at: string;
      readonly nicknames: string;
      readonly day: Day;
      readonly row_count: unknown;
      readonly emptied: string;
    }>(`SELECT * FROM ${table} WHERE account = ?`, [account]);
  const state: AccountState = { days: new Map(), lists: new Map() };
  for (const { source, day, row_count, synced_at: syncedAt, ...row } of await stored('sync_days')) {
    const known = state.days.get(source) ?? new Map();
    const nicknames = JSON.parse(row.nicknames);
    state.days.set(source, known.set(day, { day, rows: Number(row_count), syncedAt, nicknames }));
  }
  for (const { source, synced_at: syncedAt, nicknames, emptied } of await stored('sync_reads')) {
    const parsed = { nicknames: JSON.parse(nicknames), emptied: JSON.parse(emptied) };
    state.lists.set(source, { syncedAt, ...parsed });
  }
  return state;
}
