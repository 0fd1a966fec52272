/** A request as the command line that sends it. */
import type { Arguments, Operation, Params } from '../../operations/operation.ts';
import { isArgument, kebab } from '../flags.ts';

/** `more` are flags beside those of the operation. Quoted as a POSIX shell wants it. */
export function commandLine<P extends Params>(
  operation: Operation<P>,
  args: Arguments<P>,
  more: readonly string[],
): string {
  const given = Object.entries(args as Readonly<Record<string, unknown>>);
  const words = given.map(([name, value]) => {
    const typed = quoted(String(value));
    if (isArgument(operation, name)) return typed;
    if (typeof value === 'boolean') return value ? `--${kebab(name)}` : `--no-${kebab(name)}`;
    return `--${kebab(name)} ${typed}`;
  });
  return ['cb', operation.command, ...words, ...more].join(' ');
}

/** As it is where a shell sees nothing in it, else between single quotes. */
export function quoted(text: string): string {
  return /^[\w%+,./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
