/** The help page of a command. The short one fits a screen; the full one (`--help --all`) has every option. */
import type { Argument, Command, Help } from 'commander';
import { helpGroups, parameterText } from '../flags/flags.ts';
import { isOnlyGroup } from '../grammar/say.ts';
import { type Block, longestTerm } from './blocks.ts';
import { endingOf, helpTextOf } from './help-text.ts';
import { globalOptions, optionGroups, pathOf, summaryOf } from './option-list.ts';

/** A heading and the items below it: terms with their meanings. */
type Section = readonly [heading: string, items: readonly (readonly [string, string])[]];

export interface PageOptions {
  /** Every option with every value, and the global options. */
  readonly all?: boolean;
}

export function helpPage(command: Command, { all = false }: PageOptions = {}): Block[] {
  const help = command.createHelp();
  const { brief = [] } = helpTextOf(command);
  const sections = [
    argumentSection(command, all),
    ...commandSections(command, help),
    ...optionSections(command, help, all),
  ].filter(([, items]) => items.length > 0);
  return [
    `${command.description()}.`,
    `Usage: ${usageOf(command)}`,
    ...sections.flatMap(([heading, items]) =>
      !all && brief.includes(heading)
        ? [`${heading} ${items.map(([term]) => term).join(', ')}.`]
        : [heading, aligned(items, sections)],
    ),
    ...endingOf(helpTextOf(command), { all, pointers: pointers(command, all) }),
  ];
}

/** Pads the terms to the same width, so that all meanings of a page start in one column. */
function aligned(items: Section[1], sections: readonly Section[]): Record<string, string> {
  const lengths = sections.flatMap(([, items]) => items.map(([term]) => term.length));
  const width = Math.max(0, ...lengths.filter((length) => length <= longestTerm));
  return Object.fromEntries(items.map(([term, meaning]) => [term.padEnd(width), meaning]));
}

/** As in `cb orders get <receipt> [options]`. */
export function usageOf(command: Command): string {
  const words = ['cb', pathOf(command)].filter(Boolean);
  const own = helpTextOf(command).usage;
  if (own !== undefined) return [...words, own].join(' ');
  if (isOnlyGroup(command)) return [...words, '<command>', '[options]'].join(' ');
  return [...words, ...command.registeredArguments.map(termOf), '[options]'].join(' ');
}

function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return isRequired(argument) ? `<${name}>` : `[${name}]`;
}

/** commander takes arguments of operations as optional: on a terminal, cb asks for them. */
export function isRequired({ param, required }: Argument): boolean {
  return param?.required ?? required;
}

function argumentSection(command: Command, all: boolean): Section {
  const items = command.registeredArguments.map((argument) => {
    const { param, description } = argument;
    const summary = all || !param ? description : parameterText(param).brief;
    return [termOf(argument), summary.replace(' (required)', '')] as const;
  });
  return ['Arguments:', items.filter(([, summary]) => summary !== '')];
}

function commandSections(command: Command, help: Help): Section[] {
  const all = help.visibleCommands(command);
  const headingOf = (one: Command) => one.helpGroup() || 'Commands:';
  return [...new Set(all.map(headingOf))].map((heading) => [
    heading,
    all
      .filter((one) => headingOf(one) === heading)
      .map((one) => [one.name(), help.subcommandDescription(one)]),
  ]);
}

/** A group can't be run, so it shows no global options. */
function optionSections(command: Command, help: Help, all: boolean): Section[] {
  const own = optionGroups(command, { all });
  const isGroup = command.parent !== null && isOnlyGroup(command);
  const global = { heading: helpGroups.global, options: globalOptions(command) };
  const output = global.options.filter(({ long }) => long === '--output');
  const withOutput = own.map((group) =>
    group.heading === helpGroups.output && !all
      ? { ...group, options: [...output, ...group.options] }
      : group,
  );
  const shown = all && !isGroup ? [...withOutput, global] : withOutput;
  return shown.map(({ heading, options }) => [
    heading,
    options.map((one) => [help.optionTerm(one), summaryOf(one, { all })]),
  ]);
}

function pointers(command: Command, all: boolean): string[] {
  const path = pathOf(command);
  if (path === '') return [];
  const [first] = command.commands;
  if (first && isOnlyGroup(command))
    return [`Options and examples of a command: cb ${path} ${first.name()} --help.`];
  if (all) return [];
  return ['All options: --help --all. Global options: cb help options.'];
}
