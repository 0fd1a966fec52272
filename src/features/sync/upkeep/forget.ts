/** Removes the personal data of one customer from a copy, and keeps it out. */

import { createHmac, randomBytes } from 'node:crypto';
import { removeDeleted } from '../database/copy.ts';
import { metaOf, setMeta } from '../database/schema.ts';
import type { Sql, SqlReader } from '../destination.ts';
import { sources } from '../tables/sources.ts';
import {
  type Cell,
  columnsOf,
  type ServiceRow,
  type Source,
  type Table,
  withoutPersonalData,
} from '../tables/table.ts';
import { discardKept } from '../views/view.ts';

interface FoundRow {
  readonly account: string;
  readonly id: string;
}

/** What a copy has of a customer. */
export interface CustomerRows {
  readonly receipts: readonly string[];
  /** The rows of the first table of each source; those of its other tables follow. */
  readonly rows: ReadonlyMap<Source, readonly FoundRow[]>;
}

/** Finds the rows with an email address in any case, and all rows of the receipts of such rows. */
export async function findCustomer(sql: SqlReader, email: string): Promise<CustomerRows> {
  const found = new Map<Source, Map<string, FoundRow>>();
  const receipts = new Set<string>();
  const keep = (source: Source, rows: readonly RowWithReceipt[]) => {
    const rowsOfSource = found.get(source) ?? new Map<string, FoundRow>();
    if (rows.length > 0) found.set(source, rowsOfSource);
    for (const { account, id, receipt } of rows) {
      rowsOfSource.set(JSON.stringify([account, id]), { account, id });
      if (receipt !== null) receipts.add(firstReceipt(receipt));
    }
  };
  for (const source of sources) {
    for (const { name, personal } of source.tables[0].columns) {
      if (!personal || !name.includes('email')) continue;
      for (const written of await spellings(sql, source.tables[0], name, email)) {
        keep(source, await rowsWhere(sql, source, `${name} = ?`, [written]));
      }
    }
  }
  for (const source of sources.filter(({ tables: [main] }) => hasReceipt(main))) {
    keep(source, await rowsOfReceipts(sql, source, [...receipts]));
  }
  return {
    receipts: [...receipts],
    rows: new Map([...found].map(([source, rows]) => [source, [...rows.values()]])),
  };
}

/** Strips these rows, and adds the customer to the list of those that are kept out, in one transaction. */
export async function forgetCustomer(
  sql: Sql,
  email: string,
  { receipts, rows }: CustomerRows,
  at: string,
): Promise<void> {
  await sql.transaction(async () => {
    for (const [source, found] of rows) {
      for (const row of found) await strip(sql, source, row);
    }
    await discardKept(sql);
    const key = (await metaOf(sql, keyName)) ?? randomBytes(32).toString('hex');
    await setMeta(sql, keyName, key);
    const hashes = receipts.map((receipt) => hashOf(key, 'receipt', receipt));
    await storeHashes(sql, [hashOf(key, 'email', normalizedEmail(email)), ...hashes], at);
  });
  await removeDeleted(sql);
}

function hasReceipt({ columns }: Table): boolean {
  return columns.some(({ name }) => name === 'receipt');
}

