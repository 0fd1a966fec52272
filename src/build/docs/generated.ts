/** The files of completions/, as they have to be: all of them come out of the one command tree. */
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
  return Object.values(shells).map(({ file, script }) => ({ name: file, text: script }));
}

/** The man pages, and the command reference. */
export async function referenceFiles(): Promise<GeneratedFile[]> {
  const tree = await readTree(await buildWholeProgram(quietCall()));
  return [...manPages(tree), { name: 'reference.md', text: referencePage(tree) }];
}

/** A call that nobody sees: the tree is built, and no command runs. */
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
    prompts: () => Promise.reject(new Error('nobody is asked')),
  };
  return { context, code: 0 };
}
