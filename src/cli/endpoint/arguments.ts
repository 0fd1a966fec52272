/** What a command adds to its operation, and the arguments that its flags amount to. */
import type { Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import type { Day } from '../../dates/day.ts';
import type { Arguments, Operation } from '../../operations/operation.ts';
import type { ChartFacts } from '../display/chart.ts';
import type { Layout, View } from '../display/view.ts';
import { holdsDays, type Typed } from '../flags/flags.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { messageOf, readArguments } from '../flags/values.ts';
import { askForMissing } from '../prompts/ask.ts';
import type { Call, CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { todayOf } from '../session/service-clock.ts';

/** What one command adds to what the catalogue says of its operation. */
export interface EndpointOptions {
  /** How a table looks; rows when absent. */
  readonly layout?: Layout;
  /** How rows look that aren't shown as they come. */
  view?(args: Arguments): View;
  /** The rows can be drawn as a chart. */
  readonly chart?: ChartFacts;
  /** The argument that may be typed several times, or read from stdin with `-`. */
  readonly many?: string;
  /** Flags beside those of the operation. */
  readonly flags?: readonly Option[];
  /** Completes what was typed from elsewhere, such as a file. */
  fill?(cmd: CommandContext, typed: Typed): Promise<Typed>;
  /** Runs in place of the operation, where what was typed asks for it; false where it does not. */
  instead?(cmd: CommandContext, typed: Typed, output: OutputOptions): Promise<boolean>;
  /** Shows a person what a write is about to change, before it is confirmed. */
  preview?(cmd: CommandContext, api: Client, args: Arguments): Promise<void>;
  /** A no can also mean that the service would not say: asks again, and throws where that is so. */
  confirmNo?(api: Client, args: Arguments): Promise<boolean>;
  /** Command lines beside those of the catalogue, which need something that isn't there for all. */
  readonly examples?: readonly string[];
  /** Adds the command that comes next in the help, which is no operation of the catalogue. */
  addNext?(group: Command, call: Call): void;
}

/** What was typed, completed by questions and checked against the rules before anything is sent. */
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
    // A person is asked for what is missing; a required parameter is named by itself.
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
