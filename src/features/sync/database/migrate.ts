/**
 * Creates the tables of a copy, and brings those of an older cb up to date. Version 5 keeps rows as received apart, so
 * tables are replaced by views, with what users made for them.
 */

import { DestinationError, type Dialect, type Sql } from '../destination.ts';
import { tokensOf } from '../query/statement.ts';
import { columnsOf, type Table } from '../tables/table.ts';
import {
  commentsOnColumns,
  dataTables,
  indexStatements,
  metaOf,
  quoted,
  schemaVersion,
  setMeta,
  statementsFor,
  stateTables,
  storedIn,
  typeNames,
  versionOf,
} from './schema.ts';

/** The columns that a version added to the tables of the one before. The next sync fills them. */
const additions: readonly (readonly [version: number, table: string, column: string])[] = [
  [4, 'subscriptions', 'payment_months'],
];

/** The first version that keeps rows as received apart. */
const separated = 5;

/**
 * Creates the tables if there are none, and changes those of an older cb. Runs in a transaction. Throws a DestinationError
 * for a schema of a newer cb, and for one that can't be changed.
 */
export async function createTables(sql: Sql): Promise<void> {
  const version = await versionOf(sql);
  if (version === schemaVersion) return;
  if (version === undefined) {
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

/** What a user made, and the statement that makes it again. */
interface Made {
  readonly what: string;
  readonly statement: string;
}

/** What users made for a table that is replaced. */
interface Carried {
  /** The statements that come first. */
  readonly before: readonly string[];
  readonly made: readonly Made[];
  /** The owner of the table, in PostgreSQL. */
  readonly owner?: string | undefined;
}

/** Copies each row once. Throws a DestinationError that names what can't be carried over. */
async function separateRows(sql: Sql): Promise<void> {
  const stored: { readonly indexes?: object } = JSON.parse((await metaOf(sql, 'views')) ?? '{}');
  const find = sql.dialect === 'sqlite' ? carriedInSqlite : carriedInPostgres;
  for (const table of dataTables.filter(({ rawApart }) => rawApart)) {
    const former = `sync_old_${table.name}`;
    const ownIndexes = Object.keys({ ...table.indexes, ...stored.indexes });
    const { before, made, owner } = await find(sql, table, ownIndexes);
    await runAll(sql, before);
    if (owner !== undefined) await sql.query(`SET LOCAL ROLE ${owner}`);
    await sql.query(`ALTER TABLE ${table.name} RENAME TO ${former}`);
    await runAll(sql, statementsFor(table, sql.dialect));
    for (const { name, columns } of storedIn(table)) {
      const names = columns.map((column) => column.name).join(', ');
      await sql.query(`INSERT INTO ${name} (${names}) SELECT ${names} FROM ${former}`);
    }
    await runAll(sql, [`DROP TABLE ${former}`, ...indexStatements(table)]);
    if (owner !== undefined) await sql.query('RESET ROLE');
    for (const { what, statement } of made) {
      await sql.query(statement).catch((cause) => {
        throw notCarried(sql, [`${what} (${cause.message})`], cause);
      });
    }
  }
  // The indexes of the metrics went with the tables.
  await setMeta(sql, 'views', JSON.stringify({ ...stored, indexes: {} }));
}

function notCarried({ label }: Sql, names: readonly string[], cause?: unknown): DestinationError {
  return new DestinationError(
    'unsuitable',
    `This version of cb has other tables, and can't carry over what ${label} has beside them: ${names.join(', ')}.`,
    {
      hint: 'Nothing was changed. Drop what is named, run the command again, and create it again.',
      cause,
    },
  );
}

/** Views stay, because SQLite finds their tables by name when they are read. */
async function carriedInSqlite(
  sql: Sql,
  table: Table,
  ownIndexes: readonly string[],
): Promise<Carried> {
  const { name: tableName } = table;
  const found = await sql.query<{ what: string }>(
    `SELECT 'trigger ' || name AS what FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?
    UNION ALL SELECT 'foreign key of table ' || m.name FROM sqlite_master AS m
      JOIN pragma_foreign_key_list(m.name) AS f ON f."table" = ? WHERE m.type = 'table'
    UNION ALL SELECT 'column ' || name FROM pragma_table_info(?)
      WHERE name NOT IN (${listOf(columnsOf(table).map(({ name }) => name))})`,
    [tableName, tableName, tableName],
  );
  const stops = found.map(({ what }) => what);
  const indexes = await sql.query<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL
      AND name NOT IN (${listOf(ownIndexes)})`,
    [tableName],
  );
  const made = indexes.map(({ name, sql: text }) => {
    const tokens = tokensOf(text);
    const place = tokens.findIndex(({ text }) => text.toUpperCase() === 'ON') + 1;
    const { at, text: on } = tokens[place] ?? { at: 0, text: '' };
    const isOnRaw = tokens.slice(place).some(({ value }) => value.toLowerCase() === 'raw');
    if (isOnRaw) stops.push(`index ${name} on raw`);
    const statement = text.slice(0, at) + storedIn(table)[0].name + text.slice(at + on.length);
    return { what: `index ${name}`, statement };
  });
  if (stops.length > 0) throw notCarried(sql, stops);
  // Otherwise SQLite would rename the table in all views.
  const before = ['PRAGMA legacy_alter_table = ON'];
  const last = { what: 'views', statement: 'PRAGMA legacy_alter_table = OFF' };
  return { before, made: [...made, last] };
}

/** The table, with a depth of 0, and the views that read it: a view is deeper than what it reads. */
function replacedRelations(table: Table): string {
  return `WITH RECURSIVE ways AS (
    SELECT oid, 0 AS depth FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname = '${table.name}'
    UNION SELECT rule.ev_class, depth + 1 FROM ways
    JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = ways.oid
    JOIN pg_rewrite AS rule ON d.classid = 'pg_rewrite'::regclass AND rule.oid = d.objid
    JOIN pg_class AS view ON view.oid = rule.ev_class AND view.relkind = 'v'
    WHERE rule.rulename = '_RETURN' AND rule.ev_class <> ways.oid
  ),
  replaced AS (
    SELECT c.*, depth, oid::regclass::text AS relation, relowner::regrole::text AS owner
    FROM (SELECT oid, max(depth) AS depth FROM ways GROUP BY oid) AS deepest JOIN pg_class AS c USING (oid)
  ),
  indexes AS (
    SELECT i.*, c.relname AS name FROM pg_index AS i JOIN replaced ON indrelid = replaced.oid
    JOIN pg_class AS c ON c.oid = indexrelid WHERE NOT indisprimary
  )`;
}

/** Names of cb, as a list of texts. */
function listOf(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

const grantee = "CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END";

/** Throws a DestinationError that names what can't be carried over. */
async function carriedInPostgres(
  sql: Sql,
  table: Table,
  ownIndexes: readonly string[],
): Promise<Carried> {
  const find = <R = Made>(query: string) => sql.query<R>(`${replacedRelations(table)} ${query}`);
  // Whatever depends on a table or a view, on the type of its rows, or on a constraint such as the primary key.
  const stops = await find(`
    SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid) AS what
    FROM replaced JOIN pg_depend AS d
      ON (d.refclassid = 'pg_class'::regclass AND d.refobjid = replaced.oid)
      OR (d.refclassid = 'pg_type'::regclass AND d.refobjid IN
        (SELECT unnest(ARRAY[oid, typarray]) FROM pg_type WHERE oid = reltype))
      OR (d.refclassid = 'pg_constraint'::regclass AND d.refobjid IN
        (SELECT oid FROM pg_constraint WHERE conrelid = replaced.oid))
    LEFT JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid
    LEFT JOIN pg_constraint AS con ON d.classid = 'pg_constraint'::regclass AND con.oid = d.objid
    LEFT JOIN pg_rewrite AS rule ON d.classid = 'pg_rewrite'::regclass AND rule.oid = d.objid
    WHERE d.deptype <> 'i' AND coalesce(c.relkind, 'r') <> 'i' AND coalesce(con.contype, 'f') NOT IN ('p', 'n')
      AND NOT (d.refclassid = 'pg_class'::regclass AND coalesce(rule.rulename, '') = '_RETURN'
        AND rule.ev_class IN (SELECT oid FROM replaced))
    UNION ALL SELECT format('column %I of %s', attname, relation)
    FROM replaced JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
    WHERE depth = 0 AND attname NOT IN (${listOf(columnsOf(table).map(({ name }) => name))})
    UNION ALL SELECT format('row-level security of %s', relation) FROM replaced WHERE relrowsecurity
    UNION ALL SELECT format('%s of the role %s', relation, owner)
    FROM replaced WHERE NOT pg_has_role(relowner, 'MEMBER')
    UNION ALL SELECT DISTINCT format('index %I on raw', name)
    FROM indexes JOIN pg_attribute ON attrelid = indrelid AND attname = 'raw'
    JOIN pg_depend ON objid = indexrelid AND refobjid = indrelid AND refobjsubid = attnum`);
  if (stops.length > 0)
    throw notCarried(
      sql,
      stops.map(({ what }) => what),
    );
  const [former] = await find<{ owner: string }>('SELECT owner FROM replaced WHERE depth = 0');
  const views = await find<{ relation: string; owner: string; statement: string }>(`
    SELECT relation, owner, format('CREATE VIEW %s%s AS %s', relation,
      ' WITH (' || array_to_string(reloptions, ', ') || ')', pg_get_viewdef(oid)) AS statement
    FROM replaced WHERE depth > 0 ORDER BY depth, oid`);
  const indexes = await find<Made & { readonly place: string }>(`
    SELECT 'index ' || name AS what, pg_get_indexdef(indexrelid) AS statement,
      format(' ON %I.%I USING ', current_schema(), relname) AS place
    FROM indexes JOIN replaced ON oid = indrelid WHERE name NOT IN (${listOf(ownIndexes)})`);
  // The tables beneath the new view have the grants of the former table, because other roles may write to it.
  const stored = storedIn(table).map(({ name }) => name);
  const grants = await find(`
    , grants AS (
      SELECT name, '' AS columns, relowner, (aclexplode(relacl)).*
      FROM replaced, unnest(ARRAY[${listOf(stored)}]) AS name WHERE depth = 0
      UNION ALL SELECT relation, '', relowner, (aclexplode(relacl)).* FROM replaced
      UNION ALL SELECT relation, format(' (%I)', attname), relowner, (aclexplode(attacl)).*
      FROM replaced JOIN pg_attribute ON attrelid = oid
    )
    SELECT 'grants of ' || name AS what, format('GRANT %s%s ON %s TO %s%s', privilege_type, columns, name,
      ${grantee}, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS statement
    FROM grants WHERE grantee <> relowner`);
  const comments = await find(`
    SELECT 'comments of ' || relation AS what, format('COMMENT ON %s %s%s IS %L',
      CASE objsubid WHEN 0 THEN 'VIEW' ELSE 'COLUMN' END, relation, '.' || quote_ident(attname), description) AS statement
    FROM replaced JOIN pg_description ON classoid = 'pg_class'::regclass AND objoid = oid
    LEFT JOIN pg_attribute ON attrelid = oid AND attnum = objsubid AND objsubid > 0
    WHERE depth > 0`);
  const created = [table.name, ...stored, ...views.map(({ relation }) => relation)];
  // Default privileges may give what somebody took away.
  const revoking = `DO $revoking$ DECLARE statement text; BEGIN
    FOR statement IN SELECT DISTINCT format('REVOKE ALL ON %s FROM %s', oid::regclass, ${grantee})
      FROM pg_class, aclexplode(relacl)
      WHERE grantee <> relowner AND oid = ANY (ARRAY[${created.map(quoted).join(', ')}]::regclass[])
    LOOP EXECUTE statement; END LOOP; END $revoking$`;
  return {
    before:
      views.length > 0 ? [`DROP VIEW ${views.map(({ relation }) => relation).join(', ')}`] : [],
    made: [
      ...indexes.map(({ what, place, statement }) => ({
        what,
        statement: statement.replace(place, ` ON ${stored[0]} USING `),
      })),
      ...views.map(({ relation, statement }) => ({ what: `view ${relation}`, statement })),
      { what: 'default privileges', statement: revoking },
      ...grants,
      ...comments,
      ...views.map(({ relation, owner }) => ({
        what: `owner of ${relation}`,
        statement: `ALTER VIEW ${relation} OWNER TO ${owner}`,
      })),
    ],
    owner: former?.owner,
  };
}
