/** Removes the personal data of one customer from a copy, and keeps it out. */

import { createHmac, randomBytes } from 'node:crypto';
import { removeDeleted } from '../database/copy.ts';
import { metaOf, setMeta, storedIn, storeRow } from '../database/schema.ts';
import type { Sql, SqlReader } from '../destination.ts';
import { sources } from '../tables/sources.ts';
import { type ServiceRow, type Source, withoutPersonalData } from '../tables/table.ts';

interface FoundRow {
  readonly account: string;
  readonly id: string;
}

type CustomerRows = Awaited<ReturnType<typeof findCustomer>>;

/** Receipts in one query: each takes two values. */
const receiptsAtOnce = 100;

/**
 * Finds the rows with an email address in any case, and all rows of the receipts of such rows: those of the first table
 * of each source; those of its other tables follow.
 */
export async function findCustomer(sql: SqlReader, email: string) {
  const found = new Map<Source, Map<string, FoundRow>>();
  const receipts = new Set<string>();
  const hasReceipt = ({ tables: [{ columns }] }: Source) =>
    columns.some(({ name }) => name === 'receipt');
  const search = async (source: Source, condition: string, values: readonly string[]) => {
    const receipt = hasReceipt(source) ? 'receipt' : 'NULL';
    const selected = `account, ${source.identity} AS id, ${receipt} AS receipt`;
    const rows = await sql.query<FoundRow & { readonly receipt: string | null }>(
      `SELECT ${selected} FROM ${source.name} WHERE ${condition}`,
      values,
    );
    const known = found.get(source) ?? new Map<string, FoundRow>();
    if (rows.length > 0) found.set(source, known);
    for (const { account, id, receipt } of rows) {
      known.set(JSON.stringify([account, id]), { account, id });
      if (receipt !== null) receipts.add(firstReceipt(receipt));
    }
  };
  for (const source of sources) {
    for (const { name, personal } of source.tables[0].columns) {
      if (!personal || !name.includes('email')) continue;
      // Spellings are compared here, because databases compare letters differently.
      const written = await sql.query<{ text: string }>(
        `SELECT DISTINCT ${name} AS text FROM ${source.name} WHERE ${name} IS NOT NULL`,
      );
      for (const { text } of written) {
        if (normalizedEmail(text) !== normalizedEmail(email)) continue;
        await search(source, `${name} = ?`, [text]);
      }
    }
  }
  const all = [...receipts];
  for (const source of sources.filter(hasReceipt)) {
    for (let at = 0; at < all.length; at += receiptsAtOnce) {
      const some = all.slice(at, at + receiptsAtOnce);
      // The receipts of rebills have a suffix.
      const condition = some.map(() => 'receipt = ? OR receipt LIKE ?').join(' OR ');
      const values = some.flatMap((receipt) => [receipt, `${receipt}-%`]);
      await search(source, condition, values);
    }
  }
  const rows = [...found].map(([source, known]) => [source, [...known.values()]] as const);
  return { receipts: all, rows: new Map(rows) };
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
    const key = (await metaOf(sql, keyName)) ?? randomBytes(32).toString('hex');
    await setMeta(sql, keyName, key);
    const hashes = receipts.map((receipt) => hashOf(key, 'receipt', receipt));
    await storeHashes(sql, [hashOf(key, 'email', normalizedEmail(email)), ...hashes], at);
  });
  await removeDeleted(sql);
}

async function strip(sql: Sql, source: Source, { account, id }: FoundRow): Promise<void> {
  const where = `account = ? AND ${source.identity} = ?`;
  for (const table of source.tables) {
    const [rows] = storedIn(table);
    const emptied = table.columns
      .filter(({ personal }) => personal)
      .map((column) => `${column.name} = NULL`);
    if (emptied.length === 0) continue;
    await sql.query(`UPDATE ${rows.name} SET ${emptied.join(', ')} WHERE ${where}`, [account, id]);
  }
  // One identity can have several rows.
  const rows = await sql.query<{ raw: string }>(
    `SELECT DISTINCT CAST(raw AS text) AS raw FROM ${source.name} WHERE ${where}`,
    [account, id],
  );
  const received = storedIn(source.tables[0]).at(-1)?.name;
  for (const { raw } of rows) {
    const left = JSON.stringify(withoutPersonalData(JSON.parse(raw), source.resource));
    await sql.query(`UPDATE ${received} SET raw = ? WHERE ${where} AND CAST(raw AS text) = ?`, [
      left,
      account,
      id,
      raw,
    ]);
  }
}

const keyName = 'forget_key';

export async function forgottenIn(sql: SqlReader) {
  const rows = await sql.query<{ hash: string }>('SELECT hash FROM sync_forgotten');
  const known = new Set(rows.map(({ hash }) => hash));
  const key = (await metaOf(sql, keyName)) ?? '';
  const fresh = new Set<string>();
  return {
    /** Whether a row of the service belongs to one of these customers, by an email address or by its receipt. */
    has(row: ServiceRow) {
      if (known.size === 0) return false;
      const { receipt } = row;
      const ofReceipt =
        typeof receipt === 'string' && receipt !== ''
          ? hashOf(key, 'receipt', firstReceipt(receipt))
          : undefined;
      if (ofReceipt !== undefined && known.has(ofReceipt)) return true;
      const isForgotten = Object.entries(row).some(
        ([name, value]) =>
          /email/i.test(name) &&
          typeof value === 'string' &&
          known.has(hashOf(key, 'email', normalizedEmail(value))),
      );
      if (isForgotten && ofReceipt !== undefined) {
        known.add(ofReceipt);
        fresh.add(ofReceipt);
      }
      return isForgotten;
    },
    /** Stores the receipts that rows with a forgotten email address had since the last call. */
    async flush(target: Sql, at: string) {
      const hashes = [...fresh];
      fresh.clear();
      await storeHashes(target, hashes, at);
    },
  };
}

async function storeHashes(sql: Sql, hashes: readonly string[], at: string): Promise<void> {
  for (const hash of hashes) {
    await storeRow(sql, 'sync_forgotten', { hash, forgotten_at: at });
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

function hashOf(key: string, kind: 'email' | 'receipt', text: string): string {
  return createHmac('sha256', key).update(`${kind}:${text}`).digest('hex');
}
