/** Half a million hostile cells, through bytes and an independent parser, and back. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { openCopier } from '../../src/copying/copier.ts';
import { decimal, resource, text } from '../../src/operations/resource.ts';
import type { Row } from '../../src/output/rows.ts';
import {
  expectRightlyRead,
  height,
  hostileCells,
  type Sent,
  width,
} from '../support/hostile-cells.ts';
import { shown } from './support.ts';

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

/** Every other column holds numbers and texts; the service quotes both. */
const row = resource(
  'row',
  [],
  Object.fromEntries(
    Array.from({ length: width }, (_, column) => [`c${column}`, column % 2 === 0 ? text : decimal]),
  ),
);

function asWire(page: readonly (readonly Sent[])[]): Buffer {
  const rows = page.map((record) =>
    Object.fromEntries(record.map(({ value }, column) => [`c${column}`, String(value)])),
  );
  return Buffer.from(JSON.stringify({ row: rows }));
}

test('So do those of later pages, which are copied out of the answers', () => {
  const copy = openCopier(row, 'csv', { shape: row });
  const texts: Buffer[] = [];
  for (let at = 0; at < height; at += 100) {
    const copied = copy?.(asWire(records.slice(at, at + 100)));
    expect(copied?.rows).toBe(100);
    if (copied) texts.push(copied.text);
  }
  const read: string[][] = parse(Buffer.concat(texts));
  expectRightlyRead(cells, read.flat());
});
