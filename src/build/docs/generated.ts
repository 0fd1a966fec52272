/** The generated files of the repository, derived from the command tree and the schema of the copy. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandTree } from '../../program.ts';
import { shells } from '../../shell/completion/shells.ts';
import { readTree } from '../../shell/help/description.ts';
import { copyTablesPage } from './copy-tables-page.ts';
import { manPages, referencePage } from './reference-page.ts';

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

export interface GeneratedFile {
  /** The path relative to the root of the repository. */
  readonly name: string;
  readonly text: string;
}

export const root = fileURLToPath(new URL('../../../', import.meta.url));

export function writeGenerated(files: readonly GeneratedFile[]): void {
  for (const { name, text } of files) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
