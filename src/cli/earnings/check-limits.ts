/** The limits of `cb check`: options win over the settings of the profile. */
import { isBuiltIn } from '../../profiles/find-service.ts';
import type { Limits } from '../../workflows/earnings/limits.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { usage } from '../runtime/failure.ts';
import { type SettingName, settingOf, settings } from '../session/settings.ts';
import { profilesOf } from '../session/stored-profiles.ts';

export interface LimitFlags {
  readonly refundRate?: string;
  readonly chargebackRate?: string;
  readonly minSales?: string;
}

type LimitName = Extract<SettingName, 'refund-rate' | 'chargeback-rate' | 'min-sales'>;

/** Throws a usage failure for an invalid option, before anything is sent. */
export function requireLimits(flags: LimitFlags): void {
  optionOf('refund-rate', flags.refundRate);
  optionOf('chargeback-rate', flags.chargebackRate);
  optionOf('min-sales', flags.minSales);
}

/** The limits for a profile. The key of the environment and the sandbox have no settings. */
export async function limitsFor(
  cmd: CommandContext,
  profile: string | undefined,
  flags: LimitFlags,
): Promise<Limits> {
  const isStored = profile !== undefined && !isBuiltIn(profile);
  const stored = isStored ? (await profilesOf(cmd)).get(profile)?.settings : undefined;
  const percentOf = (name: 'refund-rate' | 'chargeback-rate', typed: string | undefined) =>
    String(optionOf(name, typed) ?? settingOf(name, stored).value).replace('%', '');
  return {
    refundRatePercent: percentOf('refund-rate', flags.refundRate),
    chargebackRatePercent: percentOf('chargeback-rate', flags.chargebackRate),
    minSales: Number(optionOf('min-sales', flags.minSales) ?? settingOf('min-sales', stored).value),
  };
}

function optionOf(name: LimitName, typed: string | undefined): string | number | undefined {
  if (typed === undefined) return undefined;
  const { takes, read } = settings[name];
  const value = read(typed);
  if (value !== undefined) return value;
  throw usage(`Invalid --${name} '${typed}'. Use ${takes}.`);
}
