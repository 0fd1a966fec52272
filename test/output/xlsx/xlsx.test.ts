/** Workbooks as bytes: what their XML says, whatever the text. */
import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { renderOne } from '../../../src/output/render.ts';
import type { RenderOptions } from '../../../src/output/render-options.ts';
import type { Row, Shape } from '../../../src/output/rows/rows.ts';
import { longestText, xmlText } from '../../../src/output/xlsx/sheet.ts';
import { openSpool, openWorkbook } from '../../../src/output/xlsx/workbook.ts';
import { parser, textOf, type XmlCell } from '../../support/workbook.ts';
import { pages, renderPages, rows } from '../support.ts';

/** The files of a workbook, each of which is well-formed XML. */
function filesIn(bytes: Uint8Array): Map<string, string> {
  const files = Object.entries(unzipSync(bytes)).map(
    ([name, content]) => [name, strFromU8(content)] as const,
  );
  for (const [name, xml] of files) expect(XMLValidator.validate(xml), name).toBe(true);
  return new Map(files);
}

/** The cells of a sheet, row by row, as `t:text`, `n:digits` or `b:1`. */
function cellsIn(files: ReadonlyMap<string, string>, number = 1): string[][] {
  const { worksheet } = parser.parse(files.get(`xl/worksheets/sheet${number}.xml`) ?? '');
  return worksheet.sheetData.row.map(({ c = [] }: { c?: readonly XmlCell[] }) => c.map(shownCell));
}

function shownCell(cell: XmlCell): string {
  expect(cell.f).toBeUndefined();
  if (cell.t === 'b') return `b:${cell.v}`;
  return cell.t === 'inlineStr' ? `t:${decoded(textOf(cell))}` : `n:${cell.v}`;
}

/** As spreadsheets read `_xHHHH_`. */
function decoded(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

async function written(each: readonly Row[][], options: RenderOptions = {}) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of renderPages('xlsx', pages(...each), options)) {
    chunks.push(chunk as Uint8Array);
  }
  return filesIn(Buffer.concat(chunks));
}

const shape: Shape = {
  headline: [],
  fields: {
    id: { kind: 'integer', names: 'ticket' },
    amount: { kind: 'decimal' },
    currency: { kind: 'text' },
    at: { kind: 'time' },
    day: { kind: 'day' },
    open: { kind: 'boolean' },
    tags: { kind: 'list' },
  },
};

test('types cells by the shape: IDs as text, times in the zone, days, amounts and booleans', async () => {
  const row = {
    ...{ amount: '12.90', currency: 'EUR', at: '2026-11-21T17:44:05-08:00' },
    ...{ day: '2026-11-21T00:00:00-08:00', open: true, tags: ['a', 'b'] },
  };
  const zone = { name: 'UTC', label: 'UTC' };
  const currencies = { by: 'currency', fixed: {} };
  const sent = rows(`[${JSON.stringify({ id: 1001, ...row })}]`);
  const files = await written([sent], { shape, zone, currencies });
  const [header, cells] = cellsIn(files);
  const names = ['id', 'amount', 'currency', 'at (UTC)', 'day', 'open', 'tags'];
  expect(header).toEqual(names.map((name) => `t:${name}`));
  // 46348 is November 22, 2026.
  expect(cells?.[3]).toMatch(/^n:46348\.0722\d+$/);
  expect(cells?.filter((_, at) => at !== 3)).toEqual([
    ...['t:1001', 'n:12.90', 't:EUR', 'n:46347', 'b:1', 't:["a","b"]'],
  ]);
  expect(files.get('xl/styles.xml')).toContain('formatCode="#,##0.00\\ [$EUR]"');
  expect(parser.parse(files.get('xl/workbook.xml') ?? '').workbook.sheets.sheet).toHaveLength(2);
  expect(cellsIn(files, 2).at(-1)).toEqual(['t:amount', 't:EUR', 'n:1', 'n:12.90']);
});

test('shows amounts without decimals in a currency without a smaller unit', async () => {
  const currencies = { by: 'currency', fixed: {} };
  const sent = rows('[{"id":1,"amount":"3283.00","currency":"JPY"}]');
  const files = await written([sent], { shape, currencies });
  expect(files.get('xl/styles.xml')).toContain('formatCode="#,##0\\ [$JPY]"');
});

test('gives an amount its own currency, not that of its row, if it always has one', async () => {
  const currencies = { by: 'currency', fixed: { amount: 'USD' } };
  const sent = rows('[{"id":1,"amount":"3283.00","currency":"JPY"}]');
  const styles = (await written([sent], { shape, currencies })).get('xl/styles.xml');
  expect(styles).toContain('formatCode="#,##0.00\\ [$USD]"');
  expect(styles).not.toContain('JPY');
});

