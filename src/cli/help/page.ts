/** The help of a command: what it does, how it is written, what it takes, and what it ends with. */
import type { Command, Help, Option } from 'commander';
import { helpGroups } from '../flags/flags.ts';
import type { Block } from './blocks.ts';

/** A heading, and what stands under it: terms with their meanings. */
type Section = readonly [heading: string, items: readonly (readonly [string, string])[]];

/** Of flags that don't say where they belong. */
const ownFlags = 'Flags:';

export function helpPage(command: Command): Block[] {
  const help = command.createHelp();
  const sections = [
    argumentsOf(command, help),
    ...commandsOf(command, help),
    ...flagsOf(command, help),
  ].filter(([, items]) => items.length > 0);
  // Terms of one width, so that all meanings of the page begin in one column.
  const room = Math.max(0, ...sections.flatMap(([, items]) => items.map(([term]) => term.length)));
  return [
    `${command.description()}.`,
    `Usage: ${usageOf(command, help)}`,
    ...sections.flatMap(([heading, items]) => [
      heading,
      Object.fromEntries(items.map(([term, meaning]) => [term.padEnd(room), meaning])),
    ]),
    ...moreOf(command),
    ...(help.end?.() ?? []),
  ];
}

function moreOf(command: Command): string[] {
  const [first] = command.commands;
  if (!command.parent || !first) return [];
  const names = [...pathOf(command), first.name()].join(' ');
  return [`Each command has flags and examples of its own: ${names} --help.`];
}

/** The words that lead to a command, from `cb` on. */
function pathOf(command: Command): string[] {
  return [...(command.parent ? pathOf(command.parent) : []), command.name()];
}

function usageOf(command: Command, help: Help): string {
  const usage = help.commandUsage(command);
  return usage.replace('[options] [command]', '<command> [flags]').replace('[options]', '[flags]');
}

function argumentsOf(command: Command, help: Help): Section {
  const items = help
    .visibleArguments(command)
    .map((one) => [help.argumentTerm(one), help.argumentDescription(one)] as const);
  return ['Arguments:', items];
}

function commandsOf(command: Command, help: Help): Section[] {
  const all = help.visibleCommands(command);
  return grouped(all, (one) => one.helpGroup() || 'Commands:').map(([heading, commands]) => [
    heading,
    commands.map((one) => [
      help.subcommandTerm(one).replace(' [options]', ''),
      help.subcommandDescription(one),
    ]),
  ]);
}

/** What all commands take stands last, and not with a group, which can't be run. */
function flagsOf(command: Command, help: Help): Section[] {
  const isGroup = command.commands.length > 0;
  const own = help.visibleOptions(command);
  const everywhere = isGroup ? [] : help.visibleGlobalOptions(command);
  const isOther = (one: Option) => everywhere.includes(one) || headingOf(one) === helpGroups.other;
  const all = [...own, ...everywhere];
  const groups = grouped(
    all.filter((one) => !isOther(one)),
    headingOf,
  );
  return [...groups, [helpGroups.other, all.filter(isOther)] as const].map(([heading, options]) => [
    heading,
    options.map((one) => [help.optionTerm(one), help.optionDescription(one)]),
  ]);
}

function headingOf({ helpGroupHeading }: Option): string {
  return helpGroupHeading ?? ownFlags;
}

function grouped<One>(all: readonly One[], headingFor: (one: One) => string): [string, One[]][] {
  const headings = [...new Set(all.map(headingFor))];
  return headings.map((heading) => [heading, all.filter((one) => headingFor(one) === heading)]);
}