/** How the email address is written in a column. Compared here, because databases compare letters differently. */
async function spellings(
  sql: SqlReader,
  { name: table }: Table,
  column: string,
  email: string,
): Promise<readonly string[]> {
  const rows = await sql.query<{ written: string }>(
    `SELECT DISTINCT ${column} AS written FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  const wanted = normalizedEmail(email);
  return rows.map(({ written }) => written).filter((one) => normalizedEmail(one) === wanted);
}

type RowWithReceipt = FoundRow & { readonly receipt: string | null };

/** Receipts in one query: each takes two values. */
const receiptsAtOnce = 100;

/** The rows of payments and of their rebills, whose receipts have a suffix. */
async function rowsOfReceipts(
  sql: SqlReader,
  source: Source,
  receipts: readonly string[],
): Promise<readonly RowWithReceipt[]> {
  const found: RowWithReceipt[] = [];
  for (let at = 0; at < receipts.length; at += receiptsAtOnce) {
    const some = receipts.slice(at, at + receiptsAtOnce);
    const condition = some.map(() => 'receipt = ? OR receipt LIKE ?').join(' OR ');
    const values = some.flatMap((receipt) => [receipt, `${receipt}-%`]);
    found.push(...(await rowsWhere(sql, source, `(${condition})`, values)));
  }
  return found;
}

function rowsWhere(
  sql: SqlReader,
  { identity, tables: [main] }: Source,
  condition: string,
  values: readonly Cell[],
): Promise<readonly RowWithReceipt[]> {
  const receipt = hasReceipt(main) ? 'receipt' : 'NULL';
  const text = `SELECT account, ${identity} AS id, ${receipt} AS receipt FROM ${main.name}`;
  return sql.query<RowWithReceipt>(`${text} WHERE ${condition}`, values);
}

async function strip(sql: Sql, source: Source, { account, id }: FoundRow): Promise<void> {
  const where = `WHERE account = ? AND ${source.identity} = ?`;
  for (const table of source.tables) {
    const emptied = table.columns
      .filter(({ personal }) => personal)
      .map(({ name }) => `${name} = NULL`);
    if (emptied.length > 0) {
      await sql.query(`UPDATE ${table.name} SET ${emptied.join(', ')} ${where}`, [account, id]);
    }
    if (columnsOf(table).some(({ name }) => name === 'raw'))
      await stripRaw(sql, source, table, { account, id });
  }
}

/** One identity can have several rows. */
async function stripRaw(
  sql: Sql,
  source: Source,
  table: Table,
  { account, id }: FoundRow,
): Promise<void> {
  const key = ['account', ...table.key];
  const texts = key.map((name, i) => `CAST(${name} AS text) AS key_${i}`).join(', ');
  const rows = await sql.query<Readonly<Record<string, string>>>(
    `SELECT ${texts}, CAST(raw AS text) AS raw FROM ${table.name} WHERE account = ? AND ${source.identity} = ?`,
    [account, id],
  );
  const where = key.map((name) => `${name} = ?`).join(' AND ');
  for (const { raw = '{}', ...keys } of rows) {
    const left = JSON.stringify(withoutPersonalData(JSON.parse(raw), source.resource));
    const values = key.map((_, i) => keys[`key_${i}`] ?? null);
    await sql.query(`UPDATE ${table.name} SET raw = ? WHERE ${where}`, [left, ...values]);
  }
}

const keyName = 'forget_key';

interface Forgotten {
  /** Whether a row of the service belongs to one of these customers, by an email address or by its receipt. */
  has(row: ServiceRow): boolean;
  /** Stores the receipts that rows with a forgotten email address had since the last call. */
  flush(sql: Sql, at: string): Promise<void>;
}

export async function forgottenIn(sql: SqlReader): Promise<Forgotten> {
  const rows = await sql.query<{ hash: string }>('SELECT hash FROM sync_forgotten');
  const known = new Set(rows.map(({ hash }) => hash));
  const key = (await metaOf(sql, keyName)) ?? '';
  const fresh = new Set<string>();
  return {
    has(row) {
      if (known.size === 0) return false;
      const { receipt } = row;
      const ofReceipt =
        typeof receipt === 'string' && receipt !== ''
          ? hashOf(key, 'receipt', firstReceipt(receipt))
          : undefined;
      if (ofReceipt !== undefined && known.has(ofReceipt)) return true;
      if (!emailsOf(row).some((email) => known.has(hashOf(key, 'email', email)))) return false;
      if (ofReceipt !== undefined) {
        known.add(ofReceipt);
        fresh.add(ofReceipt);
      }
      return true;
    },
    async flush(target, at) {
      const hashes = [...fresh];
      fresh.clear();
      await storeHashes(target, hashes, at);
    },
  };
}

async function storeHashes(sql: Sql, hashes: readonly string[], at: string): Promise<void> {
  for (const hash of hashes) {
    await sql.query('DELETE FROM sync_forgotten WHERE hash = ?', [hash]);
    await sql.query('INSERT INTO sync_forgotten (hash, forgotten_at) VALUES (?, ?)', [hash, at]);
  }
}

/** Upper and lower case are the same person. */
function normalizedEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The receipt of the first payment: a rebill has a suffix. */
function firstReceipt(receipt: string): string {
  return receipt.replace(/-.*$/s, '').toUpperCase();
}

function emailsOf(row: ServiceRow): string[] {
  return Object.entries(row).flatMap(([name, value]) =>
    /email/i.test(name) && typeof value === 'string' ? [normalizedEmail(value)] : [],
  );
}

function hashOf(key: string, kind: 'email' | 'receipt', text: string): string {
  return createHmac('sha256', key).update(`${kind}:${text}`).digest('hex');
}