test('keeps numbers that a spreadsheet would round as text', async () => {
  const sent = rows('[{"n":12345678901234567890,"d":0.1234567890123456789,"e":1e400,"i":-7}]');
  expect(cellsIn(await written([sent]))[1]).toEqual([
    ...['t:12345678901234567890', 't:0.1234567890123456789', 't:1e400', 'n:-7'],
  ]);
});

test('writes any text so that it reads back the same and never is a formula', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      ...['=1+1', '@SUM(A1)', '_x0041_', '_x005F_', '\u0000', '\r\n', ']]>', '\ufffe', '  '],
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (texts) => {
      const sent = texts.map((name) => ({ name: `x${name}` }));
      const found = cellsIn(await written([sent])).slice(1);
      expect(found).toEqual(texts.map((name) => [`t:x${name}`]));
    }),
    { numRuns: 60 },
  );
});

test('replaces half of a surrogate pair, and cuts what a cell can not hold', () => {
  expect(xmlText('a\ud800b')).toBe('a\ufffdb');
  const cut = xmlText('x'.repeat(longestText + 1));
  expect([cut.length, cut.at(-1)]).toEqual([longestText, '…']);
  expect(xmlText('x'.repeat(longestText))).toHaveLength(longestText);
});

test('keeps long pages whole across the chunks in which they are compressed', async () => {
  const textAt = (at: number) => `${at} 👩‍🌾${'é'.repeat(at % 97)}`;
  const sent = Array.from({ length: 3000 }, (_, at) => ({ text: textAt(at) }));
  const found = cellsIn(await written([sent.slice(0, 1), sent.slice(1)])).slice(1);
  expect(found).toEqual(sent.map(({ text }) => [`t:${text}`]));
});

test('continues on another sheet with the same header at the limit of lines', () => {
  const book = openWorkbook({ lines: 4, bytes: Number.POSITIVE_INFINITY });
  const columns = [{ name: 'n', width: 10 }];
  const line = (n: number) => [{ digits: String(n), format: 'plain' as const }];
  book.sheet('Rows', columns, { direct: true }).add([1, 2, 3, 4].map(line));
  book.sheet('Others', columns).add([5, 6, 7, 8, 9, 10, 11].map(line));
  const files = filesIn(Buffer.concat([...book.finish()]));
  const { sheets, definedNames } = parser.parse(files.get('xl/workbook.xml') ?? '').workbook;
  expect(sheets.sheet.map((sheet: Record<string, string>) => sheet.name)).toEqual([
    ...['Rows', 'Rows 2', 'Others', 'Others 2', 'Others 3'],
  ]);
  expect(definedNames.definedName).toHaveLength(5);
  const numbers = sheets.sheet.map((sheet: Record<string, string>) => Number(sheet.sheetId));
  expect(numbers.map((number: number) => cellsIn(files, number).flat())).toEqual([
    ['t:n', 'n:1', 'n:2', 'n:3'],
    ['t:n', 'n:4'],
    ['t:n', 'n:5', 'n:6', 'n:7'],
    ['t:n', 'n:8', 'n:9', 'n:10'],
    ['t:n', 'n:11'],
  ]);
});

test('freezes the header and filters exactly the rows', async () => {
  const files = await written([[{ a: 'x', b: 'y' }], [{ a: 'z', b: 'w' }]]);
  const { worksheet } = parser.parse(files.get('xl/worksheets/sheet1.xml') ?? '');
  expect(worksheet.sheetViews.sheetView.pane.ySplit).toBe('1');
  expect(worksheet.autoFilter.ref).toBe('A1:B3');
  expect(worksheet.cols.col).toHaveLength(2);
  expect(String([...(await written([])).values()])).not.toContain('ilter');
});

test('writes a header without rows, an object, a list and a single value', async () => {
  expect(cellsIn(await written([], { shape }))).toHaveLength(1);
  const one = async (value: Parameters<typeof renderOne>[1]) =>
    cellsIn(filesIn((await renderOne('xlsx', value, {})) as Uint8Array));
  expect(await one({ a: 'x', b: 1 })).toEqual([
    ['t:a', 't:b'],
    ['t:x', 'n:1'],
  ]);
  expect((await one([{ a: '1' }, { a: '2' }])).flat()).toEqual(['t:a', 't:1', 't:2']);
  expect((await one([['a', 1], ['b']])).slice(1)).toEqual([['t:a', 'n:1'], ['t:b']]);
  expect((await one('text')).slice(1)).toEqual([['t:text']]);
});

test('spools to a file what exceeds its memory, and returns it in order', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (chunks) => {
      const spool = openSpool(64);
      for (const chunk of chunks) spool.write(chunk);
      expect(Buffer.concat([...spool.read()])).toEqual(Buffer.concat(chunks));
      spool.close();
    }),
  );
});
