/** Conditions of lists in SQL that SQLite and PostgreSQL understand. */
import type { SqlReader } from '../database/sql.ts';
import type { Cell } from '../tables/table.ts';

export interface Condition {
  readonly sql: string;
  readonly values: readonly Cell[];
}

/** Undefined if a value is undefined, which means that nobody asked for it. */
export function given(sql: string, ...values: readonly unknown[]): Condition | undefined {
  return values.includes(undefined) ? undefined : { sql, values: values.map(String) };
}

/** `%` is the only wildcard; case does not count. */
export function like({ dialect }: SqlReader, column: string, pattern: unknown) {
  const operator = dialect === 'sqlite' ? 'LIKE' : 'ILIKE';
  const escaped = typeof pattern === 'string' ? pattern.replaceAll(/[\\_]/g, '\\$&') : undefined;
  return given(`${column} ${operator} ? ESCAPE '\\'`, escaped);
}

/** One value or several, translated to those of the column. */
export function oneOf(
  column: string,
  asked: unknown,
  translate: (value: string) => string = (value) => value,
): Condition | undefined {
  if (asked === undefined) return undefined;
  const values = [asked].flat().map((value) => translate(String(value)));
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, values };
}

export function joined(
  conditions: readonly (Condition | undefined)[],
  operator: 'AND' | 'OR' = 'AND',
): Condition {
  const parts = conditions.filter((part) => part !== undefined);
  return {
    sql: parts.map(({ sql }) => `(${sql})`).join(` ${operator} `),
    values: parts.flatMap(({ values }) => values),
  };
}
