/** Charts for a terminal: width, exact figures, and unusual values. */
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { drawChart } from '../../src/output/chart.ts';
import type { Row } from '../../src/output/rows/rows.ts';
import type { Charting, ChartOptions } from '../../src/output/series.ts';
import { sparkLines, sparkline } from '../../src/output/series.ts';
import { displayWidth } from '../../src/output/table/display-width.ts';

const plain: ChartOptions = { width: 80, color: false, ascii: false };
const lines: Charting = { day: 'day', names: ['account'], figures: ['sale'] };
const bars: Charting = { names: ['account'], figures: ['sale'] };

const dayText = (time: number) => new Date(time).toISOString().slice(0, 10);

function sale(account: string, digits: string, day?: string): Row {
  return {
    account,
    sale: new LosslessNumber(digits),
    ...(day && { day: `${day}T00:00:00-08:00` }),
  };
}

/** Daily sales, starting on March 1, 2026. */
function sales(account: string, ...digits: string[]): Row[] {
  return digits.map((one, i) => sale(account, one, dayText(Date.UTC(2026, 2, 1 + i))));
}

/** The text after each name: the figure and the bar. */
function barsOf(text: string): Record<string, string> {
  const rows = text.split('\n').map((line) => /^(\S+) +(.*)$/.exec(line));
  return Object.fromEntries(rows.flatMap((row) => (row ? [[row[1], row[2]]] : [])));
}

test('draws several accounts as lines that differ without color, each with its name', async () => {
  const rows = ['A', 'B', 'C'].flatMap((name, i) => sales(name, `${i}.00`, `${i + 5}.00`));
  const text = await drawChart(rows, lines, plain);
  expect(text).toContain('\n━ A  0.00 to 5.00\n─ B  1.00 to 6.00\n═ C  2.00 to 7.00\n');
  const plot = text.slice(0, text.indexOf('━ A'));
  for (const corner of ['┛', '┘', '╝']) expect(plot).toContain(corner);
});

test('adds up several figures over the accounts exactly', async () => {
  const rows = [...sales('A', '0.10', '5.00'), ...sales('B', '0.20', '7.00')].map((row) => ({
    ...row,
    refund: new LosslessNumber('1.00'),
  }));
  const text = await drawChart(rows, { ...lines, figures: ['sale', 'refund'] }, plain);
  expect(text).toContain('━ Sale  0.30 to 12.00\n─ Refund  2.00\n');
});

test('draws a missing day with the value for missing days, or not at all', async () => {
  const rows = [sale('A', '5.00', '2026-03-01'), sale('A', '7.00', '2026-03-03')];
  expect(await drawChart(rows, lines, plain)).toContain('━ A  5.00 to 7.00');
  expect(await drawChart(rows, { ...lines, missing: '0' }, plain)).toContain('━ A  0 to 7.00');
});

test('shows the largest of many accounts and counts the others', async () => {
  const rows = Array.from({ length: 8 }, (_, i) => sales(`SHOP${i}`, '0', `${i}`)).flat();
  const text = await drawChart(rows, lines, plain);
  expect(text).toContain('SHOP3');
  expect(text).not.toContain('SHOP2');
  expect(text).toContain('3 smaller series not shown.\n');
});

test('says so when several days share a column', async () => {
  const rows = sales('A', ...Array.from({ length: 365 }, (_, i) => String(i)));
  const text = await drawChart(rows, lines, { ...plain, width: 60 });
  expect(text).toMatch(/Each column is the mean of \d days\.\n$/);
  expect(text).toContain('A  0 to 364');
});

test('labels a chart of monthly values with months', async () => {
  const months = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'];
  const rows = months.map((day, i) => sale('A', `${i}.00`, day));
  const text = await drawChart(rows, lines, { ...plain, width: 60 });
  expect(text).toMatch(/\n *2026-01 +2026-02 +2026-03 +2026-04\n━ A {2}0\.00 to 3\.00\n$/);
});

test('draws bars for a single day', async () => {
  const text = await drawChart(sales('SHOP', '10.50'), lines, plain);
  expect(barsOf(text).SHOP).toMatch(/^10\.50 {2}█+/);
});

test.each([
  ['of equal amounts', ['5', '5', '5'], /^5\.?0*┤━+/m],
  ['of zero', ['0.00', '0.00', '0.00'], /^ *0\.0┤━+$/m],
  ['below zero', ['-5', '-1', '-3'], /^ *-5┤━+/m],
])('draws sales %s as a line on a scale with zero', async (_, digits, line) => {
  const text = await drawChart(sales('A', ...digits), lines, plain);
  expect(text.replaceAll(/^ +/gm, '')).toMatch(line);
  expect(text).toMatch(/^ *0(\.0)?┤/m);
});

