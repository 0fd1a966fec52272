/**
 * Commands as values. A value says how a command is called, what it accepts and what it returns; this file makes a
 * command of commander from it, reads the options, and shows the answer. Help, completion and the reference read the
 * commands that are made here.
 */
import { Argument, type Command, Option } from 'commander';
import { isWrite, type Operation } from '../../operations/operation.ts';
import type { Resource } from '../../operations/resource.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { type ChartFacts, chartOption } from '../display/chart.ts';
import { onePage, showPages, showText, showValue } from '../display/show.ts';
import { addParameters, helpGroups, type Typed } from '../flags/flags.ts';
import { addPeriodSynonyms } from '../flags/period-synonyms.ts';
import {
  addShowFlags,
  type OutputOptions,
  readShowFlags,
  type ShowFlags,
  type Shows,
  typedOutputOptions,
} from '../flags/show-flags.ts';
import { addHelp, type HelpText } from '../help/help-text.ts';
import { addAction, addCommand, newCommand } from './command.ts';
import type { Call, CommandContext, CommonFlags } from './command-context.ts';

/**
 * An option: how it is typed, what it means, and how several values become one. An Option of commander is for what is
 * none of these, such as an option under another heading.
 */
type OptionSpec =
  | readonly [flags: string, summary: string]
  | readonly [flags: string, summary: string, collect: (text: string, before: never) => unknown]
  | Option;

/** Options by the name under which `run` finds their values. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

/** Arguments by how the help writes them: `<name>`, `[name]`, `<names...>` or `[names...]`. */
export type ArgumentTable = Readonly<Record<string, string>>;

type OptionValue<S> = S extends readonly [string, string, (...given: never[]) => infer V]
  ? V
  : S extends readonly [infer Flags, string]
    ? Flags extends `${string}<${string}`
      ? string
      : boolean
    : // biome-ignore lint/suspicious/noExplicitAny: an Option of commander does not have the type of its value
      any;

type ArgumentValues<A> = {
  readonly [W in keyof A as W extends `<${infer N}...>` | `[${infer N}...]`
    ? N
    : W extends `<${infer N}>` | `[${infer N}]`
      ? N
      : never]: W extends `<${string}...>` | `[${string}...]`
    ? W extends `<${string}`
      ? readonly string[]
      : readonly string[] | undefined
    : W extends `<${string}>`
      ? string
      : string | undefined;
};

/** What was typed: the options of the command and of cb, and the arguments by their names. */
export type FlagsOf<O, A> = CommonFlags &
  ShowFlags &
  Typed & { readonly [K in keyof O]?: OptionValue<O[K]> } & ArgumentValues<A>;

