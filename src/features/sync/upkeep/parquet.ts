/** `cb sync --to parquet`: writes a copy as Parquet files, a month at a time, for engines that read columns. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { groupedCount } from '../../../decimals/decimals.ts';
import { UnfitValue } from '../../../output/errors.ts';
import { openParquet, type ParquetType } from '../../../output/parquet.ts';
import type { Value } from '../../../output/rows/rows.ts';
import type { CommandContext } from '../../../shell/context.ts';
import { exitCodes, Failure } from '../../../shell/failure.ts';
import { nowFor } from '../../../shell/session/session.ts';
import { openReplacement, writeAtomic } from '../../../storage/atomic-file.ts';
import { codeOf, makeFolder, shownCode } from '../../../storage/files.ts';
import { digestOf } from '../../../storage/fingerprint.ts';
import { acquireLock } from '../../../storage/lock.ts';
import { stateOf } from '../database/copy.ts';
import { metaOf, setMeta } from '../database/schema.ts';
import { type AccountState, DestinationError, isComplete, type SqlReader } from '../destination.ts';
import { type CopyPlace, openForSync, withCopyAt } from '../open-copy.ts';
import { sources } from '../tables/sources.ts';
import { type Cell, type Column, columnsOf, type Source, type Table } from '../tables/table.ts';

/** The rows of a file. A table without days has one file for each account, without a month. */
interface Part {
  readonly path: string;
  readonly table: string;
  readonly account: string;
  readonly month: string | null;
  rows: number;
  /** How many days of the month the copy has read after they ended. */
  readonly completeDays: number | null;
  /** The number of rows of each day that has some. */
  readonly days: Record<string, number>;
}

interface ParquetFile extends Part {
  readonly bytes: number;
  readonly sha256: string;
  /** A digest of what the copy knows of these rows without reading them; empty if that can't tell whether they change. */
  readonly state: string;
}

interface Manifest {
  readonly format: 1;
  /** Digests of where the copy is and of its service. */
  readonly copy: string;
  readonly personalData: 'included' | 'left out';
  readonly writtenAt: string;
  readonly files: readonly ParquetFile[];
}

interface Target {
  readonly cmd: CommandContext;
  readonly sql: SqlReader;
  readonly folder: string;
  readonly withoutPersonalData: boolean;
}

/** The copy remembers its folders under such names. */
const remembered = 'parquet ';

/** Brings a folder up to date with a copy that exists, and says what it did. */
export async function updateFolder(
  cmd: CommandContext,
  place: CopyPlace,
  folder: string,
  withoutPersonalData: boolean,
): Promise<void> {
  const isKnown = await withCopyAt(place, async (sql) => {
    await writeFolder({ cmd, sql, folder, withoutPersonalData });
    return (await metaOf(sql, remembered + folder)) !== undefined;
  });
  if (isKnown) return;
  // Last, because a copy that can only be read has its files, too.
  try {
    const sql = await openForSync(cmd, place);
    const remember = () => setMeta(sql, remembered + folder, '');
    await sql.transaction(remember).finally(() => sql.close());
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    cmd.messages.say(
      `note: The copy can't be changed, so cb sync forget does not know ${folder}. ${error.message}`,
    );
  }
}

/** Brings all folders up to date that were written from a copy, after a customer was forgotten. */
export async function updateFolders(cmd: CommandContext, sql: SqlReader): Promise<void> {
  const names = await sql.query<{ name: string }>('SELECT name FROM sync_meta ORDER BY name');
  for (const { name } of names.filter((one) => one.name.startsWith(remembered))) {
    const folder = name.slice(remembered.length);
    if (existsSync(join(folder, manifestName))) {
      await writeFolder({ cmd, sql, folder, withoutPersonalData: false });
    } else
      cmd.messages.say(`note: ${folder} is not on this machine. Run cb sync --to parquet there.`);
  }
}

const manifestName = 'manifest.json';

/**
 * Brings the files of a folder up to date with a copy. A file is replaced by a rename, and only if its content differs;
 * the manifest comes last. Wherever this is stopped, each file is whole, and the next run continues. Throws a Failure, a
 * DestinationError or a LockError.
 */
async function writeFolder(target: Target): Promise<void> {
  const { cmd, sql, folder } = target;
  const { processes } = cmd.context;
  makeFolder(folder, 0o777);
  const lock = await acquireLock(join(folder, manifestName), {
    processes,
    patience: 0,
    command: 'sync',
  });
  try {
    if (sql.dialect === 'sqlite') {
      // A mapped file counts as memory of the process, and each row is read once.
      await sql.query('PRAGMA mmap_size = 0');
      await sql.query('PRAGMA cache_size = -8192');
    }
    // All files show one state of the copy, whatever a sync commits meanwhile.
    await sql.query(sql.dialect === 'sqlite' ? 'BEGIN' : 'BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { files, replaced, removed } = await writeFiles(target).finally(() =>
      sql.query('COMMIT'),
    );
    const gone = removed > 0 ? `, and removed ${removed}` : '';
    cmd.messages.say(`Wrote ${replaced} of ${groupedCount(files, 'file')} in ${folder}${gone}.`);
  } catch (error) {
    const { code, path: file = folder } = error as NodeJS.ErrnoException;
    if (!(error instanceof Error) || !/^E[A-Z]+$/.test(code ?? '')) throw error;
    const hint = 'The files that are there are whole. Run the command again to continue.';
    const message = `${file} can't be written (${shownCode(error)}).`;
    throw new Failure(exitCodes.incomplete, message, { hint, cause: error });
  } finally {
    lock.release();
  }
}

