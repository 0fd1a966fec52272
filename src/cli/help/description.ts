/**
 * Commands described for programs: what `cb COMMAND --help -o json` and `cb help --all -o json` print. All of it is
 * derived from the commands themselves. Within schema version 1, fields may be added; none is removed or changes its
 * meaning.
 */
import type { Argument, Command, Option } from 'commander';
import type { Role } from '../../operations/operation.ts';
import { sourceAt } from '../completion/candidates.ts';
import { operationsAt } from '../completion/tree.ts';
import { helpGroups, kebab } from '../flags/flags.ts';
import { isOnlyGroup } from '../grammar/say.ts';
import { type ExitCode, exitCodeMeanings, exitCodes } from '../runtime/exit-codes.ts';
import { version } from '../runtime/version.ts';
import { type HelpText, helpTextOf } from './help-text.ts';
import { globalOptions, optionGroups, pathOf } from './option-list.ts';
import { isRequired, usageOf } from './page.ts';
import { isRare } from './rare-options.ts';
import { topics } from './topics/topics.ts';

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

/** `program` has every command. */
export function describeProgram(program: Command): ProgramDescription {
  return {
    schemaVersion: 1,
    name: 'cb',
    version,
    summary: program.description(),
    usage: usageOf(program),
    globalOptions: globalOptions(program).map((option) => describeOption(option, program)),
    exitCodes: describeExitCodes(allCodes),
    topics,
    commands: leavesOf(program).map((command) => describe(command, ownOptions(command))),
  };
}

export function describeCommand(command: Command): CommandDescription {
  return describe(command, [...ownOptions(command), ...globalOptions(command)]);
}

function describe(command: Command, options: readonly Option[]): CommandDescription {
  const helpText = helpTextOf(command);
  const { examples = [], roles, effect = 'reads' } = helpText;
  return {
    schemaVersion: 1,
    name: command.name(),
    path: pathOf(command),
    summary: command.description(),
    usage: usageOf(command),
    arguments: command.registeredArguments.map((one) => describeArgument(one, command)),
    options: options.map((option) => describeOption(option, command)),
    globalOptions: globalOptions(command).map(nameOf),
    examples,
    permissions: roles ? [...new Set(roles)] : null,
    exitCodes: describeExitCodes(codesOf(helpText)),
    readOnly: effect === 'reads',
    destructive: effect === 'destroys',
    commands: visibleBelow(command).map(pathOf),
  };
}

function ownOptions(command: Command): Option[] {
  return optionGroups(command).flatMap(({ options }) => options);
}

export function leavesOf(command: Command): Command[] {
  const below = visibleBelow(command);
  return [
    ...(below.length === 0 || !isOnlyGroup(command) ? [command] : []),
    ...below.flatMap(leavesOf),
  ];
}

function visibleBelow(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function describeArgument(argument: Argument, command: Command): ArgumentDescription {
  const name = argument.name();
  const { param, description, variadic } = argument;
  return {
    name,
    summary: param?.summary ?? description,
    values: valuesAt(`<${name}>`, name, name, command),
    required: isRequired(argument),
    repeatable: variadic,
  };
}

function describeOption(option: Option, command: Command): OptionDescription {
  const { param, description, short, parseArg, variadic, helpGroupHeading, flags } = option;
  const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? null;
  const name = nameOf(option);
  const takesValue = placeholder !== null;
  const isPositive = param && !option.negate;
  return {
    name,
    short: short ?? null,
    summary: isPositive ? param.summary : description.replace(defaultPattern, ''),
    type: takesValue ? typeOf(option, placeholder) : 'boolean',
    placeholder,
    values: takesValue ? valuesAt(name, option.attributeName(), placeholder, command) : null,
    default: (isPositive ? param.fallback : defaultPattern.exec(description)?.[1]) ?? null,
    required: takesValue && (param?.required ?? false),
    repeatable: param?.repeatable ?? (variadic || parseArg !== undefined),
    group: (helpGroupHeading ?? helpGroups.options).replace(/:$/, ''),
    global: helpGroupHeading === helpGroups.global,
    rare: isRare(option, pathOf(command)),
  };
}

/** How help texts write defaults. */
const defaultPattern = / \(default: ([^)]*)\)$/;

function nameOf(option: Option): string {
  return option.long ?? `--${kebab(option.attributeName())}`;
}

function typeOf({ param }: Option, placeholder: string): ValueType {
  if (param) return param.kind === 'choice' ? 'text' : param.kind;
  if (placeholder === 'n') return 'integer';
  if (placeholder === 'date' || placeholder === 'period' || placeholder === 'file')
    return placeholder;
  return 'text';
}

/** Lists the values of closed sets only: a date can be written in more ways than completion offers. */
function valuesAt(
  written: string,
  name: string,
  placeholder: string,
  command: Command,
): ValueDescription[] | null {
  if (placeholder === 'date' || placeholder === 'period') return null;
  const path = pathOf(command);
  const source = sourceAt({ command: path, written, name, placeholder }, operationsAt(path));
  if (source.kind !== 'values') return null;
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
