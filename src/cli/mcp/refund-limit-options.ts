/** Reads `--max-refunds` and `--max-refund-total`. */
import type { RefundLimits } from '../../workflows/approvals/refund-limits.ts';
import { wholeNumber } from '../flags/flags.ts';
import { usage } from '../runtime/failure.ts';

export interface RefundLimitFlags {
  readonly maxRefunds?: string;
  readonly maxRefundTotal?: string;
}

/** Throws a usage failure. */
export function refundLimitsFrom({ maxRefunds, maxRefundTotal }: RefundLimitFlags): RefundLimits {
  return {
    refunds: maxRefunds === undefined ? undefined : wholeNumber('--max-refunds', maxRefunds, 0),
    totals: maxRefundTotal === undefined ? {} : totalsFrom(maxRefundTotal),
  };
}

/** As in `200USD,150.50EUR`. A limit in dollars says nothing about euros. */
function totalsFrom(typed: string): Readonly<Record<string, string>> {
  const totals = new Map<string, string>();
  for (const part of typed.split(',')) {
    const [, amount, code = ''] = /^\s*(\d{1,12}(?:\.\d{1,2})?)\s*([a-z]{3})\s*$/i.exec(part) ?? [];
    const currency = code.toUpperCase();
    if (amount === undefined || totals.has(currency)) throw invalid(typed);
    totals.set(currency, amount);
  }
  return Object.fromEntries(totals);
}

function invalid(typed: string) {
  return usage(`Invalid --max-refund-total '${typed}'.`, {
    hint: 'Use an amount and a currency, such as 200USD or 200USD,150EUR.',
  });
}
