/** Runs one call of cb, from its arguments to its exit code. The binary and the tests use the same function. */
import { CommanderError } from 'commander';
import { canonicalArgv } from '../grammar/canonical.ts';
import type { Line } from '../grammar/explain.ts';
import { Mistake, Unclear } from '../grammar/mistake.ts';
import { pathOf } from '../grammar/say.ts';
import { tokensToParse } from '../grammar/typed-line.ts';
import { expandAlias } from '../session/aliases.ts';
import { askedIn, commandNames, readArgv } from './argv.ts';
import { HelpRequest } from './command.ts';
import type { Call } from './command-context.ts';
import { type Context, withoutEmptySettings } from './context.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { Failure, failureFrom } from './failure.ts';
import { messagesOf, report } from './messages.ts';
import { buildProgram, buildWholeProgram, commandTree, stopsAtGroup } from './program.ts';

/** `typed` excludes the name of the program. Never throws. */
export async function run(typed: readonly string[], world: Context): Promise<number> {
  const context = withoutEmptySettings(world);
  if (typed[0] === '__complete') {
    const { complete } = await import('../completion/complete.ts');
    await complete(typed.slice(1), context, async () => buildWholeProgram({ context, code: 0 }));
    return exitCodes.ok;
  }
  let argv = typed;
  try {
    const expanded = await expandAlias(typed, context, commandNames);
    argv = canonicalArgv(expanded, commandTree(context));
    return await runLine(expanded, argv, context);
  } catch (error) {
    const thrown = await explained(error, { typed, argv }, context);
    return codeOf(thrown, argv, context);
  } finally {
    await context.onEnd?.();
  }
}

async function runLine(
  typed: readonly string[],
  argv: readonly string[],
  context: Context,
): Promise<number> {
  const call: Call = { context, asked: askedIn(argv), code: exitCodes.ok };
  const program = buildProgram(argv, call);
  const line = tokensToParse(typed, argv, program);
  program.hook('preAction', (_, command) => {
    context.command = pathOf(command);
  });
  const words = stopsAtGroup(argv, program) ? [...argv, '--help'] : [...line];
  await program.parseAsync(words, { from: 'user' }).catch(async (error: unknown) => {
    if (!(error instanceof HelpRequest)) throw error;
    const { showHelp } = await import('../help/show-help.ts');
    await showHelp(error.command, argv, context);
  });
  if (call.next) return run(call.next, context);
  return context.signal.aborted && call.code === exitCodes.ok ? stoppedBy(context) : call.code;
}

/** What a mistake means is known to modules that no other call needs. */
async function explained(error: unknown, line: Line, context: Context): Promise<unknown> {
  if (!(error instanceof Mistake || error instanceof Unclear)) return error;
  const { explain } = await import('../grammar/explain.ts');
  return explain(error, line, () => buildWholeProgram({ context, code: exitCodes.ok }));
}

function codeOf(error: unknown, argv: readonly string[], context: Context): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
  if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return exitCodes.ok;
  const thrown = failureFrom(error);
  const { aborted } = context.signal;
  // A write that was interrupted may be done, so an incomplete outcome is reported even after a signal.
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
