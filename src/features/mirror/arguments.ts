/** Reads the arguments of an operation, and describes what a command adds to its operation. */
import { text } from 'node:stream/consumers';
import type { Option } from 'commander';
import type { Client } from '../../client/client.ts';
import type { Day } from '../../dates/day.ts';
import { type Arguments, isWrite, type Operation } from '../../operations/operation.ts';
import type { CommandContext } from '../../shell/context.ts';
import type { AnySpec } from '../../shell/define.ts';
import type { ChartFacts } from '../../shell/display/chart.ts';
import type { View, ViewFacts } from '../../shell/display/view.ts';
import { usage } from '../../shell/failure.ts';
import type { Effect } from '../../shell/help/help-text.ts';
import { explain } from '../../shell/options/findings.ts';
import { flagName, holdsDays, type Typed } from '../../shell/options/flags.ts';
import type { ShowFlags } from '../../shell/options/show-flags.ts';
import { readArguments } from '../../shell/options/values.ts';
import { todayOf, withApi } from '../../shell/session/session.ts';
import { profileInUse, settingsOf } from '../../shell/session/stored-profiles.ts';
import { askForMissing } from '../../shell/terminal/ask.ts';
import { accountsOf } from '../earnings/transaction.ts';

/** What a command adds to its operation in the catalogue. */
export interface EndpointOptions {
  view?(args: Arguments, facts?: Partial<ViewFacts>): View;
  readonly chart?: ChartFacts;
  /** Files have `--layout`. */
  readonly layouts?: boolean;
  /** The argument that may be typed several times, or read from stdin with `-`. */
  readonly many?: string;
  readonly flags?: readonly Option[];
  /** Adds arguments from elsewhere, such as a file. */
  fill?(cmd: CommandContext, typed: Typed): Promise<Typed>;
  /** Runs instead of the operation if the options request it; returns whether they do. */
  instead?(cmd: CommandContext, typed: Typed & ShowFlags): Promise<boolean>;
  /** Shows what a write is about to change, before it is confirmed and in a dry run. */
  preview?(cmd: CommandContext, api: Client, args: Arguments): Promise<void>;
  /** Tells a person at a terminal what else to know about the rows of a single request. */
  tellMore?(cmd: CommandContext, api: Client, args: Arguments): Promise<void>;
  /** Verifies the answer no, which the service also returns for refused requests. */
  confirmNo?(api: Client, args: Arguments): Promise<boolean>;
  readonly examples?: readonly string[];
  /** Default: a GET or HEAD reads, a DELETE destroys, and any other request writes. */
  readonly effect?: Effect;
  /** The command that follows in the help and is not in the catalogue. */
  readonly next?: AnySpec;
}

/**
 * Reads the arguments of each request: one for each ID, such as a receipt, or a single one. `many` may be typed several
 * times, for reads also with commas, and `-` stands for the words on stdin. Repeated IDs count once.
 */
export async function argumentsOfEach(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  many: string | undefined,
  day?: Day,
): Promise<{ each: readonly [Arguments, ...Arguments[]]; notes: readonly string[] }> {
  const each = new Map<string, Arguments>();
  const notes: string[] = [];
  for (const one of await typedOfEach(cmd, operation, typed, many)) {
    const read = await argumentsFrom(cmd, operation, one, day);
    // The notes are on the options, which are the same for each.
    if (each.size === 0) notes.push(...read.notes);
    each.set(JSON.stringify(read.args), read.args);
  }
  const [first = {}, ...others] = each.values();
  return { each: [first, ...others], notes };
}

