import type { Arguments, Operation } from '../operations/operation.ts';
import type { CommandContext } from './context.ts';
import { isArgument, optionWord } from './options/flags.ts';

/** `cb orders reinstate MONTHLY1 --sandbox`: the command of an operation and its arguments, to copy. */
export function commandLine(
  cmd: Pick<CommandContext, 'flags'>,
  operation: Operation,
  args: Arguments,
  more: readonly string[] = [],
): string {
  const words = Object.entries(args).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (isArgument(operation, name)) return [shellWord(String(value))];
    if (typeof value === 'boolean') return [`--${value ? '' : 'no-'}${optionWord(name)}`];
    return [`--${optionWord(name)} ${shellWord(String(value))}`];
  });
  return ['cb', operation.command, ...words, ...serviceWords(cmd), ...more].join(' ');
}

/** The global options that name the service of a command, for a command line to copy. */
export function serviceWords({ flags }: Pick<CommandContext, 'flags'>): string[] {
  const { sandbox, profile } = flags;
  return [
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile !== undefined ? [`--profile ${shellWord(profile)}`] : []),
  ];
}

/** A word as it is typed in a POSIX shell: as it is where the shell sees nothing in it, else between single quotes. */
export function shellWord(text: string): string {
  return /^[\w%+,./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
