/** Runs one call of cb, from its arguments to its exit code. The binary and the tests use the same function. */
import { CommanderError } from 'commander';
import { commandTree } from './program.ts';
import { readArgv } from './shell/argv.ts';
import {
  type Call,
  type Context,
  contextFor,
  messagesOf,
  report,
  withoutEmptySettings,
} from './shell/context.ts';
import type { Branch } from './shell/define.ts';
import { codeOfSignal, exitCodes, Failure, failureFrom } from './shell/failure.ts';
import { Mistake, parseLine } from './shell/parse.ts';
import { expandAlias } from './shell/session/aliases.ts';

/** `typed` excludes the name of the program. Never throws. */
export async function run(typed: readonly string[], world: Context): Promise<number> {
  const context = withoutEmptySettings(world);
  if (typed[0] === '__complete') {
    const { complete } = await import('./shell/completion/complete.ts');
    await complete(typed.slice(1), context, async () => commandTree());
    return exitCodes.ok;
  }
  const line = { tokens: typed };
  try {
    line.tokens = await expandAlias(typed, context);
    return await runLine(line, commandTree(), context);
  } catch (error) {
    return codeOf(error, line.tokens, context);
  }
}

/** A line that commander refuses runs once more if it is another spelling of a command that reads. */
async function runLine(
  line: { tokens: readonly string[] },
  root: Branch,
  context: Context,
  isCorrected = false,
): Promise<number> {
  const call: Call = { context, code: exitCodes.ok };
  try {
    await parseLine(line.tokens, root, call, isCorrected);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    if (!error.isHelp) {
      const { explain, readable } = await import('./shell/grammar/explain.ts');
      const tokens = isCorrected ? undefined : readable(line.tokens, root);
      if (tokens) {
        line.tokens = tokens;
        return await runLine(line, root, context, true);
      }
      if (error.refusal !== 'help') throw explain(error, line.tokens, root);
    }
    const { showHelp } = await import('./shell/help/description.ts');
    await showHelp(error.branch, line.tokens, contextFor(call, readArgv(line.tokens)));
  }
  if (call.next) return run(call.next, context);
  return context.signal.aborted && call.code === exitCodes.ok ? stoppedBy(context) : call.code;
}

function codeOf(error: unknown, argv: readonly string[], context: Context): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
  if ((error as NodeJS.ErrnoException)?.code === 'EPIPE') return exitCodes.ok;
  const thrown = failureFrom(error);
  const { aborted } = context.signal;
  // A write that was interrupted may be done, so an incomplete outcome is reported even after a signal.
  if (aborted && thrown.code !== exitCodes.incomplete) return stoppedBy(context);
  const failure = aborted
    ? new Failure(codeOfSignal(context.signal), thrown.message, thrown)
    : thrown;
  report(context, failure, readArgv(argv));
  return failure.code;
}

function stoppedBy(context: Context): number {
  messagesOf(context).say('cb: Interrupted.');
  return codeOfSignal(context.signal);
}
