/** Rows of a list that go to the output without being made. */
import type { PagesOptions } from '../api/client.ts';
import type { RenderOptions } from '../output/render-options.ts';
import type { Row } from '../output/rows.ts';
import type { ListRun } from './list-run.ts';
import type { Pages } from './shown-pages.ts';
import type { Sink } from './sink.ts';

/** What copies them; undefined where the rows themselves are needed. */
export function copierFor({
  operation: { returns },
  showing,
  view,
}: ListRun): PagesOptions['copier'] {
  const { format, query, expand, spread, totals, fields, csv } = showing;
  const { resource, reshape } = view;
  const isAsSent = 'resource' in returns && returns.resource === resource && !reshape;
  const isAsked = totals || [query, expand, spread].some((wish) => wish !== undefined);
  if (!isAsSent || isAsked) return undefined;
  if (format !== 'csv' && format !== 'tsv' && format !== 'json' && format !== 'ndjson') {
    return undefined;
  }
  return async () => {
    const { openCopier } = await import('../copying/copier.ts');
    return openCopier(resource, format, { shape: resource, csv, ...(fields && { fields }) });
  };
}

/** Rows that are copied go to the sink as they are, in their turn: what came before them is written by then. */
export async function* rowsToRender(
  pages: Pages,
  sink: Pick<Sink, 'write'>,
  { fields, shape, begun }: RenderOptions,
): AsyncGenerator<readonly Row[]> {
  let first = begun;
  let isKnown: boolean | undefined;
  for await (const { rows } of pages) {
    const text = first && rows.copied;
    if (first && text) {
      const { unknownFields } = await import('../output/columns.ts');
      // They would be columns, of which whoever copied the rows knew nothing.
      isKnown ??= fields !== undefined || unknownFields(shape, first).length === 0;
    }
    if (text && isKnown) {
      await sink.write(text);
      continue;
    }
    const made = [...rows] as readonly Row[];
    if (made.length > 0) first ??= made;
    yield made;
  }
}

/** The same sink, which takes nothing more once it has failed: a writer that is stopped may want to end well. */
export function failingOnce(sink: Sink): Pick<Sink, 'write'> {
  let failed: { readonly error: unknown } | undefined;
  return {
    async write(text) {
      if (failed) throw failed.error;
      try {
        await sink.write(text);
      } catch (error) {
        failed = { error };
        throw error;
      }
    },
  };
}
