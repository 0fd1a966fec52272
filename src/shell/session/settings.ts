/** The settings of a profile, each with its valid values and its default. */
import type { Settings } from '../../profiles/credentials.ts';
import { exitCodes, Failure, usage } from '../failure.ts';
import { suggest } from '../options/nearest.ts';

interface Setting<Value> {
  readonly summary: string;
  /** The values to use, as in "must be …". */
  readonly takes: string;
  readonly standard: Value;
  /** Returns undefined for an invalid value. */
  read(typed: string): Value | undefined;
}

export const settings = {
  pace: {
    summary: 'Requests per second, shared by all cb processes',
    takes: "a number from 0.1 to 10, which is the service's limit",
    standard: 8,
    read(typed) {
      const number = /^\d{1,3}(\.\d{1,3})?$/.test(typed) ? Number(typed) : Number.NaN;
      return number >= 0.1 && number <= 10 ? number : undefined;
    },
  },
  pager: {
    summary: 'Show long lists and help in a pager: $CB_PAGER, $PAGER or less',
    takes: 'on or off',
    standard: 'on',
    read: (typed) => ['on', 'off'].find((value) => value === typed.toLowerCase()),
  },
  account: {
    summary: 'Account of commands that read one, such as analytics (default: ask for it)',
    takes: 'a nickname such as GREENLEAF',
    standard: '',
    read: (typed) => (/^\w{1,30}$/.test(typed) ? typed.toUpperCase() : undefined),
  },
  'refund-rate': {
    summary: 'Limit of the refund rate in cb check',
    takes: 'a percentage such as 15%',
    standard: '15%',
    read: percentage,
  },
  'chargeback-rate': {
    summary: 'Limit of the chargeback rate in cb check',
    takes: 'a percentage such as 1%',
    standard: '1%',
    read: percentage,
  },
  'min-sales': {
    summary: 'Sales and rebills below which cb check skips a group',
    takes: 'a whole number of 1 or more, such as 100',
    standard: 100,
    read: (typed) => (/^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : undefined),
  },
} satisfies Readonly<Record<string, Setting<number> | Setting<string>>>;

export type SettingName = keyof typeof settings;

/** Accepts `15%` and `15`. A bare fraction is rejected, because 0.15 can mean 15% or 0.15%. */
function percentage(typed: string): string | undefined {
  const [, digits, sign] = /^(\d{1,3}(?:\.\d{1,3})?)\s*(%?)$/.exec(typed.trim()) ?? [];
  const number = Number(digits);
  const isClear = sign === '%' || number >= 1;
  return number > 0 && number <= 100 && isClear ? `${digits}%` : undefined;
}

export const settingNames = Object.keys(settings) as readonly SettingName[];

export function settingNamed(typed: string): SettingName {
  const name = settingNames.find((known) => known === typed);
  if (name) return name;
  throw usage(`There is no setting '${typed}'.`, {
    hint: suggest(typed, settingNames, `Settings: ${settingNames.join(', ')}.`),
  });
}

/** Reads a value as typed. Throws a usage failure that names the valid values. */
export function settingFrom(name: SettingName, typed: string): number | string {
  const value = settings[name].read(typed);
  if (value !== undefined) return value;
  throw usage(`Invalid ${name} '${typed}'. Use ${settings[name].takes}.`);
}

/** Throws a Failure for an invalid value in the file, which a person may have edited. */
export function settingOf<Name extends SettingName>(
  name: Name,
  stored: Settings = {},
): { readonly value: (typeof settings)[Name]['standard']; readonly isSet: boolean } {
  const { standard, takes, read } = settings[name];
  if (stored[name] === undefined) return { value: standard, isSet: false };
  const value = read(String(stored[name]));
  if (value !== undefined) return { value, isSet: true };
  const message = `The profile has an invalid setting ${name}. It must be ${takes}.`;
  const hint = `To reset it, run \`cb config unset ${name}\`, with the same --profile or --sandbox.`;
  throw new Failure(exitCodes.key, message, { hint });
}
