/**
 * The commands as plain values: the one traversal from which completion, man pages and the reference are made, and what
 * `cb COMMAND --help -o json` and `cb help --all -o json` print. Within schema version 1 of the JSON, fields may be added;
 * none is removed or changes its meaning.
 */
import type { Argument, Option } from 'commander';
import { catalogue } from '../../operations/index.ts';
import type { Operation, Role } from '../../operations/operation.ts';
import { knownPaths, spelledPath } from '../../output/rows/columns.ts';
import { listPaths } from '../../output/rows/nested-lists.ts';
import { type Source, sourceAt } from '../completion/candidates.ts';
import type { Branch } from '../define.ts';
import { type ExitCode, exitCodeMeanings, exitCodes } from '../exit-codes.ts';
import { helpGroups, kebab } from '../options/flags.ts';
import { shapeNamedBy } from '../options/show-flags.ts';
import { version } from '../version.ts';
import { textOf } from './blocks.ts';
import { endingOf, type HelpText } from './help-text.ts';
import { globalOptions, isRare, optionGroups, shownOptions } from './options.ts';
import { isRequired, leavesOf, usageOf } from './page.ts';
import { topics } from './topics.ts';

export interface Flag {
  /** As typed, long or short. */
  readonly names: readonly string[];
  /** As in the help, such as `-o, --output <format>`. */
  readonly written: string;
  readonly summary: string;
  /** The summary without the list of values. */
  readonly brief: string;
  /** The heading of its group in the help. */
  readonly group: string;
  /** Undefined for an option without a value. */
  readonly source: Source | undefined;
  readonly option: Option;
}

export interface Place {
  readonly name: string;
  readonly summary: string;
  readonly several: boolean;
  readonly source: Source;
  readonly argument: Argument;
}

export interface CommandNode {
  /** The words after `cb`; '' for the program itself, which has the global options. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  /** As in the help: `cb orders get <receipt> [options]`. */
  readonly usage: string;
  readonly flags: readonly Flag[];
  readonly places: readonly Place[];
  /** The names of its rows' fields, for options such as --fields. */
  readonly fields: readonly string[];
  /** Those of them that are lists. */
  readonly lists: readonly string[];
  readonly commands: readonly CommandNode[];
  /** It does something without a command below it. */
  readonly isRun: boolean;
  /** The end of the help, such as examples. */
  readonly after: string;
}

export function readTree(branch: Branch): CommandNode {
  const { path, name, summary, help, isGroup } = branch;
  const shape = branch.options.map(shapeNamedBy).find((found) => found)?.();
  return {
    fields: shape ? knownPaths(shape).map((name) => spelledPath(name, shape)) : [],
    lists: shape ? listPaths(shape) : [],
    path,
    name,
    summary,
    usage: usageOf(branch),
    flags: flagsOf(branch, shownOptions(branch)),
    places: placesOf(branch),
    isRun: !isGroup,
    commands: branch.commands.map(readTree),
    after: textOf(endingOf(help)),
  };
}

/** The operations that a command can run. */
function operationsAt(path: string): Operation[] {
  return catalogue.filter((one) => one.command.split(' --')[0] === path);
}

function flagsOf({ path }: Branch, options: readonly Option[]): Flag[] {
  const operations = operationsAt(path);
  return options.map((option) => {
    const { short, long, flags, description, helpGroupHeading } = option;
    const name = option.attributeName();
    const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
    const where = { command: path, written: long ?? flags, name, placeholder };
    return {
      names: [short, long].filter((name) => name !== undefined),
      written: flags,
      summary: description,
      brief: operations.find(({ params }) => name in params)?.params[name]?.summary ?? description,
      group: helpGroupHeading ?? helpGroups.options,
      source: option.required ? sourceAt(where, operations) : undefined,
      option,
    };
  });
}

