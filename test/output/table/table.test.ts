/** Tables and cards. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test, vi } from 'vitest';
import type { Row } from '../../../src/output/rows/rows.ts';
import { gap } from '../../../src/output/table/table-layout.ts';
import { orderShape, orders } from '../orders.ts';
import { anyNumeral, lines, rows, shown, shownOne, steering } from '../support.ts';

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    ...['\u001b[2J', '\u001b]0;t\u0007', '日本語', 'नमस्ते', 'สวัสดี', '👩🏽‍🚀', 'a\nb', '\u202e'],
  ),
);

const anyRow = fc.record({
  name: hostileText,
  amount: fc.oneof(anyNumeral, fc.constant(null)),
  list: fc.array(fc.record({ x: hostileText }), { maxLength: 2 }),
  '日付\u001b[1m': fc.oneof(hostileText, fc.boolean()),
});

const anyPages = fc.array(fc.array(anyRow as fc.Arbitrary<Row>, { maxLength: 4 }), {
  maxLength: 3,
});

/**
 * Minimum width of a line if a later page has a number that is wider than those on the first page: the whole
 * number, and six columns for each of the three texts beside it. 0 if there is no such number.
 */
function roomForNumbers(pages: readonly (readonly Row[])[], width: number): number {
  const filled = pages.filter((page) => page.length > 0);
  const widest = (rows: readonly Row[]) =>
    Math.max(0, ...rows.map(({ amount }) => String(amount ?? '').length));
  const [first, all] = [widest(filled[0] ?? []), widest(filled.flat())];
  return all > Math.min(first, width) ? all + 3 * (6 + gap) : 0;
}

describe('table', () => {
  test('shows the headline columns under readable headings, times to the minute', async () => {
    const text = await shown('table', [orders], { shape: orderShape, width: 80 });
    expect(text).toBe(readFileSync('test/golden/output-orders.table.txt', 'utf8'));
  });

  test('has a header and a line for each row, within the terminal unless a later number is wider, and no control characters', async () => {
    await fc.assert(
      fc.asyncProperty(anyPages, fc.integer({ min: 20, max: 90 }), async (each, width) => {
        for (const layout of ['rows', 'cards'] as const) {
          const text = await shown('table', each, { width, layout });
          expect(text).not.toMatch(steering);
          const most = layout === 'rows' ? Math.max(width, roomForNumbers(each, width)) : width;
          for (const line of lines(text)) expect(stringWidth(line)).toBeLessThanOrEqual(most);
          const count = each.flat().length;
          if (layout === 'rows') expect(lines(text)).toHaveLength(count === 0 ? 0 : count + 1);
        }
      }),
    );
  });

  test('aligns columns for names in any script', async () => {
    const names = [
      ...['Zoë', '日本語の本', 'สวัสดีครับ', 'नमस्ते', 'தமிழ்', 'שָׁלוֹם', '한국'],
      ...['👩🏽‍🚀 ok', 'e\u0301'],
    ];
    const text = await shown('table', [names.map((name, at) => ({ name, end: `|${at}` }))]);
    const starts = lines(text).map((line) => stringWidth(line.slice(0, line.search(/\||End/))));
    expect(new Set(starts).size).toBe(1);
  });

  test('says once above the rows what is the same in all of them, but for the key and amounts', async () => {
    const sent = rows(
      '[{"a":"x","b":"same","n":1},{"a":"y","b":"same","n":1},{"a":"z","b":"same","n":1}]',
    );
    const all = lines(await shown('table', [sent]));
    expect(all).toEqual(['B: same', 'A  N', 'x  1', 'y  1', 'z  1']);
    expect(lines(await shown('table', [sent.slice(1)]))[0]).toBe('A  B     N');
    expect(lines(await shown('table', [sent], { fields: ['a', 'b'] }))[0]).toBe('A  B');
    // The first 20 rows decide the columns, and later ones could differ.
    const many = Array.from({ length: 20 }, (_, at) => ({ a: `x${at}`, b: 'same' }));
    expect(lines(await shown('table', [many, sent]))[0]).toBe('A    B');
    expect(lines(await shown('table', [many], { isWhole: true }))[0]).toBe('B: same');
  });

  test('groups the digits of amounts, but not of IDs and of numbers without a known meaning', async () => {
    const some = [{ ticketid: 123456, amount: '1234567.50', yen: '32835.00 JPY', other: 123456 }];
    const shape = {
      headline: ['ticketid', 'amount', 'yen', 'other'],
      fields: { ticketid: { kind: 'integer', names: 'ticket' }, amount: { kind: 'decimal' } },
      derived: { yen: { kind: 'text', isAmount: true, from: (row: Row) => row.yen } },
    };
    const out = await shown('table', [some], { shape });
    const cells = lines(out)[1]?.trim().split(/ {2,}/);
    expect(cells).toEqual(['123456', '1,234,567.50', '32,835 JPY', '123456']);
  });

  test('omits columns that do not fit, beginning with the last, and reports them', async () => {
    const onColumns = vi.fn();
    await shown('table', [orders, orders], { shape: orderShape, width: 50, onColumns });
    expect(onColumns).toHaveBeenCalledExactlyOnceWith(
      ['receipt', 'transactionTime', 'transactionType', 'totalOrderAmount'],
      expect.arrayContaining(['currency', 'fullName', 'lineItemData', 'coupon']),
    );
  });

  test('shortens text with an ellipsis, but never an amount or a time', async () => {
    const sent = rows(
      `[{"text":"${'long '.repeat(20)}","amount":1234567.89,"time":"2026-02-18T15:11:38-08:00"}]`,
    );
    const [, line] = lines(await shown('table', [sent], { width: 56 }));
    expect(line).toMatch(/^long.*…\s+1234567\.89 {2}2026-02-18 15:11$/);
  });

  test('shortens nothing without a terminal, also on later pages', async () => {
    const long = '日本'.repeat(50_000);
    expect(await shown('table', [[{ a: '1' }], [{ a: long }]])).toBe(`A\n1\n${long}\n`);
  });

  test('shows exactly the chosen fields', async () => {
    const onColumns = vi.fn();
    const fields = ['fullName', 'lineItemData.itemNo', 'receipt'];
    const options = { shape: orderShape, fields, width: 60, onColumns };
    const text = await shown('table', [orders], options);
    expect(lines(text)[0]).toMatch(/^Customer +SKU +Receipt$/);
    expect(lines(text)[1]).toMatch(/^Zoë Müller +7, 8 +TSTABCD1$/);
    expect(onColumns).toHaveBeenCalledExactlyOnceWith(fields, []);
  });

  test('shows the chosen fields below each other when they do not fit side by side', async () => {
    const fields = ['receipt', 'transactionTime', 'commission.purchase', 'currency'];
    const text = await shown('table', [orders], { shape: orderShape, fields, width: 30 });
    expect(lines(text).slice(0, 7)).toEqual([
      ...['Receipt          TSTABCD1', 'Time             2026-02-18', '                 15:11'],
      ...['Commission pur…  75.0', 'Currency         USD', '', 'Receipt          TSTABCD1-B002'],
    ]);
  });

  test('uses the whole path as heading when the last names of two fields are equal', async () => {
    const fields = ['commission.purchase', 'price.purchase', 'receipt'];
    const sent = rows('[{"commission":{"purchase":1},"price":{"purchase":2},"receipt":"R"}]');
    const [header] = lines(await shown('table', [sent], { fields }));
    expect(header).toBe('Commission purchase  Price purchase  Receipt');
  });

  test('shows expanded items beside the receipt', async () => {
    const options = { shape: orderShape, expand: 'lineItemData', width: 70 };
    const text = await shown('table', [orders], options);
    expect(lines(text).map((line) => line.split(/ {2,}/).slice(0, 3).join(' '))).toEqual([
      ...['Receipt SKU Product title', 'TSTABCD1 7 日本語の本', 'TSTABCD1 8 Bump', 'TSTABCD1-B002'],
    ]);
  });

  test('has color only if requested', async () => {
    const sent = [[{ status: 'ACTIVE' }, { status: 'CANCELED' }, { status: 'Active' }]];
    expect(await shown('table', sent)).toBe('Status\nACTIVE\nCANCELED\nActive\n');
    expect(await shown('table', sent, { color: true })).toBe(
      '\u001b[2mStatus\u001b[22m\n\u001b[32mACTIVE\u001b[39m\n\u001b[31mCANCELED\u001b[39m\nActive\n',
    );
  });
});

