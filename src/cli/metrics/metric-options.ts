/** What `cb metrics` asks for: a view, its period, and an account. */
import { text } from '../../operations/operation.ts';
import { orders } from '../../operations/orders.ts';
import type { CopyView, ViewColumn } from '../../workflows/sync/views/view.ts';
import { views } from '../../workflows/sync/views/views.ts';
import type { Typed } from '../flags/flags.ts';
import { nearest } from '../flags/nearest.ts';
import { usage } from '../runtime/failure.ts';

export interface MetricFlags extends Typed {
  readonly account?: string;
  readonly database?: string;
}

const { startDate, endDate } = orders.list.params;

/** An operation with the period of the list of orders, so that periods are read as in every list. */
export const metricFilters = {
  ...orders.list,
  params: {
    startDate,
    endDate,
    account: text('Only this account of the copy', { names: 'account' }),
  },
};

/** As users type it. */
export function metricName({ name }: CopyView): string {
  return name.replaceAll('_', '-');
}

/** Returns the view with this name, in any case, with hyphens or underscores. Throws a usage failure. */
export function viewNamed(typed: string): CopyView {
  const words = typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
  const found = views.find((view) => metricName(view) === words);
  if (found) return found;
  const names = views.map(metricName);
  const near = nearest(words, names);
  throw usage(`Unknown metric '${typed}'.`, {
    hint: near ? `Did you mean ${near}?` : `Use one of ${names.join(', ')}.`,
    next: 'cb metrics',
  });
}

export function figuresOf({ columns }: CopyView): readonly ViewColumn[] {
  return columns.filter(({ kind }) => kind === 'count' || kind === 'amount' || kind === 'percent');
}

/** The columns of all metrics that a chart can draw. */
export const allFigures: readonly string[] = [
  ...new Set(views.flatMap((view) => figuresOf(view).map(({ name }) => name))),
];