test('shortens large numbers on the axis, and shows all digits below the chart', async () => {
  const text = await drawChart(sales('A', '1000000000000.01', '98765432109876.54'), lines, plain);
  expect(text).toMatch(/^100T┤/m);
  expect(text).toContain('A  1,000,000,000,000.01 to 98,765,432,109,876.54');
});

test('draws bars to scale, with the exact figures beside them', async () => {
  const rows = [sale('half', '2500.00'), sale('whole', '5000.00'), sale('dust', '0.01')];
  const text = await drawChart([...rows, sale('none', '0.00')], bars, plain);
  const drawn = barsOf(text);
  expect(drawn.none).toBe('0.00');
  expect(drawn.whole).toMatch(/^5,000\.00 /);
  expect(drawn.dust).toBe('0.01  ▏');
  const length = (bar = '') => bar.split('█').length - 1;
  expect(Math.abs(length(drawn.whole) - 2 * length(drawn.half))).toBeLessThanOrEqual(1);
  expect(Math.max(...text.split('\n').map(displayWidth))).toBe(80);
});

test('draws negative bars on the other side of a line', async () => {
  const text = await drawChart([sale('up', '30'), sale('down', '-10')], bars, plain);
  expect(barsOf(text).up).toMatch(/^ *30 +│█+/);
  expect(barsOf(text).down).toMatch(/^-10 +█+│$/);
});

test('draws several figures of an account as bars below each other', async () => {
  const row = { ...sale('SHOP', '20.00'), refund: new LosslessNumber('5.00') };
  const text = await drawChart([row], { ...bars, figures: ['sale', 'refund'] }, plain);
  expect(text).toMatch(/^SHOP {2}Sale {4}20\.00 {2}█+.?\n {6}Refund {3}5\.00 {2}█+.?\n$/);
});

test('draws no chart without rows or without figures', async () => {
  expect(await drawChart([], lines, plain)).toBe('');
  const rows = sales('A', '1', '2').map((row) => ({ ...row, sale: null }));
  expect(await drawChart(rows, lines, plain)).toBe('Sale\nThere is nothing to draw.\n');
});

const digits = fc
  .tuple(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: 0, max: 99 }))
  .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`);
const name = fc.oneof(fc.stringMatching(/^[A-Z0-9]{1,30}$/), fc.string({ unit: 'grapheme' }));

test('keeps lines within the terminal, writes no escape sequences, and only ASCII if requested', async () => {
  const rows = fc.array(fc.tuple(name, digits, fc.integer({ min: 0, max: 400 })), {
    maxLength: 30,
  });
  const width = fc.integer({ min: 40, max: 200 });
  await fc.assert(
    fc.asyncProperty(rows, width, fc.boolean(), fc.boolean(), async (made, width, ascii, dated) => {
      const drawn = made.map(([account, amount, day]) =>
        sale(account, amount, dayText(Date.UTC(2026, 0, 1 + day))),
      );
      const text = await drawChart(drawn, dated ? lines : bars, { ...plain, width, ascii });
      const widest = Math.max(...text.split('\n').map(displayWidth));
      expect(widest).toBeLessThanOrEqual(width);
      expect(text).not.toMatch(/(?!\n)\p{Cc}/u);
      const names = made.map(([account]) => account).join('');
      const isNamedInAscii = /^[ -~]*$/.test(names);
      if (ascii && isNamedInAscii) expect(text).toMatch(/^[ -~\n]*$/);
    }),
    { numRuns: 150 },
  );
});

test('draws a sparkline from zero to the maximum', () => {
  expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 20)).toBe('▁▂▃▄▅▆▇█');
  expect(sparkline([0, 0, 0], 20)).toBe('▁▁▁');
  expect(sparkline([5, 5], 20)).toBe('██');
  expect(sparkline([-7, 0], 20)).toBe('▁█');
  expect(sparkline([0, 0, 8, 8], 2)).toBe('▁█');
});

test('fits sparklines beside their names and ranges, and draws none for a single day', () => {
  const rows = sales('A', ...Array.from({ length: 60 }, (_, i) => `${i}.50`));
  const [line = ''] = sparkLines(rows, { ...lines, figures: ['sale', 'refund'] }, 50);
  expect(line).toMatch(/^Sale {2}[▁▂▃▄▅▆▇█]+ {2}0\.50 to 59\.50 a day$/);
  expect(displayWidth(line)).toBe(50);
  expect(sparkLines(sales('A', '1'), lines, 80)).toEqual([]);
  expect(sparkLines(rows, lines, 10)).toEqual([]);
});
