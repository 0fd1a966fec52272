/** The generated files of the repository, derived from the command tree and the schema of the copy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { shells } from '../../cli/completion/shells.ts';
import { readTree } from '../../cli/completion/tree.ts';
import type { Call } from '../../cli/runtime/command-context.ts';
import type { Context } from '../../cli/runtime/context.ts';
import { buildWholeProgram } from '../../cli/runtime/program.ts';
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
  const tree = readTree(buildWholeProgram(quietCall()));
  const copyTables = 'docs/copy-tables.md';
  const text = copyTablesPage(readFileSync(join(root, copyTables), 'utf8'));
  const pages = [{ name: 'docs/reference.md', text: referencePage(tree) }];
  return [...manPages(tree), ...pages, { name: copyTables, text }];
}

/** A call for building the command tree; no command runs. */
export function quietCall(): Call {
  const screen = Object.assign(new PassThrough(), { columns: 80 });
  const context: Context = {
    stdin: new PassThrough(),
    stdout: screen,
    stderr: screen,
    env: {},
    platform: 'linux',
    runtime: { node: '20.18.0' },
    user: undefined,
    processes: { own: 1, isRunning: () => true },
    home: '/',
    zone: 'America/Los_Angeles',
    folder: '/',
    now: () => new Date(0),
    signal: new AbortController().signal,
    startQueries: () => Promise.reject(new Error('no queries')),
    prompts: () => Promise.reject(new Error('no prompts')),
  };
  return { context, code: 0 };
}
