/** The generated files of the repository, derived from the command tree and the schema of the copy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataTables, stateTables, typeNames } from '../features/sync/database/schema.ts';
import { type Column, columnsOf, type Table } from '../features/sync/tables/table.ts';
import { commandTree } from '../program.ts';
import { type CompiledFile, root } from './compile.ts';
import { manPages, referencePage } from './reference-page.ts';
import { skillPage } from './skill-page.ts';

/** The man pages, the command reference, the skill for agents, and the tables of the copy, by their paths below the root. */
export function referenceFiles(): CompiledFile[] {
  const tree = commandTree();
  const copyTables = 'docs/copy-tables.md';
  const text = copyTablesPage(readFileSync(join(root, copyTables), 'utf8'));
  return [
    ...manPages(tree),
    { name: 'docs/reference.md', text: referencePage(tree) },
    { name: 'completions/SKILL.md', text: skillPage(tree) },
    { name: copyTables, text },
  ];
}

/** What follows this line of the page is generated. */
const marker = '<!-- `npm run reference` writes what follows. -->';

/** Returns the page with its tables as the code has them; `page` is the page before. */
function copyTablesPage(page: string): string {
  const [text = ''] = page.split(marker);
  return [
    `${text}${marker}`,
    '## Tables',
    ...dataTables.map((table) => section(table, columnsOf(table), ['account', ...table.key])),
    '## State of the sync',
    'These tables show which days are complete. Read them, but do not write to them.',
    ...stateTables.map((table) => section(table, table.columns, table.key)),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function section(table: Table, columns: readonly Column[], key: readonly string[]): string {
  return [
    `### ${table.name}`,
    `${table.comment}. Primary key: ${named(key)}.${indexText(table.indexes)}`,
    ['| column | PostgreSQL | SQLite | meaning |', '|---|---|---|---|', ...columns.map(row)].join(
      '\n',
    ),
  ].join('\n\n');
}

function row({ name, comment, personal, type }: Column): string {
  const meaning = personal ? `${comment}; personal` : comment;
  return `| \`${name}\` | ${typeNames.postgres[type]} | ${typeNames.sqlite[type]} | ${meaning} |`;
}

function indexText(indexes: Table['indexes'] = {}): string {
  const each = Object.values(indexes);
  if (each.length === 0) return '';
  return ` ${each.length === 1 ? 'Index' : 'Indexes'}: ${each.map(named).join('; ')}.`;
}

function named(columns: readonly string[]): string {
  return columns.map((name) => `\`${name}\``).join(', ');
}
