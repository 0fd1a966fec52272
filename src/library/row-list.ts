/** Lists of rows, which are read when they are iterated. */
import type { PageOptions } from '../client/client.ts';
import type { RowPage } from '../client/paging/pages.ts';
import { requireListOptions } from './options.ts';
import type { Page, RowList } from './types.ts';

type ReadPages<R> = (options: Pick<PageOptions, 'expectedRows'>) => AsyncIterable<RowPage<R>>;

export function rowListOf<R>(read: ReadPages<R>): RowList<R> {
  async function* rowsOf(expectedRows?: number): AsyncGenerator<R> {
    for await (const { rows } of read({ expectedRows })) yield* rows;
  }
  async function* pages(): AsyncGenerator<Page<R>> {
    for await (const { rows, totals, more } of read({})) yield { rows, totals, more };
  }
  async function toArray(options: { readonly limit?: number | undefined } = {}): Promise<R[]> {
    requireListOptions(options);
    const { limit = Number.POSITIVE_INFINITY } = options;
    const all: R[] = [];
    if (limit <= 0) return all;
    for await (const row of rowsOf(limit)) {
      all.push(row);
      if (all.length >= limit) break;
    }
    return all;
  }
  return {
    [Symbol.asyncIterator]: () => rowsOf(),
    pages,
    first: async () => (await toArray({ limit: 1 }))[0],
    toArray,
  };
}
