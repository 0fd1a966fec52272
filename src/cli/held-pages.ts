/** Pages that are held back, so that a failure leaves nothing half shown. */
import type { RowPage } from '../api/lists.ts';
import type { Pages, ShownPage } from './shown-pages.ts';

/** The pages of each window once all of them are there. */
export async function* wholeWindows<Row>(
  pages: AsyncGenerator<RowPage<Row>>,
): AsyncGenerator<RowPage<Row>> {
  let held: RowPage<Row>[] = [];
  for await (const page of pages) {
    held.push(page);
    if (!page.endsWindow) continue;
    yield* held;
    held = [];
  }
}

/** All pages once the list is complete. */
export async function* wholeList(pages: Pages): Pages {
  const held: ShownPage[] = [];
  for await (const page of pages) held.push(page);
  yield* held;
}
