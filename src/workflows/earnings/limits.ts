/** Refund and chargeback rates that are too high, and whose they are. */
import type { Figures } from './figures.ts';
import type { Dimension, Part } from './groups.ts';
import type { Summary } from './summary.ts';

/** Percentages as decimal texts with at most three decimals, such as `0.65`. */
export interface Limits {
  readonly refundRatePercent: string;
  readonly chargebackRatePercent: string;
  /** Groups with fewer sales and rebills are not judged. */
  readonly minSales: number;
}

export interface Judged extends Omit<Part, 'amount' | 'key'> {
  readonly scope: Dimension;
  readonly figures: Figures;
  /** The limits that it reaches or exceeds; none if all is well. */
  readonly exceeds: readonly ('refund rate' | 'chargeback rate')[];
}

export interface Verdict {
  readonly judged: readonly Judged[];
  /** How many groups have too few sales to be judged. */
  readonly tooFew: number;
}

/** Judges the groups of each of the dimensions, in their order. */
export function judge(summary: Summary, scopes: readonly Dimension[], limits: Limits): Verdict {
  const all = scopes.flatMap((scope) =>
    summary.groups(scope).map(({ key: _, figures: { period: figures }, ...group }): Judged => {
      return { ...group, scope, figures, exceeds: exceededBy(figures, limits) };
    }),
  );
  const judged = all.filter(({ figures }) => hasEnough(figures, limits));
  return { judged, tooFew: all.length - judged.length };
}

/** Without a sale there is no rate. */
function hasEnough({ sales, rebills }: Figures, { minSales }: Limits): boolean {
  return sales + rebills >= Math.max(1, minSales);
}

function exceededBy(figures: Figures, limits: Limits): Judged['exceeds'] {
  const payments = figures.sales + figures.rebills;
  // Compared as whole numbers, because rounding could hide that a limit is reached.
  const reaches = (count: number, percent: string) =>
    count * 100_000 >= Math.round(Number(percent) * 1000) * payments;
  return [
    ...(reaches(figures.refunds, limits.refundRatePercent) ? (['refund rate'] as const) : []),
    ...(reaches(figures.chargebacks, limits.chargebackRatePercent)
      ? (['chargeback rate'] as const)
      : []),
  ];
}
