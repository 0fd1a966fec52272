/**
 * Commands as values. A value says how a command is called, what it accepts and what it returns. A Branch is a value at its
 * place in the tree; the parser, the help, completion, the reference and the answers to mistakes all read branches.
 */
import { Argument, Option } from 'commander';
import type { Operation } from '../operations/operation.ts';
import type { Resource } from '../operations/resource.ts';
import type { Row, Value } from '../output/rows/rows.ts';
import type { CommandContext, CommonFlags } from './context.ts';
import { type ChartFacts, chartOption } from './display/chart.ts';
import type { HelpText } from './help/help-text.ts';
import { type Accepted, addParameters, helpGroups, type Typed } from './options/flags.ts';
import {
  type OutputOptions,
  outputOptions,
  type ShowFlags,
  type Shows,
} from './options/show-flags.ts';

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
export type Answer = ReturnedRows | readonly Row[] | Value | void;

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
> extends Described {
  readonly args?: A;
  /** Parameters of operations that become options: their values are found under their names. */
  readonly parameters?: readonly Omit<Operation, 'check'>[];
  /** The argument of the parameters that may be typed several times. */
  readonly many?: string | undefined;
  readonly options?: O;
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
  run(cmd: CommandContext, flags: FlagsOf<O, A>, output: OutputOptions): Promise<Answer>;
}

export interface GroupSpec extends Described {
  readonly commands: readonly AnySpec[];
  readonly run?: undefined;
}

/** A command below `cb`: its code is loaded when more than its name and its summary is needed. */
export interface LateSpec {
  readonly words: string;
  readonly summary: string;
  readonly heading: string;
  load(): AnySpec;
}

export interface ProgramSpec extends Described {
  readonly options: readonly Option[];
  readonly commands: readonly LateSpec[];
  /** Runs for a line without a command. */
  start(cmd: CommandContext): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the tree holds commands with any options
export type AnySpec = CommandSpec<any, any> | GroupSpec;

/** Defines a command. The types of its options and arguments follow from their tables. */
export function command<
  const O extends OptionTable = Record<never, never>,
  const A extends ArgumentTable = Record<never, never>,
>(spec: CommandSpec<O, A>): CommandSpec<O, A> {
  return spec;
}

/** Collects the values of an option that may be given several times. */
export function repeatable(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

const writeRoles: readonly string[] = [
  ...(['api_order_write', 'api_subscription_modifications', 'api_products_client'] as const),
];

export const helpOption = new Option('-h, --help', 'Show this help').helpGroup(helpGroups.global);

/** A value at its place in the tree. Everything below its name is made when it is first read, and once. */
export class Branch {
  readonly parent: Branch | undefined;
  /** The last word: `list`; `cb` for the program. */
  readonly name: string;
  /** The words after `cb`: `orders list`. */
  readonly path: string;
  readonly summary: string;
  readonly heading: string | undefined;
  readonly #given: AnySpec | ProgramSpec | LateSpec;
  #spec: AnySpec | ProgramSpec | undefined;
  #accepted: Accepted | undefined;
  #commands: readonly Branch[] | undefined;

  constructor(spec: AnySpec | ProgramSpec | LateSpec, parent?: Branch) {
    const name = spec.words.split(' ').at(-1) ?? '';
    this.parent = parent;
    this.name = name || 'cb';
    this.path = parent ? `${parent.path} ${name}`.trim() : '';
    this.summary = spec.summary ?? '';
    this.heading = 'heading' in spec ? spec.heading : undefined;
    this.#given = spec;
  }

  get spec(): AnySpec | ProgramSpec {
    this.#spec ??= 'load' in this.#given ? this.#given.load() : this.#given;
    return this.#spec;
  }

  get help(): HelpText {
    return this.spec.help ?? {};
  }

  get args(): readonly Argument[] {
    this.#accepted ??= acceptedBy(this.spec);
    return this.#accepted.args;
  }

  get options(): readonly Option[] {
    this.#accepted ??= acceptedBy(this.spec);
    return this.#accepted.options;
  }

  get commands(): readonly Branch[] {
    this.#commands ??= (this.spec.commands ?? []).map((one) => new Branch(one, this));
    return this.#commands;
  }

  get below(): readonly Branch[] {
    return this.commands.flatMap((one) => [one, ...one.below]);
  }

  /** It only has commands below it; a command with commands below it runs as well. */
  get isGroup(): boolean {
    return this.commands.length > 0 && !('run' in this.spec && this.spec.run);
  }

  /** It changes something at ClickBank, or deletes something on this computer. */
  get isWrite(): boolean {
    const { effect, roles = [] } = this.help;
    return (
      effect === 'destroys' ||
      (effect === 'writes' && roles.some((role) => writeRoles.includes(role)))
    );
  }

  /** As in `cb orders list`. */
  get line(): string {
    return `cb ${this.path}`.trim();
  }

  /** The options that may be typed here: its own, those of its groups, and those of cb. */
  get allOptions(): readonly Option[] {
    // The options of a command with commands below it are not theirs.
    const all = [...this.options];
    for (let { parent } = this as Branch; parent; parent = parent.parent) {
      if (parent.isGroup) all.push(...parent.options);
    }
    return all;
  }

  /** The branch of these words below this one. */
  at([word, ...words]: readonly string[]): Branch | undefined {
    if (word === undefined) return this;
    return this.commands.find(({ name }) => name === word)?.at(words);
  }
}

function acceptedBy(spec: AnySpec | ProgramSpec): Accepted {
  if ('start' in spec) return { args: [], options: [...spec.options] };
  const accepted: Accepted = { args: [], options: [] };
  if (!spec.run) return accepted;
  const { args, options } = accepted;
  for (const [written, says] of Object.entries<string>(spec.args ?? {})) {
    args.push(new Argument(written, says));
  }
  for (const operation of spec.parameters ?? []) {
    addParameters(accepted, operation, spec.many);
  }
  options.push(...Object.values<OptionSpec>(spec.options ?? {}).map(optionFrom));
  const shows = showsOf(spec);
  if (shows) options.push(...outputOptions(shows));
  if (spec.chart) options.push(chartOption(spec.chart));
  return accepted;
}

function optionFrom(spec: OptionSpec): Option {
  if (spec instanceof Option) return spec;
  const [flags, summary, collect] = spec;
  const option = new Option(flags, summary).helpGroup(helpGroups.options);
  return collect ? option.argParser(collect as (text: string, before: unknown) => unknown) : option;
}

export function showsOf(spec: AnySpec | ProgramSpec): Shows | undefined {
  if (!('run' in spec && spec.run)) return undefined;
  const { shows, rows, value }: CommandSpec = spec;
  if (shows) return shows;
  if (rows) return { rows: true, shape: () => rows };
  return value && {};
}
