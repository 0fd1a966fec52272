/**
 * The customers that a copy must not know again. Only keyed hashes of their email addresses and receipts are stored, so
 * that the list itself names nobody.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { metaOf, setMeta } from '../database/migrate.ts';
import type { Sql, SqlReader } from '../database/sql.ts';
import type { ServiceRow } from '../tables/table.ts';

const keyName = 'forget_key';

export interface Forgotten {
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
      const receipt = receiptOf(row);
      const ofReceipt = receipt === undefined ? undefined : hashOf(key, 'receipt', receipt);
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

/** Adds customers to the list. `sql` holds the lock. */
export async function keepOut(
  sql: Sql,
  {
    emails,
    receipts,
  }: { readonly emails: readonly string[]; readonly receipts: readonly string[] },
  at: string,
): Promise<void> {
  const key = (await metaOf(sql, keyName)) ?? randomBytes(32).toString('hex');
  await setMeta(sql, keyName, key);
  const hashes = [
    ...emails.map((email) => hashOf(key, 'email', normalizedEmail(email))),
    ...receipts.map((receipt) => hashOf(key, 'receipt', receipt)),
  ];
  await storeHashes(sql, hashes, at);
}

async function storeHashes(sql: Sql, hashes: readonly string[], at: string): Promise<void> {
  for (const hash of hashes) {
    await sql.query('DELETE FROM sync_forgotten WHERE hash = ?', [hash]);
    await sql.query('INSERT INTO sync_forgotten (hash, forgotten_at) VALUES (?, ?)', [hash, at]);
  }
}

/** Upper and lower case are the same person. */
export function normalizedEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The receipt of the first payment: a rebill has a suffix. */
export function firstReceipt(receipt: string): string {
  return receipt.replace(/-.*$/s, '').toUpperCase();
}

function receiptOf({ receipt }: ServiceRow): string | undefined {
  return typeof receipt === 'string' && receipt !== '' ? firstReceipt(receipt) : undefined;
}

function emailsOf(row: ServiceRow): string[] {
  return Object.entries(row).flatMap(([name, value]) =>
    /email/i.test(name) && typeof value === 'string' ? [normalizedEmail(value)] : [],
  );
}

function hashOf(key: string, kind: 'email' | 'receipt', text: string): string {
  return createHmac('sha256', key).update(`${kind}:${text}`).digest('hex');
}
