/** `--local` and `--database`: a command answers from the copy that `cb sync` makes. */
import { Option } from 'commander';
import { helpGroups } from '../flags/flags.ts';
import { isAsReceived, type OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext, CopyAnswers } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';

export interface LocalFlags {
  readonly local?: boolean;
  readonly database?: string;
}

export const localOptions = {
  local: new Option('--local', 'Answer from the copy of cb sync, without requests').helpGroup(
    helpGroups.filters,
  ),
  database: new Option(
    '--database <db>',
    'The same from another copy: an SQLite file or a PostgreSQL URL',
  ).helpGroup(helpGroups.filters),
};

/** Returns a context that answers from the copy if the options say so. */
export function answering(
  cmd: CommandContext,
  { local, database }: LocalFlags,
  output?: OutputOptions,
): CommandContext {
  if (!local && database === undefined) return cmd;
  if (output) requireRows(output);
  const load = async () => (await import('./copy-answers.ts')).copyAnswers(database);
  const copy: CopyAnswers = {
    session: async (one) => (await load()).session(one),
    client: async (one, session) => (await load()).client(one, session),
    now: async (one) => (await load()).now(one),
  };
  return { ...cmd, copy };
}

/** A copy has rows, not the responses of ClickBank, and it has no state of exports. */
function requireRows(output: OutputOptions): void {
  const { resume, sinceLast, append, format } = output;
  const option = isAsReceived(output)
    ? format === 'raw'
      ? '--raw'
      : '-o xml'
    : resume
      ? '--resume'
      : (sinceLast ?? append) !== undefined
        ? '--since-last'
        : undefined;
  if (option === undefined) return;
  throw usage(`${option} can't be used with --local.`, {
    hint: 'Leave out one of them.',
  });
}
