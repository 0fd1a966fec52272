/** Options that few people need: `cb COMMAND --help` leaves them out, and `--help --all` shows them. */
import type { Option } from 'commander';

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
