/** The tables of a copy as Markdown, in docs/copy-tables.md. */
import { dataTables, stateTables, typeOf } from '../../features/sync/database/schema.ts';
import {
  type Column,
  columnsOf,
  type Index,
  type Table,
} from '../../features/sync/tables/table.ts';

/** What follows this line of the page is generated. */
const marker = '<!-- `npm run reference` writes what follows. -->';

/** Returns the page with its tables as the code has them; `page` is the page before. */
export function copyTablesPage(page: string): string {
  const [text = ''] = page.split(marker);
  return [
    `${text}${marker}`,
    '## Tables',
    ...dataTables.map((table) => section(table, columnsOf(table), ['account', ...table.key])),
    '## State of the sync',
    'These tables tell which days are complete. Read them, but do not write to them.',
    ...stateTables.map((table) => section(table, table.columns, table.key)),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function section(table: Table, columns: readonly Column[], key: readonly string[]): string {
  return [
    `### ${table.name}`,
    `${table.comment}. Since version ${table.since}. Primary key: ${named(key)}.${indexText(table.indexes)}`,
    [
      '| column | PostgreSQL | SQLite | meaning |',
      '|---|---|---|---|',
      ...columns.map((column) => row(column, table.since)),
    ].join('\n'),
  ].join('\n\n');
}

function row(column: Column, tableSince: number): string {
  const { name, comment, personal, since } = column;
  const remarks = [
    ...(personal ? ['personal'] : []),
    ...(since > tableSince ? [`since version ${since}`] : []),
  ];
  const meaning = [comment, ...remarks].join('; ');
  const types = [typeOf(column, 'postgres'), typeOf(column, 'sqlite')];
  return `| \`${name}\` | ${types.join(' | ')} | ${meaning} |`;
}

function indexText(indexes: readonly Index[] = []): string {
  if (indexes.length === 0) return '';
  const word = indexes.length === 1 ? 'Index' : 'Indexes';
  return ` ${word}: ${indexes.map(({ columns }) => named(columns)).join('; ')}.`;
}

function named(columns: readonly string[]): string {
  return columns.map((name) => `\`${name}\``).join(', ');
}
