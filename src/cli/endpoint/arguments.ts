/** The arguments of an operation as typed, and what a command adds to its operation. */
import type { Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import type { Day } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { ChartFacts } from '../display/chart.ts';
import type { Layout, View } from '../display/view.ts';
import { holdsDays, type Typed } from '../flags/flags.ts';
import type { ShowFlags } from '../flags/show-flags.ts';
import { messageOf, readArguments } from '../flags/values.ts';
import type { Effect } from '../help/help-text.ts';
import { askForMissing } from '../prompts/ask.ts';
import type { Call, CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { todayOf } from '../session/service-clock.ts';

/** What a command adds to its operation in the catalogue. */
export interface EndpointOptions {
  /** Default: rows. */
  readonly layout?: Layout;
  view?(args: Arguments): View;
  readonly chart?: ChartFacts;
  /** The argument that may be typed several times, or read from stdin with `-`. */
  readonly many?: string;
  readonly flags?: readonly Option[];
  /** Adds arguments from elsewhere, such as a file. */
  fill?(cmd: CommandContext, typed: Typed): Promise<Typed>;
  /** Runs instead of the operation if the flags ask for it; returns whether they do. */
  instead?(cmd: CommandContext, typed: Typed & ShowFlags): Promise<boolean>;
  /** Shows a person what a write is about to change, before it is confirmed. */
  preview?(cmd: CommandContext, api: Client, args: Arguments): Promise<void>;
  /** Verifies a no, which can also mean that the service refused to answer. */
  confirmNo?(api: Client, args: Arguments): Promise<boolean>;
  readonly examples?: readonly string[];
  /** Default: a GET or HEAD reads, a DELETE destroys, and any other request writes. */
  readonly effect?: Effect;
  /** Adds the command that follows in the help and is not in the catalogue. */
  addNext?(group: Command, call: Call): void;
}

/** The arguments, completed by prompts and checked before anything is sent. */
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
    const wordsOf = (some: typeof findings) => some.map((one) => messageOf(operation, one));
    const problems = findings.filter(({ weight }) => weight === 'problem');
    const missing = problems.filter(({ isMissing }) => isMissing);
    // askForMissing names missing required parameters, or asks for them.
    const told = problems.filter(({ code }) => code !== 'missing');
    const isWrong = told.some(({ isMissing }) => !isMissing || !cmd.mayAsk);
    if (isWrong) throw usage(wordsOf(told).join('; '));
    if (missing.length === 0) {
      return { args, notes: wordsOf(findings.filter(({ weight }) => weight === 'note')) };
    }
    const asked = missing.flatMap(({ param = [] }) => param);
    given = { ...given, ...(await askForMissing(cmd, operation, asked, args)) };
  }
}
