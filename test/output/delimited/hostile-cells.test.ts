/** Half a million hostile cells, through bytes and an independent parser, and back. */
import { parse } from 'csv-parse/sync';
import { test } from 'vitest';
import type { Row } from '../../../src/output/rows/rows.ts';
import {
  expectRightlyRead,
  height,
  hostileCells,
  type Sent,
  width,
} from '../../support/hostile-cells.ts';
import { shown } from '../support.ts';

const cells = hostileCells();
const records = Array.from({ length: height }, (_, row) =>
  cells.slice(row * width, (row + 1) * width),
);

function asRow(cells: readonly Sent[]): Row {
  return Object.fromEntries(cells.map(({ value }, column) => [`c${column}`, value]));
}

test('Half a million hostile cells come back as sent, every formula guarded, every number untouched', async () => {
  const bytes = Buffer.from(await shown('csv', [records.map(asRow)]), 'utf8');
  const [, ...read] = parse(bytes);
  expectRightlyRead(cells, read.flat());
});
