/** One call of cb from its arguments to its exit code: the same for the binary and for tests. */
import { type Command, CommanderError } from 'commander';
import { addAliasHelp } from '../help/alias-block.ts';
import { expandAlias } from '../session/aliases.ts';
import { askedIn, readArgv } from './argv.ts';
import type { Call } from './command-context.ts';
import type { Context } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { Failure, failureFrom, usage } from './failure.ts';
import { messagesOf, report } from './messages.ts';
import { buildProgram, buildWholeProgram, commandNames, stopsAtGroup } from './program.ts';

/** `argv` is without the program's name. Never throws. */
export async function run(argv: readonly string[], context: Context): Promise<number> {
  if (argv[0] === '__complete') {
    const { complete } = await import('../completion/complete.ts');
    await complete(argv.slice(1), context, async () => buildWholeProgram({ context, code: 0 }));
    return exitCodes.ok;
  }
  let line = argv;
  try {
    line = await expandAlias(argv, context, commandNames);
    const call: Call = { context, asked: askedIn(line), code: exitCodes.ok };
    const program = buildProgram(line, call);
    await addAliasHelp(program, context, line);
    program.hook('preAction', (_, command) => {
      context.command = pathOf(command);
    });
    const words = stopsAtGroup(line, program) ? [...line, '--help'] : [...line];
    await program.parseAsync(words, { from: 'user' });
    if (call.next) return await run(call.next, context);
    return context.signal.aborted && call.code === exitCodes.ok ? stoppedBy(context) : call.code;
  } catch (error) {
    return codeOf(error, line, context);
  } finally {
    await context.onEnd?.();
  }
}

/** As in `orders list`: without the program, and without arguments. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent ? `${pathOf(parent)} ${command.name()}`.trim() : '';
}

function codeOf(error: unknown, argv: readonly string[], context: Context): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
  if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return exitCodes.ok;
  const thrown = error instanceof CommanderError ? wrongWords(error) : failureFrom(error);
  const { aborted } = context.signal;
  // What was under way may be done: that is told whatever ended it.
  if (aborted && thrown.code !== exitCodes.incomplete) return stoppedBy(context);
  const failure = aborted ? new Failure(codeOfSignal(context), thrown.message, thrown) : thrown;
  report(context, failure, readArgv(argv));
  return failure.code;
}

function stoppedBy(context: Context): number {
  messagesOf(context).say('cb: Interrupted.');
  return codeOfSignal(context);
}

/** The signal's reason is the exit code: 130 for SIGINT, 143 for SIGTERM, 129 for SIGHUP. */
function codeOfSignal({ signal }: Context): ExitCode {
  return typeof signal.reason === 'number' ? (signal.reason as ExitCode) : exitCodes.interrupted;
}

/** What commander says of a command line, in our form. */
function wrongWords(error: CommanderError): Failure {
  const [message = '', suggestion = ''] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion.replace(/^\(|\)$/g, '').replace('Did you mean', 'did you mean');
  return usage(message, { hint: hint || '--help lists what there is' });
}