describe('cards', () => {
  test('show every field that has a value, lists of objects as small tables', async () => {
    const text = await shown('table', [orders], { shape: orderShape, width: 80, layout: 'cards' });
    expect(text).toBe(readFileSync('test/golden/output-orders.cards.txt', 'utf8'));
  });

  test('show one object, while scalars and lists are printed as lines', async () => {
    const card = await shownOne('table', orders[1], { shape: orderShape });
    expect(card).toContain('Receipt           TSTABCD1-B002\n');
    expect(await shownOne('table', 'a\u001b[31mb')).toBe('ab\n');
    expect(await shownOne('table', ['a', ['b', 'c'], null])).toBe('a\nb, c\n\n');
  });

  test('wrap long text at spaces and indent it', async () => {
    const text = await shownOne('table', { note: 'one two three four' }, { width: 16 });
    expect(lines(text)).toEqual(['Note  one two', '      three four']);
  });

  test('wrap a text of one megabyte', async () => {
    const note = 'é word '.repeat(150_000);
    expect(lines(await shownOne('table', { note }, { width: 60 })).length).toBeGreaterThan(15_000);
    expect(lines(await shown('table', [[{ note }]], { width: 60 }))).toHaveLength(2);
  });

  test('report the fields of items that they omit', async () => {
    const onColumns = vi.fn();
    await shownOne('table', orders[0], { shape: orderShape, width: 50, onColumns });
    const omitted = ['recurring', 'nextPaymentDate', 'status'];
    expect(onColumns.mock.lastCall?.[1]).toEqual(omitted.map((name) => `lineItemData.${name}`));
  });

  test('keep the text at the end of a list on a narrow terminal', async () => {
    const onColumns = vi.fn();
    const text = 'It is not what I had in mind.';
    const comments = [{ day: '2026-03-18', action: 'OPENED', role: 'CUSTOMER', text }];
    const card = await shownOne('table', { comments }, { width: 40, onColumns });
    expect(lines(card)).toEqual([
      ...['Comments', '  Day         Action  Text'],
      ...['  2026-03-18  OPENED  It is not what I', '                      had in mind.'],
    ]);
    expect(onColumns.mock.lastCall?.[1]).toEqual(['comments.role']);
  });
});
