/** The names of the metrics, and their figures. */
import type { CopyView, ViewColumn } from '../../workflows/sync/views/view.ts';
import { views } from '../../workflows/sync/views/views.ts';
import { nearest } from '../flags/nearest.ts';
import { usage } from '../runtime/failure.ts';

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
