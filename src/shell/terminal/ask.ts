/** Prompts for missing arguments and for confirmation. */
import type { Operation } from '../../operations/operation.ts';
import { fittingValues } from '../../operations/validate.ts';
import { plain } from '../../output/table/terminal-text.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes, Failure, usage } from '../failure.ts';
import { valueList } from '../options/findings.ts';
import { flagName } from '../options/flags.ts';
import { problemIn } from '../options/values.ts';
import { todayOf } from '../session/session.ts';

/** `known` has the other arguments. Without a terminal, throws a usage failure that names the missing ones. */
export async function askForMissing(
  cmd: CommandContext,
  operation: Operation,
  missing: readonly string[],
  known: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  if (missing.length === 0) return {};
  const today = await todayOf(cmd);
  if (!cmd.mayAsk) throw missingArguments(operation, missing, known, today);
  const prompts = await cmd.context.prompts();
  const answers: Record<string, string> = {};
  for (const name of missing) {
    const param = operation.params[name];
    if (!param) continue;
    const question = `${param.summary}:`;
    const fitting = fittingValues(operation, name, { ...known, ...answers }, today);
    const choices = fitting.map(([value, meaning]) => ({
      value,
      name: meaning ? `${value}: ${meaning}` : value,
    }));
    answers[name] = param.values
      ? await prompts.select(question, choices)
      : await prompts.input(question, (answer) =>
          problemIn(operation, { ...known, ...answers, [name]: answer }, name, today),
        );
  }
  return answers;
}

function missingArguments(
  operation: Operation,
  missing: readonly string[],
  known: Readonly<Record<string, unknown>>,
  today: string,
): Failure {
  const names = missing.map((name) => flagName(operation, name)).join(', ');
  const choice = missing.find((name) => operation.params[name]?.values);
  const hintOn = (name: string) => {
    const values = fittingValues(operation, name, known, today).map(([value]) => value);
    return `Values of ${flagName(operation, name)}: ${valueList(values, operation.params[name])}.`;
  };
  return usage(`${names} ${missing.length === 1 ? 'is' : 'are'} missing.`, {
    hint: choice && hintOn(choice),
    next: `cb ${operation.command} --help`,
  });
}

export interface Confirmation {
  readonly yes?: boolean | undefined;
  /** Why it needs confirmation here. */
  readonly because?: string;
  /** What holds if the answer is no. */
  readonly unchanged?: string;
  /** What else to do without a terminal. */
  readonly hint?: string;
}

/** Throws if a command needs confirmation and prompts are not possible. */
export function requirePrompts(
  { mayAsk }: CommandContext,
  {
    because = 'not running in a terminal',
    unchanged = 'Nothing was sent.',
    hint = 'Pass --dry-run to see what would be sent.',
  }: Confirmation = {},
): void {
  if (mayAsk) return;
  const message = `Confirmation required: ${because}. Pass --yes to proceed.`;
  throw new Failure(exitCodes.declined, message, { hint: `${unchanged} ${hint}`.trim() });
}

/** Returns if the person confirms, or has with --yes; throws otherwise. */
export async function confirm(
  cmd: CommandContext,
  question: string,
  confirmation: Confirmation = {},
): Promise<void> {
  if (confirmation.yes) return;
  requirePrompts(cmd, confirmation);
  const prompts = await cmd.context.prompts();
  if (await prompts.confirm(plain(question))) return;
  const { unchanged = 'Nothing was sent.' } = confirmation;
  throw new Failure(exitCodes.declined, `Declined. ${unchanged}`);
}

/** The same before something goes to another machine. */
export async function confirmHost(
  cmd: CommandContext,
  question: string,
  host: string,
  confirmation: Confirmation = {},
): Promise<void> {
  const because = `${host} is not this machine`;
  await confirm(cmd, question, { because, hint: '', ...confirmation });
}
