/** `cb check`: exit code 9 if a refund or chargeback rate reaches its limit. */
import { daysText } from '../../dates/day-texts.ts';
import { countOf } from '../../decimals/decimals.ts';
import { orders } from '../../operations/orders.ts';
import type { Row } from '../../output/rows/rows.ts';
import { command } from '../../shell/define.ts';
import { showFound } from '../../shell/display/show.ts';
import { exitCodes, usage } from '../../shell/failure.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { requireShowable } from '../../shell/options/show-flags.ts';
import { choiceFrom } from '../../shell/options/values.ts';
import { type SettingName, settingOf, settings } from '../../shell/session/settings.ts';
import { settingsOf } from '../../shell/session/stored-profiles.ts';
import { withProfile } from '../lists/accounts.ts';
import { type Asked, byOption, readAsked, readEarnings, withPeriod } from './read-earnings.ts';
import { compareWithLimits, type Limits } from './summary.ts';
import { checkResource, numeral } from './summary-values.ts';
import { checkGroups, type Dimension } from './transaction.ts';

export const check = command({
  words: 'check',
  parameters: [withPeriod],
  options: {
    by: byOption('Also check each', checkGroups),
    refundRate: [
      '--refund-rate <percent>',
      'Limit of refunds to sales and rebills, by count (default: 15%)',
    ],
    chargebackRate: ['--chargeback-rate <percent>', 'Limit of chargebacks, by count (default: 1%)'],
    minSales: ['--min-sales <n>', 'Skip accounts with fewer sales and rebills (default: 100)'],
  },
  shows: { rows: true, shape: () => checkResource },
  help: {
    notes: [
      'Prints nothing and ends with exit code 0 if all accounts are below the limits. Otherwise lists those at or above a limit and ends with exit code 9. The default period is last-14-days. To store limits, use cb config set.',
    ],
    asks: true,
    examples: [
      'cb check',
      'cb check --by affiliate --refund-rate 25% --chargeback-rate 5%',
      'cb config set refund-rate 12%',
    ],
    roles: orders.list.roles,
    obeys: [...connectionOptions, '--all-profiles'],
    answersNo: true,
    topics: ['exit-codes', 'dates', 'output'],
  },
  async run(cmd, flags, output) {
    const by = choiceFrom('--by', flags.by, checkGroups);
    const scopes: readonly Dimension[] = ['account', ...(by ? [by] : [])];
    // An invalid option is refused before anything is sent.
    const typed = {
      'refund-rate': optionOf('refund-rate', flags.refundRate),
      'chargeback-rate': optionOf('chargeback-rate', flags.chargebackRate),
      'min-sales': optionOf('min-sales', flags.minSales),
    };
    requireShowable(output, checkResource);
    const { plan, ...rest } = await readAsked(cmd, flags, 'last-14-days');
    const asked: Asked = { ...rest, plan: { ...plan, before: undefined } };
    const { each } = await readEarnings(cmd, asked, scopes);
    const checked: Checked[] = [];
    for (const { profile, summary } of each) {
      const stored = await settingsOf(cmd, profile);
      const limit = (name: LimitName) => typed[name] ?? settingOf(name, stored).value;
      const limits = {
        refundRatePercent: String(limit('refund-rate')).replace('%', ''),
        chargebackRatePercent: String(limit('chargeback-rate')).replace('%', ''),
        minSales: Number(limit('min-sales')),
      };
      checked.push({ profile, limits, ...compareWithLimits(summary, scopes, limits) });
    }
    const hasProfiles = checked.length > 1;
    const rows = checked.flatMap((one) => rowsOf(one, asked, hasProfiles));
    const resource = hasProfiles ? withProfile(checkResource) : checkResource;
    await showFound(cmd, output, { resource }, rows);
    if (each.length > 0) cmd.messages.tell(sentenceOf(checked, asked, rows.length));
    for (const sentence of pricesOf(checked)) cmd.messages.tell(sentence);
    if (rows.length > 0) cmd.endWith(exitCodes.no);
  },
});