/** Rows that a command returns, and what it says after they were shown. */
export interface ReturnedRows {
  readonly rows: readonly Row[];
  readonly note?: string | undefined;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a command may end without an answer
type Answer = ReturnedRows | readonly Row[] | Value | void;

interface Described {
  /** As typed after `cb`: `sync status`. */
  readonly words: string;
  /** Absent for the words after `cb`, which the program lists without loading their commands. */
  readonly summary?: string;
  readonly help?: HelpText;
}

export interface CommandSpec<
  O extends OptionTable = OptionTable,
  A extends ArgumentTable = ArgumentTable,
  L extends OptionTable = OptionTable,
> extends Described {
  readonly args?: A;
  /** Parameters of operations that become options: their values are found under their names. */
  readonly parameters?: readonly Omit<Operation, 'check'>[];
  /** The argument of the parameters that may be typed several times. */
  readonly many?: string | undefined;
  readonly options?: O;
  /** Options that the help lists below the output options. */
  readonly lastOptions?: L;
  /** Its rows can be drawn. */
  readonly chart?: ChartFacts | undefined;
  /** It returns rows of this resource. */
  readonly rows?: Resource;
  /** It returns one value: a text, a number or an object. */
  readonly value?: true;
  /** It shows its answer itself, with these output options. */
  readonly shows?: Shows;
  /** The format unless `-o` or the name of the file says otherwise. */
  readonly format?: string;
  /** An argument may begin with a dash. */
  readonly acceptsAnyWord?: true;
  /** Commands below one that also runs by itself. */
  readonly commands?: readonly AnySpec[];
  run(cmd: CommandContext, flags: FlagsOf<O & L, A>, output: OutputOptions): Promise<Answer>;
}

/** A group: it only has commands. */
export interface GroupSpec extends Described {
  readonly commands: readonly AnySpec[];
  readonly run?: undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the tree holds commands with any options
export type AnySpec = CommandSpec<any, any, any> | GroupSpec;

/** Defines a command. The types of its options and arguments follow from their tables. */
export function command<
  const O extends OptionTable = Record<never, never>,
  const A extends ArgumentTable = Record<never, never>,
  const L extends OptionTable = Record<never, never>,
>(spec: CommandSpec<O, A, L>): CommandSpec<O, A, L> {
  return spec;
}

/** Collects the values of an option that may be given several times. */
export function repeatable(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** Adds what a value says to the command that has its name. */
export function fill(made: Command, spec: AnySpec, call: Call): void {
  addHelp(made, () => spec.help ?? {});
  if (spec.run) fillCommand(made, spec, call);
  for (const one of spec.commands ?? []) addSpec(made, one, call);
}

/** Adds a command or a group below another. */
function addSpec(group: Command, spec: AnySpec, call: Call): void {
  const name = spec.words.split(' ').at(-1) ?? '';
  const made = newCommand(call.context, name).description(spec.summary ?? '');
  if (spec.commands) {
    fill(made, spec, call);
    group.addCommand(made);
  } else addCommand(group, made, call, () => fill(made, spec, call));
}

function fillCommand(made: Command, spec: CommandSpec, call: Call): void {
  for (const [written, says] of Object.entries(spec.args ?? {})) {
    made.addArgument(new Argument(written, says));
  }
  for (const operation of spec.parameters ?? []) {
    addParameters(made, operation, spec.many);
    if (!isWrite(operation)) addPeriodSynonyms(made, operation);
  }
  for (const option of Object.values(spec.options ?? {})) made.addOption(optionFrom(option));
  const shows = showsOf(spec);
  if (shows) addShowFlags(made, shows);
  if (spec.chart) made.addOption(chartOption(spec.chart));
  for (const option of Object.values(spec.lastOptions ?? {})) made.addOption(optionFrom(option));
  if (spec.acceptsAnyWord) made.allowUnknownOption();
  if (spec.commands && !spec.args) made.runsAlone = true;
  addAction(made, call, async (cmd, given: ShowFlags & Typed) => {
    const flags = { ...given, ...argumentsOf(made) };
    const output = shows ? outputOf(cmd, spec, given, shows) : plainOutput;
    await show(cmd, spec, output, await spec.run(cmd, flags as never, output));
  });
}

function outputOf(
  cmd: CommandContext,
  { format }: CommandSpec,
  given: ShowFlags,
  shows: Shows,
): OutputOptions {
  const typed = typedOutputOptions(given, shows);
  const isAsked = cmd.flags.output !== undefined || typed.out !== undefined;
  const flags = format === undefined || isAsked ? cmd.flags : { ...cmd.flags, output: format };
  return readShowFlags({ ...cmd, flags }, typed, shows);
}

function optionFrom(spec: OptionSpec): Option {
  if (spec instanceof Option) return spec;
  const [flags, summary, collect] = spec;
  const option = new Option(flags, summary).helpGroup(helpGroups.options);
  return collect ? option.argParser(collect as (text: string, before: unknown) => unknown) : option;
}

function showsOf({ shows, rows, value }: CommandSpec): Shows | undefined {
  if (shows) return shows;
  if (rows) return { rows: true, shape: () => rows };
  return value && {};
}

/** The values of the arguments by their names; undefined for one that was not typed. */
function argumentsOf(made: Command): Typed {
  return Object.fromEntries(
    made.registeredArguments.map((argument, i) => {
      const value = made.processedArgs[i];
      const isNone = Array.isArray(value) && value.length === 0;
      return [argument.name(), isNone ? undefined : value];
    }),
  );
}

/** For commands without output options: lines as they are. */
export const plainOutput: OutputOptions = {
  format: 'tsv',
  totals: false,
  csv: { bom: false, crlf: false },
};

async function show(
  cmd: CommandContext,
  { rows: resource, value }: CommandSpec,
  output: OutputOptions,
  answer: Answer,
): Promise<void> {
  if (resource) {
    const { rows, note } = Array.isArray(answer)
      ? { rows: answer, note: undefined }
      : (answer as ReturnedRows);
    await showPages(cmd, output, { resource }, onePage(rows));
    if (note !== undefined) cmd.messages.tell(note);
  } else if (value) await showValue(cmd, output, answer as Value);
  else if (typeof answer === 'string') await showText(cmd, output, answer);
}
