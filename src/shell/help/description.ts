/**
 * The commands as plain values: the one traversal from which completion, man pages and the reference are made, and what
 * `cb COMMAND --help -o json` and `cb help --all -o json` print. Within schema version 1 of the JSON, fields may be added;
 * none is removed or changes its meaning.
 */
import type { Option } from 'commander';
import { catalogue } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { knownPaths, spelledPath } from '../../output/rows/columns.ts';
import { listPaths } from '../../output/rows/nested-lists.ts';
import { readArgv } from '../argv.ts';
import { type Candidate, type Source, sourceAt } from '../completion/candidates.ts';
import type { CommandContext } from '../context.ts';
import { type Branch, showsOf } from '../define.ts';
import { type ExitCode, exitCodeMeanings, exitCodes } from '../failure.ts';
import { helpGroups, optionWord } from '../options/flags.ts';
import { writePaged } from '../terminal/pager.ts';
import { version } from '../version.ts';
import { textOf } from './blocks.ts';
import type { HelpText } from './help-text.ts';
import {
  commandList,
  globalOptions,
  helpPage,
  isRare,
  isRequired,
  leavesOf,
  optionGroups,
  shownOptions,
  usageOf,
} from './page.ts';
import type { FullHelpStore, HelpStore } from './pages.ts';
import { aliasBlocks } from './store.ts';
import { topics } from './topics.ts';
import { topicBlocks } from './usage-topics.ts';

export type Flag = ReturnType<typeof flagsOf>[number];
export type Place = ReturnType<typeof placesOf>[number];

export type CompletionStore = Readonly<Record<string, StoredCommand>>;

export type StoredCommand = ReturnType<typeof storedFrom>;

/** By path, such as `orders list`; '' has the global options. Tab reads it, since commands take longer to load. */
export function completionStore(program: Branch): CompletionStore {
  return Object.fromEntries([program, ...program.below].map((one) => [one.path, storedFrom(one)]));
}

function storedFrom(branch: Branch) {
  const shape = showsOf(branch.spec)?.shape?.();
  const fields = shape ? knownPaths(shape).map((name) => spelledPath(name, shape)) : [];
  const lists = shape ? listPaths(shape) : [];
  const places = placesOf(branch);
  const isProgram = branch.parent === undefined;
  const flags = flagsOf(branch).filter(({ names }) => isProgram || !names.includes('--help'));
  return {
    commands: branch.commands.map(({ name, summary }): Candidate => [name, summary]),
    flags: flags.map(({ names, brief, source }) => ({ names, summary: brief, source })),
    places: places.map(({ source }) => source),
    ...(fields.length > 0 && { fields }),
    ...(lists.length > 0 && { lists }),
    repeatsLast: places.at(-1)?.several ?? false,
  };
}

function operationsAt(path: string): Operation[] {
  return catalogue.filter((one) => one.command.split(' --')[0] === path);
}

export function flagsOf(branch: Branch, options = shownOptions(branch)) {
  const { path } = branch;
  const operations = operationsAt(path);
  return options.map((option) => {
    const { short, long, flags, description, helpGroupHeading } = option;
    const name = option.attributeName();
    const placeholder = /[<[](.*)[>\]]/.exec(flags)?.[1];
    const where = { command: path, written: long ?? flags, name, placeholder: placeholder ?? '' };
    return {
      /** As typed, short and long. */
      names: [short, long].filter((name) => name !== undefined),
      /** As in the help, such as `-o, --output <format>`. */
      written: flags,
      summary: description,
      /** The summary without the list of values. */
      brief: operations.find(({ params }) => name in params)?.params[name]?.summary ?? description,
      group: helpGroupHeading ?? helpGroups.options,
      placeholder: placeholder ?? null,
      /** Undefined for an option without a value. */
      source: option.required ? sourceAt(where, operations) : undefined,
      option,
    };
  });
}

export function placesOf({ path, args }: Branch) {
  const operations = operationsAt(path);
  return args.map((argument) => {
    const name = argument.name();
    const where = { command: path, written: `<${name}>`, name, placeholder: name };
    const source = sourceAt(where, operations);
    return { name, summary: argument.description, several: argument.variadic, source, argument };
  });
}

/** The output of `cb help --all -o json` and `cb --help -o json`. */
export function describeProgram(program: Branch) {
  return {
    schemaVersion: 1 as const,
    name: 'cb',
    version,
    summary: program.summary,
    usage: usageOf(program),
    /** Complete descriptions; each command lists the names of those that it obeys. */
    globalOptions: describeOptions(program, globalOptions(program)),
    exitCodes: describeExitCodes(Object.values(exitCodes)),
    topics,
    /** Every command that can be run, with its own options. */
    commands: leavesOf(program).map((command) => describe(command, ownOptions(command))),
  };
}

