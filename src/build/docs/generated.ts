/** The generated files of the repository. All are derived from the command tree. */
import { PassThrough } from 'node:stream';
import { shells } from '../../cli/completion/shells.ts';
import { readTree } from '../../cli/completion/tree.ts';
import type { Call } from '../../cli/runtime/command-context.ts';
import type { Context } from '../../cli/runtime/context.ts';
import { buildWholeProgram } from '../../cli/runtime/program.ts';
import { manPages } from './man-pages.ts';
import { referencePage } from './reference-page.ts';
import type { GeneratedFile } from './write-generated.ts';

/** The scripts of all shells. */
export function completionFiles(): GeneratedFile[] {
  return Object.values(shells).map(({ file, script }) => ({
    name: `completions/${file}`,
    text: script,
  }));
}

/** The man pages, and the command reference. */
export async function referenceFiles(): Promise<GeneratedFile[]> {
  const tree = readTree(buildWholeProgram(quietCall()));
  return [...manPages(tree), { name: 'docs/reference.md', text: referencePage(tree) }];
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
    prompts: () => Promise.reject(new Error('no prompts')),
  };
  return { context, code: 0 };
}