async function typedOfEach(
  { context }: CommandContext,
  operation: Operation,
  typed: Typed,
  many: string | undefined,
): Promise<Typed[]> {
  const given = many === undefined ? undefined : typed[many];
  if (many === undefined || !Array.isArray(given)) return [typed];
  const mayJoin = !isWrite(operation);
  const ids: string[] = [];
  for (const one of given.map(String)) {
    if (one === '-') ids.push(...idsIn(await text(context.stdin), mayJoin ? /[\s,]+/ : /\s+/));
    // A word without a comma stays as it is: an empty one is reported.
    else ids.push(...(mayJoin && one.includes(',') ? idsIn(one) : [one]));
  }
  if (ids.length === 0) throw usage(`<${many}> is missing: standard input is empty.`);
  const joined = mayJoin ? undefined : ids.find((id) => id.includes(','));
  if (joined !== undefined) {
    // In 1,50 the comma could also belong to a number, and what is written can't be taken back.
    throw usage(`'${joined}' is not a <${many}>: nothing was sent.`, {
      hint: `To write to several, separate them with spaces: ${idsIn(joined).join(' ')}.`,
    });
  }
  return ids.map((id) => ({ ...typed, [many]: id }));
}

function idsIn(list: string, separator = /[\s,]+/): string[] {
  return list.split(separator).filter(Boolean);
}

/**
 * The account of a read that requires one: that of the settings, the only one of the key, or the one that the person chooses.
 * Undefined if the key may not list its accounts, or if more than the account is missing and nobody can be asked.
 */
async function accountFor(
  cmd: CommandContext,
  option: string,
  isAlone: boolean,
): Promise<string | undefined> {
  const { account } = await settingsOf(cmd, await profileInUse(cmd));
  if (typeof account === 'string') return account;
  if (!cmd.mayAsk && !isAlone) return undefined;
  const accounts = await withApi(cmd, {}, (client) => accountsOf(client)).catch(() => []);
  const [only, another] = accounts;
  if (another === undefined) return only;
  if (!cmd.mayAsk) {
    throw usage(`${option} is missing.`, {
      hint: `Accounts of this key: ${accounts.join(', ')}.`,
      next: `cb config set account ${only}`,
    });
  }
  const choices = accounts.map((value) => ({ value, name: value }));
  return (await cmd.context.prompts()).select('Which account?', choices);
}

/** Returns the arguments, completed by prompts and checked before anything is sent. */
export async function argumentsFrom(
  cmd: CommandContext,
  operation: Operation,
  typed: Typed,
  day?: Day,
): Promise<{ readonly args: Arguments; readonly notes: readonly string[] }> {
  const source = holdsDays(operation, typed) ? 'local' : 'machine';
  const today = day ?? (await todayOf(cmd, source));
  let given = typed;
  for (;;) {
    const { args, findings } = readArguments(operation, given, today);
    const explained = (some: typeof findings) => some.map((one) => explain(operation, one, today));
    const problems = findings.filter(({ weight }) => weight === 'problem');
    const missing = problems.filter(({ isMissing }) => isMissing);
    // askForMissing prompts for missing required parameters, or reports them.
    const reportable = problems.filter(({ code }) => code !== 'missing');
    const isWrong = reportable.some(({ isMissing }) => !isMissing || !cmd.mayAsk);
    if (isWrong) {
      const wrong = explained(reportable);
      const hints = new Set(wrong.flatMap(({ hint }) => hint ?? []));
      throw usage(wrong.map(({ message }) => message).join(' '), {
        hint: hints.size > 0 ? [...hints].join(' ') : undefined,
      });
    }
    if (missing.length === 0) {
      const notes = explained(findings.filter(({ weight }) => weight === 'note'));
      return { args, notes: notes.map(({ message }) => message) };
    }
    const asked = missing.flatMap(({ param = [] }) => param);
    const name = asked.find((one) => operation.params[one]?.names === 'account');
    const account =
      name === undefined || isWrite(operation)
        ? undefined
        : await accountFor(cmd, flagName(operation, name), asked.length === 1);
    given = {
      ...given,
      ...(name !== undefined && account !== undefined
        ? { [name]: account }
        : await askForMissing(cmd, operation, asked, args)),
    };
  }
}