function placesOf({ path, args }: Branch): Place[] {
  const operations = operationsAt(path);
  return args.map((argument) => {
    const name = argument.name();
    const where = { command: path, written: `<${name}>`, name, placeholder: name };
    return {
      name,
      summary: argument.description,
      several: argument.variadic,
      source: sourceAt(where, operations),
      argument,
    };
  });
}

/** The output of `cb help --all -o json` and `cb --help -o json`. */
export interface ProgramDescription {
  readonly schemaVersion: 1;
  readonly name: 'cb';
  readonly version: string;
  readonly summary: string;
  readonly usage: string;
  /** Complete descriptions; each command lists the names of those that it obeys. */
  readonly globalOptions: readonly OptionDescription[];
  readonly exitCodes: readonly ExitCodeDescription[];
  /** For `cb help <topic>`. */
  readonly topics: readonly string[];
  /** Every command that can be run, with its own options. */
  readonly commands: readonly CommandDescription[];
}

/**
 * The output of `cb orders list --help -o json`, where `options` includes the global options that the command
 * obeys.
 */
export interface CommandDescription {
  readonly schemaVersion: 1;
  /** The last word: `list`. */
  readonly name: string;
  /** The words after `cb`: `orders list`. */
  readonly path: string;
  readonly summary: string;
  readonly usage: string;
  readonly arguments: readonly ArgumentDescription[];
  readonly options: readonly OptionDescription[];
  /** The long names of the global options that it obeys. */
  readonly globalOptions: readonly string[];
  readonly examples: readonly string[];
  /** Permissions that the API key needs; null if the command sends no request or they are unknown. */
  readonly permissions: readonly Role[] | null;
  readonly exitCodes: readonly ExitCodeDescription[];
  /** The command changes nothing at ClickBank or on this machine, except files that options name. */
  readonly readOnly: boolean;
  /** The command can move money or delete something. */
  readonly destructive: boolean;
  /** The paths of its subcommands. */
  readonly commands: readonly string[];
}

export interface ArgumentDescription {
  readonly name: string;
  readonly summary: string;
  /** Values allowed, or null for any. */
  readonly values: readonly ValueDescription[] | null;
  readonly required: boolean;
  readonly repeatable: boolean;
}

export interface OptionDescription {
  /** With its dashes: `--start-date`. */
  readonly name: string;
  /** `-o`, or null. */
  readonly short: string | null;
  readonly summary: string;
  /** The type of its value, or `boolean` for a switch, which has none. */
  readonly type: ValueType;
  /** As in the help: `date` for `--start-date <date>`; null for a switch. */
  readonly placeholder: string | null;
  readonly values: readonly ValueDescription[] | null;
  /** A phrase if it is computed, such as `today`; null if there is none. */
  readonly default: string | null;
  readonly required: boolean;
  readonly repeatable: boolean;
  /** `Filters`, `Output`, `Options` or `Global options`. */
  readonly group: string;
  readonly global: boolean;
  /** The short help page omits the option. */
  readonly rare: boolean;
}

export type ValueType = 'boolean' | 'text' | 'integer' | 'decimal' | 'date' | 'period' | 'file';

export interface ValueDescription {
  readonly value: string;
  /** Empty if the value explains itself. */
  readonly meaning: string;
}

export interface ExitCodeDescription {
  readonly code: number;
  readonly meaning: string;
}

export function describeProgram(program: Branch): ProgramDescription {
  return {
    schemaVersion: 1,
    name: 'cb',
    version,
    summary: program.summary,
    usage: usageOf(program),
    globalOptions: describeOptions(program, globalOptions(program)),
    exitCodes: describeExitCodes(allCodes),
    topics,
    commands: leavesOf(program).map((command) => describe(command, ownOptions(command))),
  };
}

export function describeCommand(branch: Branch): CommandDescription {
  return describe(branch, [...ownOptions(branch), ...globalOptions(branch)]);
}

