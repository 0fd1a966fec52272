/** The help page of a command: the short one fits a screen, the full one has every option. And the list of commands. */
import { type Argument, Option } from 'commander';
import { formatNames } from '../../output/registry.ts';
import { formatSummary } from '../argv.ts';
import { type Branch, helpOption, showsOf } from '../define.ts';
import { helpGroups, parameterText } from '../options/flags.ts';
import { type Block, longestTerm } from './blocks.ts';
import { type HelpText, readOptions } from './help-text.ts';

type Section = readonly [heading: string, items: readonly (readonly [string, string])[]];

/** With `all`, every option with every value, and the global options. */
export function helpPage(branch: Branch, all = false): Block[] {
  const { brief = [] } = branch.help;
  const sections = [
    argumentSection(branch, all),
    ...commandSections(branch),
    ...optionSections(branch, all),
  ].filter(([, items]) => items.length > 0);
  // All meanings of a page start in one column.
  const lengths = sections.flatMap(([, items]) => items.map(([term]) => term.length));
  const width = Math.max(0, ...lengths.filter((length) => length <= longestTerm));
  return [
    `${branch.summary}.`,
    `Usage: ${usageOf(branch)}`,
    ...sections.flatMap(([heading, items]) =>
      !all && brief.includes(heading)
        ? [`${heading} ${items.map(([term]) => term).join(', ')}.`]
        : [
            heading,
            Object.fromEntries(items.map(([term, meaning]) => [term.padEnd(width), meaning])),
          ],
    ),
    ...endingOf(branch.help, all, pointers(branch, all)),
  ];
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
    const summary = summaryOf(argument, all).replace(' (required)', '');
    return [termOf(argument), summary] as const;
  });
  return ['Arguments:', items.filter(([, summary]) => summary !== '')];
}

function summaryOf(one: Option | Argument, all: boolean): string {
  const isFull = all || !one.param || ('negate' in one && one.negate);
  return isFull || !one.param ? one.description : parameterText(one.param).brief;
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
  const isGroup = branch.parent !== undefined && branch.isGroup;
  const options = globalOptions(branch);
  const output = options.filter(({ long }) => long === '--output');
  const own = optionGroups(branch, all).map((group) =>
    group.heading === helpGroups.output && !all
      ? { ...group, options: [...output, ...group.options] }
      : group,
  );
  const shown = all && !isGroup ? [...own, { heading: helpGroups.global, options }] : own;
  return shown.map(({ heading, options }) => [
    heading,
    options.map((one) => [one.flags, summaryOf(one, all)]),
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

/** Returns the end of a page, below the options; `pointers` name other pages. */
export function endingOf(
  { notes = [], examples = [], asks, roles, remarks = [], topics = [] }: HelpText,
  all = true,
  pointers: readonly string[] = [],
): Block[] {
  // The short page has examples that fit a line of 80 columns, if any does.
  const fitting = examples.filter((line) => line.length <= 78).slice(0, 3);
  const short = fitting.length > 0 ? fitting : examples.slice(0, 2);
  const shown = all ? examples : short;
  const tryThem = ' (add --sandbox to try them without an account)';
  const last = [
    ...(roles?.length ? [`Required key permissions: ${[...new Set(roles)].join(', ')}.`] : []),
    ...(roles?.length === 0 ? ['No API key is required.'] : []),
    ...(all ? remarks : []),
    ...(topics.length > 0 ? [`Learn more: cb help ${topics.join(', ')}.`] : []),
    ...pointers,
  ];
  return [
    ...notes,
    ...(shown.length > 0 ? [`Examples${asks ? tryThem : ''}:`, shown] : []),
    ...(last.length > 0 ? [last.join('\n')] : []),
  ];
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

export function leavesOf(branch: Branch): Branch[] {
  return [branch, ...branch.below].filter(({ isGroup }) => !isGroup);
}

export function optionGroups(branch: Branch, all = true) {
  const own = shownOptions(branch).filter(
    (option) =>
      option.helpGroupHeading !== helpGroups.global && (all || !isRare(option, branch.path)),
  );
  const headingOf = ({ helpGroupHeading }: Option) => helpGroupHeading ?? helpGroups.options;
  const { filters, output, options } = helpGroups;
  const isSearch = own.some((option) => headingOf(option) === filters);
  const order = isSearch ? [filters, output, options] : [options, output];
  return [...new Set([...order, ...own.map(headingOf)])].flatMap((heading) => {
    const under = own.filter((option) => headingOf(option) === heading);
    const required = under.filter(({ param }) => param?.required);
    const options = [...new Set([...required, ...under])];
    return under.length > 0 ? [{ heading, options }] : [];
  });
}

/** Its own options that the help shows, with `--help`. */
export function shownOptions({ options }: Branch): readonly Option[] {
  return [...options.filter(({ hidden }) => !hidden), helpOption];
}

export function globalOptions(branch: Branch): Option[] {
  const { obeys = [], ownFormat = false } = branch.help;
  const isObeyed = ({ long }: Option) =>
    (!readOptions.some((name) => name === long) || obeys.some((name) => name === long)) &&
    !(ownFormat && long === '--output');
  const all = [...shownOptions(branch), ...branch.allOptions];
  return [...new Set(all)]
    .filter(
      (option) =>
        option.helpGroupHeading === helpGroups.global &&
        !option.hidden &&
        (branch.parent === undefined || isObeyed(option)),
    )
    .map((option) => (option.long === '--output' ? outputOption(branch, option) : option));
}

/** `xml` is what the service sends, so a command that shows something else does not offer it. */
function outputOption({ spec }: Branch, option: Option): Option {
  const shows = showsOf(spec);
  if (!shows || shows.asReceived) return option;
  const names = formatNames(shows.live ? 'live' : undefined).filter((name) => name !== 'xml');
  return new Option(option.flags, formatSummary(names)).helpGroup(helpGroups.global);
}

/** Rare options, by the words after `cb`; those under '' are rare in every command. */
export const rareOptions: Readonly<Record<string, string>> = {
  '': `expand spread dates text-ids no-header delimiter bom crlf raw page concurrency max-pages append
    verify-wait verbose generation map skip-invalid retry-unknown journal restart results`,
  'orders list': 'postal-code last-name role amount',
  'orders count': 'postal-code role',
  'orders watch': 'postal-code role amount exec-max',
  'tickets list': 'update-date-from update-date-to close-date-from close-date-to',
  'tickets create': 'preset',
  check: 'role sort',
  sync: 'limit fields sort query out schema wait new-account',
  'analytics dimension': 'dimension-filter sort-ascending resume query',
  'analytics summary': 'dimension-filter sort-ascending resume query',
  'products save': `physical description image digital-recurring physical-recurring skip-confirmation-page
    mobile-thank-you-page mobile-pitch-page rebill-commission shipping-profile purchase-commission
    sale-refund-days-limit rebill-refund-days-limit delivery-method delivery-speed
    pre-rebill-notification-override pre-rebill-notification-lead-time`,
};

export function isRare({ long = '', negate, param }: Option, path: string): boolean {
  const isIn = (where: string) => rareOptions[where]?.split(/\s+/).includes(long.slice(2)) ?? false;
  // Of a negatable pair, the option that requests the default.
  const isDefault = param?.kind === 'boolean' && negate !== (param.fallback === 'true');
  return isIn('') || isIn(path) || isDefault;
}
