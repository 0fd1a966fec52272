/** Empties a copy, except the list of forgotten customers. */
import { migrate } from '../database/migrate.ts';
import { tableNames } from '../database/schema.ts';
import type { Sql } from '../database/sql.ts';
import { discardKept } from '../views/kept-views.ts';

/** Deletes all rows of the copy's own tables. Whatever else is in the database stays, such as views of the user. */
export async function emptyCopy(sql: Sql): Promise<void> {
  const own = tableNames.filter((name) => name !== 'sync_meta' && name !== 'sync_forgotten');
  await migrate(sql);
  await sql.transaction(async () => {
    for (const name of own) await sql.query(`DELETE FROM ${name}`);
    await discardKept(sql);
    // What remains is about the schema and the views, and the key of the hashes of forgotten customers.
    await sql.query("DELETE FROM sync_meta WHERE name IN ('service', 'personal_data')");
  });
}

/** What a new copy of the same place has to keep. */
export interface KeptRows {
  readonly meta: readonly { readonly name: string; readonly value: string }[];
  readonly forgotten: readonly { readonly hash: string; readonly forgotten_at: string }[];
}

export async function keptRows(sql: Sql): Promise<KeptRows> {
  return {
    meta: await sql.query("SELECT name, value FROM sync_meta WHERE name = 'forget_key'"),
    forgotten: await sql.query('SELECT hash, forgotten_at FROM sync_forgotten'),
  };
}

/** Creates an empty copy with these rows. */
export async function restoreRows(sql: Sql, { meta, forgotten }: KeptRows): Promise<void> {
  await migrate(sql);
  await sql.transaction(async () => {
    for (const { name, value } of meta) {
      await sql.query('INSERT INTO sync_meta (name, value) VALUES (?, ?)', [name, value]);
    }
    for (const { hash, forgotten_at } of forgotten) {
      const values = [hash, forgotten_at];
      await sql.query('INSERT INTO sync_forgotten (hash, forgotten_at) VALUES (?, ?)', values);
    }
  });
}
