/** The options of a command under their headings, as its help page and its description list them. */
import type { Command, Option } from 'commander';
import { helpGroups, parameterText } from '../flags/flags.ts';
import { helpTextOf, readOptions } from './help-text.ts';
import { isRare } from './rare-options.ts';

export interface OptionGroup {
  readonly heading: string;
  readonly options: readonly Option[];
}

/** Returns the words of a command, without `cb`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent ? `${pathOf(parent)} ${command.name()}`.trim() : '';
}

/** Returns the options of the command; rare ones only if `all`. */
export function optionGroups(command: Command, { all = true } = {}): OptionGroup[] {
  const path = pathOf(command);
  const own = ownOptions(command).filter((option) => all || !isRare(option, path));
  const isSearch = own.some((option) => option.helpGroupHeading === helpGroups.filters);
  const { filters, output, options } = helpGroups;
  const order = isSearch ? [filters, output, options] : [options, output];
  const others = own.map(headingOf).filter((heading) => !order.includes(heading));
  return [...order, ...new Set(others)].flatMap((heading) => {
    const under = own.filter((option) => headingOf(option) === heading);
    const required = under.filter(({ param }) => param?.required);
    const options = [...required, ...under.filter((option) => !required.includes(option))];
    return under.length > 0 ? [{ heading, options }] : [];
  });
}

function ownOptions(command: Command): Option[] {
  const shown = command.createHelp().visibleOptions(command);
  return shown.filter(({ helpGroupHeading }) => helpGroupHeading !== helpGroups.global);
}

function headingOf({ helpGroupHeading }: Option): string {
  return helpGroupHeading ?? helpGroups.options;
}

/** Returns the global options that a command obeys, and --help. */
export function globalOptions(command: Command): Option[] {
  const help = command.createHelp();
  const all = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const { obeys = [], ownFormat = false } = helpTextOf(command);
  const isObeyed = ({ long }: Option) =>
    (!readOptions.some((name) => name === long) || obeys.some((name) => name === long)) &&
    !(ownFormat && long === '--output');
  const global = all.filter(({ helpGroupHeading }) => helpGroupHeading === helpGroups.global);
  const isFirst = ({ long }: Option, i: number) =>
    global.findIndex((one) => one.long === long) === i;
  return global.filter(isFirst).filter((option) => command.parent === null || isObeyed(option));
}

/** Describes an option; with `all`, also each of its values and their meanings. */
export function summaryOf(option: Option, { all = true } = {}): string {
  const { param, description, negate } = option;
  return all || !param || negate ? description : parameterText(param).brief;
}
