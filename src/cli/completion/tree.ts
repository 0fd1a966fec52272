/** The command tree as plain values, from which completion, man pages and the reference are generated. */
import type { Argument, Command, Option } from 'commander';
import { catalogue } from '../../operations/index.ts';
import type { Operation } from '../../operations/operation.ts';
import { knownPaths, spelledPath } from '../../output/rows/columns.ts';
import { listPaths } from '../../output/rows/nested-lists.ts';
import { shapeNamedBy } from '../flags/show-flags.ts';
import { isOnlyGroup } from '../grammar/say.ts';
import { textOf } from '../help/blocks.ts';
import { endingOf, helpTextOf } from '../help/help-text.ts';
import { usageOf } from '../help/page.ts';
import { type Source, sourceAt } from './candidates.ts';

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
}

export interface Place {
  readonly name: string;
  readonly summary: string;
  readonly several: boolean;
  readonly source: Source;
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

/** `command` is the program, or the command at `path`. Omits hidden commands. */
export function readTree(command: Command, path = ''): CommandNode {
  const operations = operationsAt(path);
  const shown = command.createHelp();
  const below = shown.visibleCommands(command);
  const shape = command.options.map(shapeNamedBy).find((found) => found)?.();
  return {
    fields: shape ? knownPaths(shape).map((name) => spelledPath(name, shape)) : [],
    lists: shape ? listPaths(shape) : [],
    path,
    name: command.name(),
    summary: command.description(),
    usage: usageOf(command),
    flags: shown.visibleOptions(command).map((option) => flagOf(option, path, operations)),
    places: command.registeredArguments.map((argument) => placeOf(argument, path, operations)),
    isRun: !isOnlyGroup(command),
    commands: below.map((one) => readTree(one, `${path} ${one.name()}`.trim())),
    after: textOf(endingOf(helpTextOf(command))),
  };
}

/** The operations that a command can run. */
export function operationsAt(path: string): Operation[] {
  return catalogue.filter((one) => one.command.split(' --')[0] === path);
}

function flagOf(option: Option, command: string, operations: readonly Operation[]): Flag {
  const { short, long, flags, description, helpGroupHeading } = option;
  const where = {
    command,
    written: long ?? flags,
    name: option.attributeName(),
    placeholder: /<([^>]*)>/.exec(flags)?.[1] ?? '',
  };
  return {
    names: [short, long].filter((name) => name !== undefined),
    written: flags,
    summary: description,
    brief: briefly(option.attributeName(), operations) ?? description,
    group: helpGroupHeading ?? 'Options:',
    source: option.required ? sourceAt(where, operations) : undefined,
  };
}

function briefly(name: string, operations: readonly Operation[]): string | undefined {
  return operations.find(({ params }) => name in params)?.params[name]?.summary;
}

function placeOf(argument: Argument, command: string, operations: readonly Operation[]): Place {
  const name = argument.name();
  const where = { command, written: `<${name}>`, name, placeholder: name };
  return {
    name,
    summary: argument.description,
    several: argument.variadic,
    source: sourceAt(where, operations),
  };
}
