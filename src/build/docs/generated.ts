/** The generated files of the repository, derived from the command tree and the schema of the copy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { shells } from '../../cli/completion/shells.ts';
import { readTree } from '../../cli/help/description.ts';
import type { Call } from '../../cli/runtime/command-context.ts';
import type { Context } from '../../cli/runtime/context.ts';
import { commandTree } from '../../cli/runtime/program.ts';
import { copyTablesPage } from './copy-tables-page.ts';
import { manPages } from './man-pages.ts';
import { referencePage } from './reference-page.ts';
import { type GeneratedFile, root } from './write-generated.ts';

/** The scripts of all shells. */
export function completionFiles(): GeneratedFile[] {
  return Object.values(shells).map(({ file, script }) => ({
    name: `completions/${file}`,
    text: script,
  }));
}

/** The man pages, the command reference, and the tables of the copy. */
export async function referenceFiles(): Promise<GeneratedFile[]> {
  const tree = readTree(commandTree());
  const copyTables = 'docs/copy-tables.md';
  const text = copyTablesPage(readFileSync(join(root, copyTables), 'utf8'));
  const pages = [{ name: 'docs/reference.md', text: referencePage(tree) }];
  return [...manPages(tree), ...pages, { name: copyTables, text }];
}