type Checked = ReturnType<typeof compareWithLimits> & {
  readonly profile: string | undefined;
  readonly limits: Limits;
};

function rowsOf(
  { profile, groups, limits }: Checked,
  { plan }: Asked,
  hasProfiles: boolean,
): Row[] {
  const found = groups.filter(({ exceeds }) => exceeds.length > 0);
  return found.map(({ scope, name, title, exceeds, figures }) => ({
    ...(hasProfiles && { profile: profile ?? null }),
    ...{ scope, name: name ?? '(none)', title: title ?? null, exceeds: exceeds.join(', ') },
    ...{ sales: figures.sales, rebills: figures.rebills, refunds: figures.refunds },
    refundRatePercent: numeral(figures.refundRatePercent),
    refundLimitPercent: numeral(limits.refundRatePercent),
    chargebacks: figures.chargebacks,
    chargebackRatePercent: numeral(figures.chargebackRatePercent),
    chargebackLimitPercent: numeral(limits.chargebackRatePercent),
    startDate: plan.period.first,
    endDate: plan.period.last,
  }));
}

/** What ClickBank charges for each chargeback of an account from this rate on, in US dollars (help center, 2026). */
const chargebackFees = [
  { from: 1.5, fee: 49 },
  { from: 1, fee: 29 },
  { from: 0, fee: 22 },
];

/** What the chargebacks of accounts cost that reach the limit; a product or an affiliate has no rate of its own there. */
function pricesOf(checked: readonly Checked[]): string[] {
  const groups = checked.flatMap((one) => one.groups);
  return groups.flatMap(({ scope, name, exceeds, figures }) => {
    const rate = Number(figures.chargebackRatePercent);
    const price = chargebackFees.find(({ from }) => rate >= from);
    const isAccount = scope === 'account' && name !== null;
    if (!isAccount || !exceeds.includes('chargeback rate') || !price) return [];
    const cost = `${name}: at ${figures.chargebackRatePercent}%, each chargeback costs ${price.fee} USD`;
    const isAtRisk = price.from >= 1;
    return [isAtRisk ? `${cost}, and ClickBank may close the account.` : `${cost}.`];
  });
}

/** For people: how many were checked, and how many have too few sales. Profiles can have different limits. */
function sentenceOf(checked: readonly Checked[], { plan }: Asked, found: number): string {
  const groups = checked.flatMap((one) => one.groups);
  const tooFew = checked.flatMap((one) => one.tooFew);
  const { limits } = (checked.length === 1 && checked[0]) || {};
  const least = limits
    ? `${limits.minSales} sales and rebills`
    : 'the minimum of sales and rebills';
  const skipped =
    tooFew.length === 0 ? '' : ` Skipped: ${scopesText(tooFew)} with fewer than ${least}.`;
  const days = daysText(plan.period);
  if (groups.length === 0) return `Nothing was checked for ${days}.${skipped}`;
  if (found > 0) return `${found} of ${groups.length} reach a limit, ${days}.${skipped}`;
  const rates = limits
    ? ` (refunds ${limits.refundRatePercent}%, chargebacks ${limits.chargebackRatePercent}%)`
    : '';
  return `All rates are below the limits${rates}: ${scopesText(groups.map(({ scope }) => scope))}, ${days}.${skipped}`;
}

/** As in `2 accounts and 1 affiliate`. */
function scopesText(scopes: readonly Dimension[]): string {
  return [...new Set(scopes)]
    .map((scope) => countOf(scopes.filter((one) => one === scope).length, scope))
    .join(' and ');
}

type LimitName = Extract<SettingName, 'refund-rate' | 'chargeback-rate' | 'min-sales'>;

function optionOf(name: LimitName, typed: string | undefined): string | number | undefined {
  if (typed === undefined) return undefined;
  const { takes, read } = settings[name];
  const value = read(typed);
  if (value !== undefined) return value;
  throw usage(`Invalid --${name} '${typed}'. Use ${takes}.`);
}
