/** Rows of a list that go to the output without being made. */
import type { PagesOptions } from '../api/client.ts';
import type { Operation } from '../operations/operation.ts';
import { isRowFormat, type Showing } from './show-flags.ts';
import type { View } from './view.ts';

/** What was asked of a list. */
interface Asked {
  readonly operation: Operation;
  readonly showing: Showing;
  readonly view: View;
}

/** What copies them; undefined where the rows themselves are needed. */
export function copierFor({
  operation: { returns },
  showing,
  view,
}: Asked): PagesOptions['copier'] {
  const { format, query, expand, spread, totals, fields, csv } = showing;
  const { resource, reshape } = view;
  const isAsSent = 'resource' in returns && returns.resource === resource && !reshape;
  const isAsked = totals || [query, expand, spread].some((wish) => wish !== undefined);
  if (!isAsSent || isAsked || !isRowFormat(format)) return undefined;
  return async () => {
    const { openCopier } = await import('../copying/copier.ts');
    return openCopier(resource, format, { shape: resource, csv, ...(fields && { fields }) });
  };
}
