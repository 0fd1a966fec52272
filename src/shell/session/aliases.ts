/** Aliases: names that a user gives to command lines. */
import { countOf } from '../../decimals/decimals.ts';
import { commandNames, readArgv } from '../argv.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { profilesOf } from './stored-profiles.ts';

export interface Alias {
  readonly name: string;
  /** The command line that it stands for, without `cb`. */
  readonly command: string;
}

export const aliasName = /^[A-Za-z][\w-]{0,63}$/;

/** In the order of their names. Rejects if the file can't be read; commands that need the file report why. */
export async function aliasesOf(context: Context): Promise<readonly Alias[]> {
  const stored = (await profilesOf({ context })).aliases();
  const all = [...stored].map(([name, command]) => ({ name, command }));
  return all.filter(({ name }) => aliasName.test(name));
}

/**
 * Replaces an alias, the first word after options of cb, by the command line that it stands for. No file is read for
 * a command of cb. Throws a usage failure if an argument is missing, unless the line asks for help or `isPartial`.
 */
export async function expandAlias(
  argv: readonly string[],
  context: Context,
  { isPartial = false } = {},
): Promise<readonly string[]> {
  const { start } = readArgv(argv);
  const name = argv[start ?? argv.length] ?? '';
  if (start === undefined || commandNames.includes(name) || !aliasName.test(name)) return argv;
  const aliases = await aliasesOf(context).catch(() => []);
  const line = aliases.find((alias) => alias.name === name)?.command;
  if (line === undefined) return argv;
  const given = argv.slice(start + 1);
  const parts = await splitWords(line);
  const before = argv.slice(0, start);
  if (given.some((word) => word === '-h' || word === '--help')) {
    return [...before, ...parts.filter((part) => part !== allArguments), ...given];
  }
  const numbers = parts.flatMap((part) => [...part.matchAll(placeholders)]);
  const needed = Math.max(0, ...numbers.map(([, digit]) => Number(digit)));
  if (given.length < needed && !isPartial) {
    const what = `${countOf(needed, 'argument')}, but got ${given.length}`;
    throw usage(`The alias '${name}' needs ${what}.`, { hint: `It stands for: ${line}` });
  }
  // Each argument stays one word. Arguments without a placeholder are appended.
  const words = parts.flatMap((part) =>
    part === allArguments
      ? given
      : part.replace(placeholders, (name, digit) => given[Number(digit) - 1] ?? name),
  );
  return [...before, ...words, ...(parts.includes(allArguments) ? [] : given.slice(needed))];
}

export const allArguments = '$@';

const placeholders = /\$([1-9])/g;

/** Splits a command line as a shell does. Throws a usage failure if a quotation mark is missing. */
export async function splitWords(line: string): Promise<readonly string[]> {
  const { split } = await import('shlex');
  try {
    return split(line);
  } catch (cause) {
    throw usage(`A quotation mark is missing in: ${line}`, { cause });
  }
}