/** The output of `cb orders list --help -o json`. Its options include the global options that it obeys. */
export function describeCommand(branch: Branch) {
  return describe(branch, [...ownOptions(branch), ...globalOptions(branch)]);
}

function describe(branch: Branch, options: readonly Option[]) {
  const { name, path, summary, help } = branch;
  const { examples = [], roles, effect = 'reads' } = help;
  return {
    schemaVersion: 1 as const,
    ...{ name, path, summary, usage: usageOf(branch) },
    arguments: placesOf(branch).map(({ name, argument, several, source }) => ({
      name,
      summary: argument.param?.summary ?? argument.description,
      values: valuesOf(source, name),
      required: isRequired(argument),
      repeatable: several,
    })),
    options: describeOptions(branch, options),
    globalOptions: globalOptions(branch).map(({ long = '' }) => long),
    examples,
    /** Null if the command sends no request, or they are unknown. */
    permissions: roles ? [...new Set(roles)] : null,
    exitCodes: describeExitCodes(codesOf(help)),
    /** The command changes nothing at ClickBank or on this machine, except files that options name. */
    readOnly: effect === 'reads',
    /** The command can move money or delete something. */
    destructive: effect === 'destroys',
    commands: branch.commands.map(({ path }) => path),
  };
}

function ownOptions(branch: Branch): Option[] {
  return optionGroups(branch).flatMap(({ options }) => options);
}

function describeOptions(branch: Branch, options: readonly Option[]) {
  return flagsOf(branch, options).map((flag) => describeOption(flag, branch.path));
}

function describeOption({ option, source, group, placeholder }: Flag, path: string) {
  const { param, description, short, parseArg, variadic } = option;
  const takesValue = placeholder !== null;
  const isPositive = param && !option.negate;
  return {
    name: option.long ?? `--${optionWord(option.attributeName())}`,
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

const defaultPattern = / \(default: ([^)]*)\)$/;

function typeOf({ param }: Option, placeholder: string): string {
  if (param) return param.kind === 'choice' ? 'text' : param.kind;
  if (placeholder === 'n') return 'integer';
  return /^(date|period|file)$/.test(placeholder) ? placeholder : 'text';
}

/** Null for any value: a date can be written in more ways than completion offers. */
function valuesOf(source: Source | undefined, placeholder: string) {
  if (source?.kind !== 'values' || /^(date|period)$/.test(placeholder)) return null;
  return source.values.map(([value, meaning]) => ({ value, meaning }));
}

const onlineCodes: readonly ExitCode[] = [4, 5, 6, 7, 8];

function codesOf({ obeys, answersNo, effect = 'reads' }: HelpText): readonly ExitCode[] {
  const sendsRequests = obeys?.includes('--timeout') ?? false;
  const impossible = [
    ...(sendsRequests ? [] : onlineCodes),
    ...(answersNo ? [] : [exitCodes.no]),
    ...(sendsRequests && effect !== 'reads' ? [] : [exitCodes.declined]),
  ];
  return Object.values(exitCodes).filter((code) => !impossible.includes(code));
}

/** The pages that the build stores. */
export function helpStore(root: Branch): HelpStore {
  const pages = [root, ...root.below].map((one) => [one.path, JSON.stringify(helpPage(one))]);
  const texts = topics.map((topic) => [topic, JSON.stringify(topicBlocks[topic])]);
  const groups = root.below.filter(({ isGroup }) => isGroup).map(({ path }) => path);
  return { commands: Object.fromEntries(pages), groups, topics: Object.fromEntries(texts) };
}

/** The pages that --all shows. */
export function fullHelpStore(root: Branch): FullHelpStore {
  const pageOf = (one: Branch) => (one === root ? commandList(one) : helpPage(one, true));
  return Object.fromEntries(
    [root, ...root.below].map((one) => [one.path, JSON.stringify(pageOf(one))]),
  );
}

function describeExitCodes(codes: readonly ExitCode[]) {
  return codes.map((code) => ({ code, meaning: exitCodeMeanings[code] }));
}

/** Prints the help that a command line requests, as text or as JSON. */
export async function showHelp(branch: Branch, argv: readonly string[], cmd: CommandContext) {
  const { stdout } = cmd.context;
  const { json, helpAll: all } = readArgv(argv);
  const isProgram = branch.parent === undefined;
  if (json) {
    const description = isProgram ? describeProgram(branch) : describeCommand(branch);
    stdout.write(`${JSON.stringify(description, null, 2)}\n`);
    return;
  }
  const page = isProgram && all ? commandList(branch) : helpPage(branch, all);
  const aliases = isProgram && !all ? await aliasBlocks(cmd.context) : [];
  const text = textOf([...page, ...aliases], stdout.columns);
  await writePaged(cmd, undefined, (sink) => sink.write(`${text}\n`));
}
