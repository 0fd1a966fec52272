/**
 * The help page of a command, and the list of all commands. The short page fits a screen; the full one (`--help --all`) has
 * every option.
 */
import type { Argument } from 'commander';
import type { Branch } from '../define.ts';
import { helpGroups, parameterText } from '../options/flags.ts';
import { type Block, longestTerm } from './blocks.ts';
import { endingOf } from './help-text.ts';
import { globalOptions, optionGroups, summaryOf } from './options.ts';

/** A heading and the items below it: terms with their meanings. */
type Section = readonly [heading: string, items: readonly (readonly [string, string])[]];

export interface PageOptions {
  /** Every option with every value, and the global options. */
  readonly all?: boolean;
}

export function helpPage(branch: Branch, { all = false }: PageOptions = {}): Block[] {
  const { brief = [] } = branch.help;
  const sections = [
    argumentSection(branch, all),
    ...commandSections(branch),
    ...optionSections(branch, all),
  ].filter(([, items]) => items.length > 0);
  return [
    `${branch.summary}.`,
    `Usage: ${usageOf(branch)}`,
    ...sections.flatMap(([heading, items]) =>
      !all && brief.includes(heading)
        ? [`${heading} ${items.map(([term]) => term).join(', ')}.`]
        : [heading, aligned(items, sections)],
    ),
    ...endingOf(branch.help, { all, pointers: pointers(branch, all) }),
  ];
}

/** Pads the terms to the same width, so that all meanings of a page start in one column. */
function aligned(items: Section[1], sections: readonly Section[]): Record<string, string> {
  const lengths = sections.flatMap(([, items]) => items.map(([term]) => term.length));
  const width = Math.max(0, ...lengths.filter((length) => length <= longestTerm));
  return Object.fromEntries(items.map(([term, meaning]) => [term.padEnd(width), meaning]));
}

/** As in `cb orders get <receipt> [options]`. */
export function usageOf(branch: Branch): string {
  const words = ['cb', branch.path].filter(Boolean);
  const own = branch.help.usage;
  if (own !== undefined) return [...words, own].join(' ');
  if (branch.isGroup) return [...words, '<command>', '[options]'].join(' ');
  return [...words, ...branch.args.map(termOf), '[options]'].join(' ');
}

function termOf(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return isRequired(argument) ? `<${name}>` : `[${name}]`;
}

/** commander takes arguments of operations as optional: on a terminal, cb asks for them. */
export function isRequired({ param, required }: Argument): boolean {
  return param?.required ?? required;
}

function argumentSection(branch: Branch, all: boolean): Section {
  const items = branch.args.map((argument) => {
    const { param, description } = argument;
    const summary = all || !param ? description : parameterText(param).brief;
    return [termOf(argument), summary.replace(' (required)', '')] as const;
  });
  return ['Arguments:', items.filter(([, summary]) => summary !== '')];
}

function commandSections({ commands }: Branch): Section[] {
  const headingOf = ({ heading = 'Commands:' }: Branch) => heading;
  return [...new Set(commands.map(headingOf))].map((heading) => [
    heading,
    commands
      .filter((one) => headingOf(one) === heading)
      .map(({ name, summary }) => [name, summary]),
  ]);
}

/** A group can't be run, so it shows no global options. */
function optionSections(branch: Branch, all: boolean): Section[] {
  const own = optionGroups(branch, { all });
  const isGroup = branch.parent !== undefined && branch.isGroup;
  const global = { heading: helpGroups.global, options: globalOptions(branch) };
  const output = global.options.filter(({ long }) => long === '--output');
  const withOutput = own.map((group) =>
    group.heading === helpGroups.output && !all
      ? { ...group, options: [...output, ...group.options] }
      : group,
  );
  const shown = all && !isGroup ? [...withOutput, global] : withOutput;
  return shown.map(({ heading, options }) => [
    heading,
    options.map((one) => [one.flags, summaryOf(one, { all })]),
  ]);
}

function pointers(branch: Branch, all: boolean): string[] {
  const path = branch.path;
  if (path === '') return [];
  const [first] = branch.commands;
  if (first && branch.isGroup)
    return [`Options and examples of a command: cb ${path} ${first.name} --help.`];
  if (all) return [];
  return ['All options: --help --all. Global options: cb help options.'];
}

/** `cb help --all`: every command on a line of its own. */
export function commandList(program: Branch): Block[] {
  return [
    'Every command of cb. For its options and examples, add --help.',
    ...program.commands.flatMap(groupsIn),
    'For programs: cb help --all -o json.',
  ];
}

/** Lists the commands of a group. Nested groups are separate lists, so that long names do not widen the column. */
function groupsIn(group: Branch): Block[] {
  const { commands, isGroup } = group;
  const own = commands.filter((one) => one.commands.length === 0);
  const lines = isGroup ? own : leavesOf(group);
  const inner = commands.filter((one) => one.commands.length > 0).flatMap(groupsIn);
  const terms = lines.map(({ line, summary }) => [line, summary] as const);
  return terms.length > 0 ? [Object.fromEntries(terms), ...inner] : inner;
}

/** The commands that can be run, from this one on. */
export function leavesOf(branch: Branch): Branch[] {
  return [branch, ...branch.below].filter(({ isGroup }) => !isGroup);
}
