/** Empties a copy, except the list of forgotten customers. */
import { updateCopy } from '../database/copy.ts';
import { tableNames } from '../database/schema.ts';
import type { Sql } from '../database/sql.ts';
import { discardKept } from '../views/kept-views.ts';

/** Deletes all rows of the copy's own tables. Whatever else is in the database stays, such as views of the user. */
export async function emptyCopy(sql: Sql): Promise<void> {
  const own = tableNames.filter((name) => name !== 'sync_meta' && name !== 'sync_forgotten');
  await updateCopy(sql);
  await sql.transaction(async () => {
    for (const name of own) await sql.query(`DELETE FROM ${name}`);
    await discardKept(sql);
    // What remains is about the schema and the views, and the key of the hashes of forgotten customers.
    await sql.query(
      "DELETE FROM sync_meta WHERE name IN ('service', 'personal_data') OR name LIKE 'tables of %'",
    );
  });
  // Otherwise the file keeps its size, and the deleted rows in its free pages.
  if (sql.dialect === 'sqlite') {
    await sql.query('VACUUM');
    await sql.query('PRAGMA wal_checkpoint(TRUNCATE)');
  }
}
