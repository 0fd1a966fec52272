/** Control characters never reach a terminal, messages fit it, and the widths of columns: IDs and amounts are not cut. */
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { grouped } from '../../../src/decimals/decimals.ts';
import { order } from '../../../src/operations/orders.ts';
import type { Row, Shape } from '../../../src/output/rows/rows.ts';
import { wrapLine } from '../../../src/output/table/display-width.ts';
import { plain, visible, visibleDrawing } from '../../../src/output/table/terminal-text.ts';
import { lines, renderPages, rows, shown, steering } from '../support.ts';

const introducers = fc.constantFrom(
  ...['\u001b', '\u001b[', '\u001b]', '\u001bP', '\u009b', '\u009d', '\u0007', '\u001b\\'],
  ...['\u009c', '31m', '\u200d', '\ud83d'],
);

const hostile = fc
  .array(fc.oneof(introducers, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

describe('text on a terminal', () => {
  test('contains no control characters, whatever was sent', () => {
    fc.assert(
      fc.property(hostile, (sent) => {
        expect(plain(sent)).not.toMatch(steering);
        expect(plain(sent)).not.toContain('\n');
        expect(plain(plain(sent))).toBe(plain(sent));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['a color', 'a\u001b[1;31mb\u001b[0m', 'ab'],
    ['a color in one character', 'a\u009b31mb', 'ab'],
    ['a window title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['the target of a link', '\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a device control string', 'a\u001bP$q\u001b\\b', 'ab'],
    ['a sequence inside another one', '\u001b\u001b[31m[32mx', '[32mx'],
    ['the start of an unterminated sequence', 'a\u001b]0;b', 'a]0;b'],
    ['characters that move the cursor', 'paid\rfree\b', 'paidfree'],
    ['marks that reverse text', 'x\u202egnp.exe\u202c', 'xgnp.exe'],
    ['invisible characters', 'ad\u200bm\u00adin\u200d\ufeff', 'admin'],
  ])('omits %s', (_, sent, expected) => {
    expect(plain(sent)).toBe(expected);
  });

  test('has one space in place of each line break and tab', () => {
    expect(plain('a\r\nb\tc\nd\u2028e')).toBe('a b c d e');
  });

  test.each([
    ...['Zoë', 'می\u200cخواهم', 'क्\u200dष', '👨‍👩‍👧', '👩🏽‍🚀', '❤️‍🔥', '日本', '葛\u{e0100}'],
  ])('keeps %s unchanged', (text) => {
    expect(plain(text)).toBe(text);
  });
});

describe('data on a terminal', () => {
  test('contains no control characters, and as JSON keeps its value', () => {
    fc.assert(
      fc.property(hostile, (sent) => {
        const json = JSON.stringify(sent);
        expect(visible(json)).not.toMatch(steering);
        expect(JSON.parse(visible(json))).toBe(sent);
        expect(visible(sent).replaceAll('\t', '').replaceAll('\r\n', '')).not.toMatch(steering);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['a window title', 'a\u001b]0;x\u0007', 'a\\u001b]0;x\\u0007'],
    ['a carriage return', 'paid\rfree', 'paid\\u000dfree'],
    ['a tag beyond the first plane', 'a\u{e0041}', 'a\\udb40\\udc41'],
    ['a mark that reverses text', 'a\u202eb', 'a\\u202eb'],
  ])('shows %s as an escape', (_, sent, expected) => {
    expect(visible(sent)).toBe(expected);
  });

  test.each(['a\tb\r\nc\n', 'می\u200cخواهم', '👨‍👩‍👧', 'Zoë'])('keeps %j', (text) => {
    expect(visible(text)).toBe(text);
  });

  test('keeps the colors that cb wrote, and no other sequences', () => {
    const drawn = '\u001b[32mACTIVE\u001b[39m\u001b[2J\u0007\n';
    expect(visibleDrawing(drawn)).toBe('\u001b[32mACTIVE\u001b[39m\\u001b[2J\\u0007\n');
  });
});

describe('a line of a message on a narrow terminal', () => {
  test('breaks a longer line between words, and indents further lines', () => {
    const wrapped = wrapLine('cb: Invalid --limit. Use a number from 1 to 9.', 24);
    expect(wrapped).toEqual(['cb: Invalid --limit. Use', '    a number from 1 to', '    9.']);
    const deep = wrapLine('      deeper than one message', 20);
    expect(deep).toEqual(['      deeper than', '      one message']);
  });

  test('does not cut a word that is wider than the terminal', () => {
    const path = `/home/${'folder/'.repeat(9)}file`;
    const wrapped = wrapLine(`cb: ${path} is missing.`, 30);
    expect(wrapped).toEqual(['cb:', `    ${path}`, '    is missing.']);
  });

  test('keeps a command to copy on one line', () => {
    const quoted = wrapLine('    Log in with `cb login --profile shop` first.', 30);
    expect(quoted).toEqual(['    Log in with', '    `cb login --profile shop`', '    first.']);
    const tried = wrapLine('    Log in first. Try: cb login --profile shop', 34);
    expect(tried).toEqual(['    Log in first.', '    Try: cb login --profile shop']);
  });

  test('keeps lines within the terminal and loses no word', () => {
    const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abc.-') });
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 20, max: 60 }), (words, width) => {
        const lines = wrapLine(words.join(' '), width);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
        expect(lines.join(' ').split(/ +/).join(' ').trim()).toBe(words.join(' '));
      }),
    );
  });
});

const shape: Shape = {
  headline: [],
  fields: {
    id: { kind: 'text', names: 'receipt' },
    amount: { kind: 'decimal', heading: 'You earn' },
    name: { kind: 'text', least: 12 },
    note: { kind: 'text' },
    extra: { kind: 'text' },
  },
  derived: {
    paid: {
      ...({ kind: 'text', isAmount: true, heading: 'Customer paid' } as const),
      from: ({ amount }) => `${String(amount ?? '')} USD`,
    },
  },
  columns: () => ({
    shown: ['name', 'id', 'paid', 'amount', 'note', 'extra'],
    needed: ['id', 'paid', 'amount', 'name'],
    wanted: ['note'],
    more: ['extra'],
  }),
};

const row = (id: string, amount: string, name: string, note = '', extra = ''): Row =>
  rows(`[${JSON.stringify({ id, name, note, extra })}]`).map(
    (one): Row => ({ ...one, amount: rows(`[{"a":${amount}}]`)[0]?.a }),
  )[0] as Row;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('\u001b[2J', '日本語の本の長い題名です', '👩🏽‍🚀👩🏽‍🚀👩🏽‍🚀', 'a\nb', '\u202e'),
);

const anyRow = fc
  .tuple(
    fc.stringMatching(/^[A-Z0-9]{8}(-B00[2-9])?$/),
    fc.stringMatching(/^-?[1-9]\d{0,3}\.\d\d$/),
    fc.tuple(text, text, text),
  )
  .map(([id, amount, [name, note, extra]]) => row(id, amount, name, note, extra));

test('keeps lines within the terminal and cuts neither IDs nor amounts, whatever the text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 42, max: 200 }),
      async (each, width) => {
        const out = await shown('table', [each], { shape, width });
        expect(out).not.toMatch(steering);
        for (const line of lines(out)) expect(stringWidth(line)).toBeLessThanOrEqual(width);
        const body = lines(out).slice(-each.length);
        each.forEach(({ id, amount }, i) => {
          expect(body[i]).toContain(`${String(id)} `);
          expect(body[i]).toContain(` ${grouped(String(amount))} USD `);
        });
      },
    ),
  );
});

test('omits the columns of the lowest rank first, and never cuts a heading', async () => {
  const some = [row('AAAA1111', '16.61', 'A name of twenty-six chars', 'A note', 'Extra text')];
  const headings = async (width: number) =>
    lines(await shown('table', [some], { shape, width }))[0]?.split(/ {2,}/);
  expect(await headings(34)).toEqual(['ID', 'Customer paid', 'You earn']);
  expect(await headings(60)).toEqual(['Name', 'ID', 'Customer paid', 'You earn']);
  const all = ['Name', 'ID', 'Customer paid', 'You earn', 'Note', 'Extra'];
  expect(await headings(90)).toEqual(all);
});

test('shows a wanted column if text before it has 18 columns, and another one only if it is whole', async () => {
  const name = 'A name of exactly thirty chars';
  const some = [row('AAAA1111', '16.61', name, 'A note', 'More')];
  for (let width = 50; width <= 100; width += 1) {
    const [header = '', line = ''] = lines(await shown('table', [some], { shape, width }));
    if (header.includes('Note')) expect(line.search(/ {2}|…/)).toBeGreaterThanOrEqual(17);
    if (header.includes('Extra')) expect(line).toContain(name);
    if (width === 100) expect(header).toContain('Extra');
  }
});

test('is narrower for later rows where an amount needs more room', async () => {
  const long = 'Somebody with a rather long name indeed';
  const pages = [[row('AAAA1111', '1.90', long)], [row('BBBB2222', '1234567.89', long)]];
  const out = lines(await shown('table', pages, { shape, width: 70, live: true }));
  expect(out[2]).toContain(' 1,234,567.89 USD ');
  for (const line of out) expect(line.length).toBeLessThanOrEqual(70);
});

test('gives free space to text of rows that arrive later', async () => {
  const long = 'A title of exactly thirty char';
  const pages = [[row('AAAA1111', '1.90', 'Short')], [row('BBBB2222', '1.90', long)]];
  for (const [columns, expected] of Object.entries({ 80: long, 50: 'A title …' })) {
    const width = Number(columns);
    const out = lines(await shown('table', pages, { shape, width, live: true }));
    expect(out[2]).toMatch(new RegExp(`^${expected} +BBBB2222`));
    for (const line of out) expect(line.length).toBeLessThanOrEqual(width);
  }
});

test('shortens times on a narrow terminal, and keeps chosen ones whole', async () => {
  const timed: Shape = {
    headline: [],
    fields: { time: { kind: 'time' }, name: { kind: 'text' } },
    columns: () => ({ shown: ['time', 'name'], needed: ['time', 'name'], more: [] }),
  };
  const sent = rows('[{"time":"2026-03-18T10:00:00-07:00","name":"Ann"}]');
  const now = () => new Date('2026-03-18T18:30:00Z');
  const zone = { name: 'America/Los_Angeles', label: 'Pacific' };
  const line = async (options: object) =>
    lines(await shown('table', [sent], { shape: timed, now, zone, ...options }))[1];
  expect(await line({ width: 80 })).toBe('Mar 18 10:00    Ann');
  expect(await line({ width: 120 })).toBe('2026-03-18 10:00  Ann');
  expect(await line({})).toBe('2026-03-18 10:00  Ann');
  expect(await line({ width: 80, fields: ['time', 'name'] })).toBe('2026-03-18 10:00  Ann');
});

const sale = (receipt: string, amount: string, name: string): Row =>
  rows(
    `[{"receipt":"${receipt}","totalOrderAmount":${amount},"currency":"USD","fullName":"${name}","vendor":"GREENLEAF"}]`,
  )[0] as Row;

const fields = ['receipt', 'totalOrderAmount', 'currency', 'fullName', 'vendor'];

test('aligns the rows of short first pages', async () => {
  const pages = [[sale('KW4UKY2A', '-47.00', 'Ann')], [sale('BBBB2222', '-227.02', 'Bob')]];
  const text = lines(await shown('table', pages, { shape: order, fields, width: 80 }));
  expect(text).toHaveLength(3);
  expect(new Set(text.map((line) => line.search(/USD|Currency/))).size).toBe(1);
  expect(text[1]?.indexOf('47.00')).toBe((text[2]?.indexOf('227.02') ?? 0) + 1);
});

test('prints the first rows of a list that ends with an error', async () => {
  async function* broken() {
    yield [sale('KW4UKY2A', '-47.00', 'Ann')];
    throw new Error('broken');
  }
  let text = '';
  const reading = (async () => {
    for await (const part of renderPages('table', broken(), { shape: order, fields })) text += part;
  })();
  await expect(reading).rejects.toThrow('broken');
  expect(text).toContain('KW4UKY2A');
});

test('prints the whole receipt of a rebill on a later page, with aligned columns', async () => {
  const pages = [[sale('KW4UKY2A', '11.90', 'Ann')], [sale('KW4UKY2A-B012', '11.90', 'Bob')]];
  for (const width of [60, 80, 200]) {
    const text = lines(await shown('table', pages, { shape: order, fields, width, live: true }));
    expect(text[2]).toMatch(/^KW4UKY2A-B012 /);
    expect(new Set(text.map((line) => line.search(/USD|Currency/))).size).toBe(1);
  }
});

test('exceeds the width instead of cutting an ID if no text can be shortened', async () => {
  const receipt = 'A-RECEIPT-OF-THIRTY-CHARACTERS';
  const pages = [[sale('AAAA1111', '1.90', 'Ann')], [sale(receipt, '1.90', 'Ann')]];
  const text = await shown('table', pages, { shape: order, fields: ['receipt'], width: 20 });
  expect(lines(text)[2]).toBe(receipt);
});

test('shortens text in a column that had numbers, times or booleans on the first page', async () => {
  const first = rows('[{"a":1,"b":true,"c":"2026-03-18T10:00:00-07:00"}]');
  const later = [{ a: 'x'.repeat(500), b: 'y'.repeat(500), c: 'z'.repeat(500) }];
  const text = lines(await shown('table', [first, later], { width: 40 }));
  for (const line of text) expect(line.length).toBeLessThanOrEqual(40);
});
