/** Runs `cb check`: prints who reaches a limit, and nothing if nobody does. */
import { daysText } from '../../dates/day-texts.ts';
import { countOf } from '../../decimals/decimals.ts';
import type { Row } from '../../output/rows/rows.ts';
import { checkGroups, type Dimension } from '../../workflows/earnings/groups.ts';
import { type Judged, judge, type Limits, type Verdict } from '../../workflows/earnings/limits.ts';
import { onePage, showPages, showValue } from '../display/show.ts';
import { requireShowable } from '../display/showable.ts';
import type { View } from '../display/view.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import { withProfile } from '../lists/accounts.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { exitCodes } from '../runtime/exit-codes.ts';
import { type LimitFlags, limitsFor, requireLimits } from './check-limits.ts';
import { type Asked, choiceFrom, type EarningFlags, readAsked } from './earning-options.ts';
import { checkResource } from './earning-resources.ts';
import { readEarnings } from './read-earnings.ts';
import { numeral } from './summary-values.ts';

interface Checked extends Verdict {
  readonly profile: string | undefined;
  readonly limits: Limits;
}

export async function runCheck(
  cmd: CommandContext,
  flags: EarningFlags & LimitFlags,
  output: OutputOptions,
  defaultPeriod: string,
): Promise<void> {
  const by = choiceFrom('--by', flags.by, checkGroups);
  const scopes: readonly Dimension[] = ['account', ...(by ? [by] : [])];
  requireLimits(flags);
  requireShowable(output, checkResource);
  const { plan, ...rest } = await readAsked(cmd, flags, defaultPeriod);
  const asked: Asked = { ...rest, plan: { ...plan, before: undefined } };
  const { each } = await readEarnings(cmd, asked, scopes);
  const checked: Checked[] = [];
  for (const { profile, summary } of each) {
    const limits = await limitsFor(cmd, profile, flags);
    checked.push({ profile, limits, ...judge(summary, scopes, limits) });
  }
  const hasProfiles = checked.length > 1;
  const rows = checked.flatMap((one) => rowsOf(one, asked, hasProfiles));
  const resource = hasProfiles ? withProfile(checkResource) : checkResource;
  await showFound(cmd, output, { resource }, rows);
  if (each.length > 0) cmd.messages.tell(sentenceOf(checked, asked, rows.length));
  if (rows.length > 0) cmd.endWith(exitCodes.no);
}

function rowsOf(
  { profile, judged, limits }: Checked,
  { plan }: Asked,
  hasProfiles: boolean,
): Row[] {
  const found = judged.filter(({ exceeds }) => exceeds.length > 0);
  return found.map((one) => ({
    ...(hasProfiles && { profile: profile ?? null }),
    ...rowOf(one, limits),
    startDate: plan.period.first,
    endDate: plan.period.last,
  }));
}

function rowOf({ scope, name, title, exceeds, figures }: Judged, limits: Limits): Row {
  const { sales, rebills, refunds, chargebacks } = figures;
  return {
    scope,
    name: name ?? '(none)',
    title: title ?? null,
    exceeds: exceeds.join(', '),
    ...{ sales, rebills, refunds },
    refundRatePercent: numeral(figures.refundRatePercent),
    refundLimitPercent: numeral(limits.refundRatePercent),
    chargebacks,
    chargebackRatePercent: numeral(figures.chargebackRatePercent),
    chargebackLimitPercent: numeral(limits.chargebackRatePercent),
  };
}

/** Nothing is printed if nothing is found, except a complete document: JSON, or a file that was asked for. */
async function showFound(
  cmd: CommandContext,
  output: OutputOptions,
  view: View,
  rows: readonly Row[],
): Promise<void> {
  const { format, out, query } = output;
  if (rows.length > 0 || out !== undefined || (format === 'json' && query !== undefined)) {
    await showPages(cmd, output, view, onePage(rows));
  } else if (format === 'json') await showValue(cmd, output, []);
}

/** For people: how many groups were judged, and how many have too few sales. */
function sentenceOf(checked: readonly Checked[], { plan }: Asked, found: number): string {
  const judged = checked.flatMap((one) => one.judged);
  const tooFew = checked.reduce((sum, one) => sum + one.tooFew, 0);
  const left = `${countOf(tooFew, 'group')} with fewer sales and rebills than ${leastText(checked)}`;
  const notJudged = tooFew === 0 ? '' : ` Not judged: ${left}.`;
  const days = daysText(plan.period);
  if (judged.length === 0) return `Nothing was judged for ${days}.${notJudged}`;
  if (found > 0) return `${found} of ${judged.length} reach a limit, ${days}.${notJudged}`;
  return `All rates are below ${limitsText(checked)}: ${scopesText(judged)}, ${days}.${notJudged}`;
}

/** Profiles can have different limits. */
function limitsText([first, ...others]: readonly Checked[]): string {
  if (!first || others.length > 0) return 'the limits';
  const { refundRatePercent, chargebackRatePercent } = first.limits;
  return `the limits (refunds ${refundRatePercent}%, chargebacks ${chargebackRatePercent}%)`;
}

function leastText([first, ...others]: readonly Checked[]): string {
  return first && others.length === 0 ? String(first.limits.minSales) : 'the minimum';
}

function scopesText(judged: readonly Judged[]): string {
  const scopes = [...new Set(judged.map(({ scope }) => scope))];
  return scopes
    .map((scope) => countOf(judged.filter((one) => one.scope === scope).length, scope))
    .join(' and ');
}
