/** The options of a command under their headings, and which of them few people need. */
import type { Option } from 'commander';
import { type Branch, helpOption } from '../define.ts';
import { helpGroups, parameterText } from '../options/flags.ts';
import { readOptions } from './help-text.ts';

export interface OptionGroup {
  readonly heading: string;
  readonly options: readonly Option[];
}

/** Returns the options of the command; rare ones only if `all`. */
export function optionGroups(branch: Branch, { all = true } = {}): OptionGroup[] {
  const path = branch.path;
  const own = ownOptions(branch).filter((option) => all || !isRare(option, path));
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

function ownOptions(branch: Branch): readonly Option[] {
  return shownOptions(branch).filter(
    ({ helpGroupHeading }) => helpGroupHeading !== helpGroups.global,
  );
}

/** Its own options that the help shows, with `--help`. */
export function shownOptions({ options }: Branch): readonly Option[] {
  return [...options.filter(({ hidden }) => !hidden), helpOption];
}

function headingOf({ helpGroupHeading }: Option): string {
  return helpGroupHeading ?? helpGroups.options;
}

/** Returns the global options that a command obeys, and --help. */
export function globalOptions(branch: Branch): Option[] {
  const { obeys = [], ownFormat = false } = branch.help;
  const isObeyed = ({ long }: Option) =>
    (!readOptions.some((name) => name === long) || obeys.some((name) => name === long)) &&
    !(ownFormat && long === '--output');
  const all = [...shownOptions(branch), ...branch.allOptions];
  return [...new Set(all)].filter(
    (option) =>
      option.helpGroupHeading === helpGroups.global &&
      !option.hidden &&
      (branch.parent === undefined || isObeyed(option)),
  );
}

/** Describes an option; with `all`, also each of its values and their meanings. */
export function summaryOf(option: Option, { all = true } = {}): string {
  const { param, description, negate } = option;
  return all || !param || negate ? description : parameterText(param).brief;
}

/** Rare options of any command, by long name. */
const everywhere: readonly string[] = [
  ...['--expand', '--spread', '--dates', '--text-ids', '--no-header'],
  ...['--delimiter', '--bom', '--crlf'],
  ...[
    '--since',
    '--until',
    '--raw',
    '--page',
    '--concurrency',
    '--max-pages',
    '--append',
    '--verify-wait',
  ],
  ...['--generation', '--map', '--skip-invalid', '--retry-unknown', '--journal', '--restart'],
  ...['--results', '--database'],
];

/** Options that are rare except in one command. */
const frequent: Readonly<Record<string, readonly string[]>> = {
  sync: ['--since'],
  ...Object.fromEntries(
    ['sql', 'metrics', 'sync status', 'sync check', 'sync forget', 'sync reset'].map((path) => [
      path,
      ['--database'],
    ]),
  ),
};

/** Rare options of one command, by the words after `cb`. */
const ofCommand: Readonly<Record<string, readonly string[]>> = {
  'orders list': ['--postal-code', '--last-name', '--role', '--amount'],
  'orders count': ['--postal-code', '--role'],
  'orders watch': ['--postal-code', '--role', '--amount', '--exec-max'],
  'tickets list': [
    ...['--create-date-from', '--create-date-to', '--update-date-from', '--update-date-to'],
    ...['--close-date-from', '--close-date-to'],
  ],
  check: ['--role', '--sort'],
  sync: [
    '--limit',
    '--fields',
    '--sort',
    '--query',
    '--out',
    '--schema',
    '--wait',
    '--new-account',
  ],
  'tickets create': ['--preset'],
  'analytics dimension': ['--dimension-filter', '--sort-ascending', '--resume', '--query'],
  'analytics summary': ['--dimension-filter', '--sort-ascending', '--resume', '--query'],
  'products save': [
    ...['--physical', '--description', '--image', '--digital-recurring'],
    ...['--physical-recurring', '--skip-confirmation-page'],
    ...['--mobile-thank-you-page', '--mobile-pitch-page', '--rebill-commission'],
    ...['--shipping-profile', '--purchase-commission', '--sale-refund-days-limit'],
    ...['--rebill-refund-days-limit', '--delivery-method', '--delivery-speed'],
    ...['--pre-rebill-notification-override', '--pre-rebill-notification-lead-time'],
  ],
};

/** Whether an option of a negatable pair is rare, because it requests the default. */
function isRareOfPair({ negate, param }: Option): boolean {
  return param?.kind === 'boolean' && negate !== (param.fallback === 'true');
}

export function isRare(option: Option, path: string): boolean {
  const name = option.long ?? '';
  return (
    (everywhere.includes(name) && !(frequent[path] ?? []).includes(name)) ||
    (ofCommand[path] ?? []).includes(name) ||
    isRareOfPair(option)
  );
}

/** Returns the rare options of single commands, for the test that each still exists. */
export function rareNames(): readonly (readonly [path: string, name: string])[] {
  return Object.entries(ofCommand).flatMap(([path, names]) =>
    names.map((name) => [path, name] as const),
  );
}