function describe(branch: Branch, options: readonly Option[]): CommandDescription {
  const { name, path, summary, help } = branch;
  const { examples = [], roles, effect = 'reads' } = help;
  return {
    schemaVersion: 1,
    name,
    path,
    summary,
    usage: usageOf(branch),
    arguments: placesOf(branch).map(describeArgument),
    options: describeOptions(branch, options),
    globalOptions: globalOptions(branch).map(({ long = '' }) => long),
    examples,
    permissions: roles ? [...new Set(roles)] : null,
    exitCodes: describeExitCodes(codesOf(help)),
    readOnly: effect === 'reads',
    destructive: effect === 'destroys',
    commands: branch.commands.map(({ path }) => path),
  };
}

function ownOptions(branch: Branch): Option[] {
  return optionGroups(branch).flatMap(({ options }) => options);
}

function describeArgument({ name, argument, several, source }: Place): ArgumentDescription {
  const { param, description } = argument;
  return {
    name,
    summary: param?.summary ?? description,
    values: valuesOf(source, name),
    required: isRequired(argument),
    repeatable: several,
  };
}

function describeOptions(branch: Branch, options: readonly Option[]): OptionDescription[] {
  return flagsOf(branch, options).map((flag) => describeOption(flag, branch.path));
}

function describeOption({ option, source, group }: Flag, path: string): OptionDescription {
  const { param, description, short, parseArg, variadic, flags } = option;
  const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? null;
  const takesValue = placeholder !== null;
  const isPositive = param && !option.negate;
  return {
    name: option.long ?? `--${kebab(option.attributeName())}`,
    short: short ?? null,
    summary: isPositive ? param.summary : description.replace(defaultPattern, ''),
    type: takesValue ? typeOf(option, placeholder) : 'boolean',
    placeholder,
    values: takesValue ? valuesOf(source, placeholder) : null,
    default: (isPositive ? param.fallback : defaultPattern.exec(description)?.[1]) ?? null,
    required: takesValue && (param?.required ?? false),
    repeatable: param?.repeatable ?? (variadic || parseArg !== undefined),
    group: group.replace(/:$/, ''),
    global: group === helpGroups.global,
    rare: isRare(option, path),
  };
}

/** How help texts write defaults. */
const defaultPattern = / \(default: ([^)]*)\)$/;

function typeOf({ param }: Option, placeholder: string): ValueType {
  if (param) return param.kind === 'choice' ? 'text' : param.kind;
  if (placeholder === 'n') return 'integer';
  if (placeholder === 'date' || placeholder === 'period' || placeholder === 'file')
    return placeholder;
  return 'text';
}

/** Lists the values of closed sets only: a date can be written in more ways than completion offers. */
function valuesOf(source: Source | undefined, placeholder: string): ValueDescription[] | null {
  if (source?.kind !== 'values' || /^(date|period)$/.test(placeholder)) return null;
  return source.values.map(([value, meaning]) => ({ value, meaning }));
}

const allCodes: readonly ExitCode[] = Object.values(exitCodes);

/** Exit codes of commands that send requests. */
const onlineCodes: readonly ExitCode[] = [
  ...[exitCodes.refused, exitCodes.failed, exitCodes.network, exitCodes.rateLimit],
  exitCodes.incomplete,
];

function codesOf({ obeys, answersNo, effect = 'reads' }: HelpText): readonly ExitCode[] {
  const sendsRequests = obeys?.includes('--timeout') ?? false;
  const impossible = [
    ...(sendsRequests ? [] : onlineCodes),
    ...(answersNo ? [] : [exitCodes.no]),
    ...(sendsRequests && effect !== 'reads' ? [] : [exitCodes.declined]),
  ];
  return allCodes.filter((code) => !impossible.includes(code));
}

function describeExitCodes(codes: readonly ExitCode[]): ExitCodeDescription[] {
  return codes.map((code) => ({ code, meaning: exitCodeMeanings[code] }));
}