async function writeFiles({ cmd, sql, folder, withoutPersonalData }: Target) {
  const now = await nowFor(cmd);
  const path = join(folder, manifestName);
  const before = manifestAt(path);
  const copy = digestOf(`${sql.label} ${await metaOf(sql, 'service')}`);
  if (before && before.copy !== copy) {
    throw new DestinationError('unsuitable', `${folder} has the files of another copy.`, {
      hint: 'Name another folder. If the copy was moved, delete manifest.json.',
    });
  }
  // A folder stays without personal data, as a copy does.
  const leftOut = [before?.personalData, await metaOf(sql, 'personal_data')];
  const isAnonymous = withoutPersonalData || leftOut.includes('left out');
  const known = new Map(before?.files.map((file) => [file.path, file]));
  // Forgetting a customer changes rows, but not when they were read.
  const forgotten = await sql.query('SELECT count(*) AS count FROM sync_forgotten');
  const files: ParquetFile[] = [];
  let replaced = 0;
  for (const source of sources) {
    for (const table of source.tables) {
      // BigQuery refuses a column that is in the path, too. Personal data can be anywhere in the row as received.
      const columns = columnsOf(table).filter(
        ({ name, personal }) => name !== 'account' && name !== 'raw' && !(personal && isAnonymous),
      );
      for (const { synced, ...part } of await partsOf(sql, source, table)) {
        cmd.context.signal.throwIfAborted();
        const isSettled = Date.parse(synced) < now.getTime() - settledAfter;
        const facts = [columns.map(typeOf), part.rows, part.days, synced, forgotten];
        const state = isSettled ? digestOf(JSON.stringify(facts)) : '';
        const file = join(folder, part.path);
        const old = known.get(part.path);
        const isKnown = old?.state === state && isSettled;
        if (isKnown && statSync(file, { throwIfNoEntry: false })?.size === old.bytes) {
          files.push({ ...old, ...part });
          continue;
        }
        const rows = rowsOf(sql, table, columns, part);
        const { isNew, ...written } = await writeFile(file, columns, rows);
        if (isNew) replaced += 1;
        files.push({ ...part, ...written, state });
      }
    }
  }
  const removed = await removeOthers(folder, new Set(files.map((file) => file.path)));
  const personalData = isAnonymous ? 'left out' : 'included';
  const manifest: Manifest = {
    ...{ format: 1, copy, personalData, writtenAt: now.toISOString(), files },
  };
  await writeAtomic(path, `${JSON.stringify(manifest)}\n`);
  return { files: files.length, replaced, removed };
}

/** A row that was read within this time, in milliseconds, may be replaced by one that was read in the same second. */
const settledAfter = 60_000;

function manifestAt(path: string): Manifest | undefined {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8'));
    if (found?.format === 1 && Array.isArray(found.files)) return found;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new DestinationError('unsuitable', `${path} is not a manifest that this cb can use.`, {
    hint: 'Name another folder.',
  });
}

/** Rows that are read at once, unless a single day has more. */
const rowsAtOnce = 5000;

/** The files that a table needs, with the latest time at which one of their rows was read. */
async function partsOf(sql: SqlReader, source: Source, { name, day }: Table) {
  const grouped = day === undefined ? 'account' : `account, ${day}`;
  const counted = await sql.query<{
    readonly account: string;
    readonly day: string | null;
    readonly count: unknown;
    readonly synced: string;
  }>(
    `SELECT account, ${day ?? 'NULL'} AS day, count(*) AS count, max(synced_at) AS synced
    FROM ${name} GROUP BY ${grouped} ORDER BY ${grouped}`,
  );
  const parts = new Map<string, Part & { synced: string }>();
  const states = new Map<string, AccountState>();
  for (const { account, day, count, synced } of counted) {
    const month = day?.slice(0, 'yyyy-mm'.length) ?? null;
    const place = [`account=${encodeURIComponent(account)}`, ...(month ? [`month=${month}`] : [])];
    const path = [name, ...place, 'part.parquet'].join('/');
    let part = parts.get(path);
    if (!part) {
      const state = states.get(account) ?? (await stateOf(sql, account));
      states.set(account, state);
      const read = [...(state.days.get(source.name)?.values() ?? [])];
      const complete = read.filter((one) => month && one.day.startsWith(month) && isComplete(one));
      const completeDays = month === null ? null : complete.length;
      part = { path, table: name, account, month, rows: 0, completeDays, days: {}, synced };
      parts.set(path, part);
    }
    part.rows += Number(count);
    if (day !== null) part.days[day] = Number(count);
    if (synced > part.synced) part.synced = synced;
  }
  return parts.values();
}

