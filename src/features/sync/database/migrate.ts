/** Creates the tables of a copy, and brings those of an older cb up to date. */

import { DestinationError, type Dialect, type Sql } from '../destination.ts';
import {
  commentsOnColumns,
  dataTables,
  indexStatements,
  schemaVersion,
  setMeta,
  statementsFor,
  stateTables,
  storedIn,
  tableStatements,
  typeNames,
  versionOf,
  viewStatements,
} from './schema.ts';

/** The columns that a version added to the tables of the one before. The next sync fills them. */
const additions: readonly (readonly [version: number, table: string, column: string])[] = [
  [4, 'subscriptions', 'payment_months'],
];

/** The first version that keeps rows as received apart. */
const separated = 5;

/**
 * Creates the tables if there are none, and changes those of an older cb. Returns whether `dropFormerRaw` must follow. Runs
 * in a transaction. Throws a DestinationError for a schema of a newer cb, and for one that can't be changed.
 */
export async function createTables(sql: Sql): Promise<boolean> {
  const version = (await versionOf(sql)) ?? 0;
  if (version === schemaVersion) return false;
  if (version === 0) {
    for (const table of [...stateTables, ...dataTables]) {
      await runAll(sql, [...statementsFor(table, sql.dialect), ...indexStatements(table)]);
    }
  } else {
    if (version > schemaVersion) {
      const message = `${sql.label} was written by a newer version of cb.`;
      throw new DestinationError('unsuitable', message, { hint: 'Update cb.' });
    }
    for (const [added, ...place] of additions) {
      if (added > version) await runAll(sql, additionOf(sql.dialect, ...place));
    }
    if (version < separated) await separateRows(sql);
  }
  await setMeta(sql, 'schema_version', String(schemaVersion));
  return version !== 0 && version < separated;
}

async function runAll(sql: Sql, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.query(statement);
}

function additionOf(dialect: Dialect, tableName: string, name: string): readonly string[] {
  const table = dataTables.find((one) => one.name === tableName);
  const added = table?.columns.find((one) => one.name === name);
  if (!added) throw new Error(`${tableName} has no column ${name}`);
  return [
    `ALTER TABLE ${tableName} ADD COLUMN ${name} ${typeNames[dialect][added.type]}`,
    ...(dialect === 'sqlite' ? [] : commentsOnColumns(tableName, [added])),
  ];
}

const separatedTables = dataTables.filter(({ rawApart }) => rawApart);

/** Each table becomes `sync_NAME`, and a view with the same columns takes its name. */
async function separateRows(sql: Sql): Promise<void> {
  for (const table of separatedTables) {
    const { name } = table;
    const [rows, raws] = storedIn(table);
    if (!raws) continue;
    const names = raws.columns.map((column) => column.name).join(', ');
    const statements = [
      ...tableStatements(raws, sql.dialect),
      `INSERT INTO ${raws.name} (${names}) SELECT ${names} FROM ${name}`,
      `ALTER TABLE ${name} RENAME TO ${rows.name}`,
      ...viewStatements(table, rows, raws, sql.dialect),
    ];
    if (sql.dialect === 'sqlite') {
      // Otherwise SQLite would rename the table in all views.
      await runAll(sql, ['PRAGMA legacy_alter_table = ON', ...statements]);
      await sql.query('PRAGMA legacy_alter_table = OFF');
    } else {
      const { owner } = await ownTable(sql, name);
      await runAll(sql, [`SET LOCAL ROLE ${owner}`, ...statements]);
      await runAll(sql, await grantsFor(sql, rows.name, [name, raws.name]));
      await sql.query('RESET ROLE');
    }
  }
}

/** Removes `raw` from the tables without it, when no view of cb reads it there anymore. */
export async function dropFormerRaw(sql: Sql): Promise<void> {
  for (const table of separatedTables) {
    const [{ name }] = storedIn(table);
    await sql.query(`ALTER TABLE ${name} DROP COLUMN raw`).catch((cause) => {
      // A full disk, or a lost connection.
      if (cause instanceof DestinationError) throw cause;
      const { message, detail = message } = cause as Error & { readonly detail?: string };
      const reason = detail.replaceAll('\n', '; ');
      const hint =
        'Nothing was changed. Drop what is named, run the command again, and create it again.';
      const says = `cb can't move the column raw out of ${table.name} in ${sql.label}: ${reason}.`;
      throw new DestinationError('unsuitable', says, { hint, cause });
    });
    if (sql.dialect === 'sqlite') continue;
    // PostgreSQL keeps the space of a column until the table is written anew.
    const { key } = await ownTable(sql, name);
    await sql.query(`CLUSTER ${name} USING ${key}`);
  }
}

/** For PostgreSQL. Throws a DestinationError if rows are hidden from some roles, since the view would show them. */
async function ownTable(sql: Sql, name: string) {
  const [found] = await sql.query<{ owner: string; key: string; relrowsecurity: boolean }>(
    `SELECT relowner::regrole::text AS owner, indexrelid::regclass::text AS key, relrowsecurity
    FROM pg_class AS c JOIN pg_index ON indrelid = c.oid AND indisprimary WHERE c.oid = '${name}'::regclass`,
  );
  if (found && !found.relrowsecurity) return found;
  throw new DestinationError(
    'unsuitable',
    `This version of cb can't change ${name} of ${sql.label}, because it has row-level security.`,
    { hint: 'Nothing was changed. Disable it and run the command again, or name another schema.' },
  );
}

/** The statements that give new relations the grants of a table, without those that default privileges added. */
async function grantsFor(
  sql: Sql,
  from: string,
  to: readonly [view: string, table: string],
): Promise<readonly string[]> {
  const grantee = "CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END";
  const option = "CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END";
  const found = await sql.query<{ statement: string }>(
    `SELECT 1 AS step, format('REVOKE ALL ON %s FROM %s', oid::regclass, ${grantee}) AS statement
    FROM pg_class, aclexplode(relacl) WHERE oid = ANY ('{${to}}'::regclass[]) AND grantee <> relowner
    UNION ALL SELECT 2, format('GRANT %s ON %s TO %s%s', privilege_type, name, ${grantee}, ${option})
    FROM pg_class, aclexplode(relacl), unnest('{${to}}'::text[]) AS name
    WHERE oid = '${from}'::regclass AND grantee <> relowner
    UNION ALL SELECT 2, format('GRANT %s (%I) ON ${to[0]} TO %s%s', privilege_type, attname, ${grantee}, ${option})
    FROM pg_attribute, aclexplode(attacl) WHERE attrelid = '${from}'::regclass ORDER BY step`,
  );
  return found.map(({ statement }) => statement);
}