/** The first and the last of days that are read at once. */
function* rangesOf(days: Part['days']): Generator<readonly [string, string]> {
  let [first, last, rows] = ['', '', 0];
  for (const [day, count] of Object.entries(days)) {
    if (rows > 0 && rows + count > rowsAtOnce) {
      yield [first, last];
      rows = 0;
    }
    if (rows === 0) first = day;
    last = day;
    rows += count;
  }
  if (rows > 0) yield [first, last];
}

/** The rows of a file in the order of days and keys, so that equal rows are equal bytes. */
async function* rowsOf(
  sql: SqlReader,
  { name, day, key }: Table,
  columns: readonly Column[],
  { account, days }: Part,
): AsyncGenerator<Readonly<Record<string, Cell>>[]> {
  const keys = key.join(', ');
  const selected = columns.map((column) => column.name).join(', ');
  const rowsWhere = (condition: string, values: readonly Cell[]) =>
    sql.query<Readonly<Record<string, Cell>>>(
      `SELECT ${selected} FROM ${name} WHERE account = ? ${condition}`,
      [account, ...values],
    );
  for (const range of rangesOf(days)) {
    yield await rowsWhere(`AND ${day} BETWEEN ? AND ? ORDER BY ${day}, ${keys}`, range);
  }
  if (day !== undefined) return;
  const next = `AND (${keys}) > (${key.map(() => '?').join(', ')})`;
  let after: readonly Cell[] = [];
  for (let isMore = true; isMore; ) {
    const condition = `${after.length > 0 ? next : ''} ORDER BY ${keys} LIMIT ${rowsAtOnce}`;
    const rows = await rowsWhere(condition, after);
    yield rows;
    const last = rows.at(-1) ?? {};
    after = key.map((column) => last[column] ?? null);
    isMore = rows.length === rowsAtOnce;
  }
}

/** Quotients are no amounts, and have any number of digits. */
const ratio = /_rate$|_per_|^avg_|_percent$|_months$/;

function typeOf({ name, type }: Column): { readonly name: string; readonly type: ParquetType } {
  if (type === 'numeric') return { name, type: ratio.test(name) ? 'number' : 'amount' };
  if (type === 'timestamp') return { name, type: 'time' };
  return { name, type: type === 'json' ? 'text' : type };
}

/** Replaces a file unless it has the same content. */
async function writeFile(
  path: string,
  columns: readonly Column[],
  pages: AsyncIterable<readonly Readonly<Record<string, Value>>[]>,
) {
  makeFolder(dirname(path), 0o777);
  // Engines leave out files whose names begin with a dot. The folder is locked, so the name is free.
  const draft = join(dirname(path), '.part.parquet.draft');
  const { file, commit, discard } = await openReplacement(path, { draft });
  const hash = createHash('sha256');
  let bytes = 0;
  const write = async (chunk: Uint8Array) => {
    hash.update(chunk);
    bytes += chunk.length;
    await file.writeFile(chunk);
  };
  try {
    const parquet = openParquet(columns.map(typeOf));
    for await (const rows of pages) {
      await write(parquet.add(rows.map((row) => columns.map(({ name }) => row[name]))));
    }
    await write(parquet.end());
  } catch (error) {
    await discard();
    if (!(error instanceof UnfitValue)) throw error;
    throw new DestinationError('unsuitable', `${path}: ${error.message}`, {
      hint: 'Nothing is rounded. The file stays as it was.',
      cause: error,
    });
  }
  const sha256 = hash.digest('hex');
  const isNew = !existsSync(path) || digestOf(readFileSync(path)) !== sha256;
  await (isNew ? commit() : discard());
  return { bytes, sha256, isNew };
}

/** Removes the files of months without rows, and drafts of a run that was killed. */
async function removeOthers(folder: string, wanted: ReadonlySet<string>): Promise<number> {
  const tables = sources.flatMap(({ tables }) => tables.map(({ name }) => name)).join('|');
  const own = new RegExp(
    `^(?:${tables})/account=[^/]+/(?:month=[^/]+/)?(?:part\\.parquet|\\.part\\.parquet\\.draft)$`,
  );
  const others = readdirSync(folder, { recursive: true })
    .map((path) => String(path).replaceAll(sep, '/'))
    .filter((path) => own.test(path) && !wanted.has(path));
  for (const path of others) await rm(join(folder, path), { force: true });
  return others.filter((path) => path.endsWith('.parquet')).length;
}
