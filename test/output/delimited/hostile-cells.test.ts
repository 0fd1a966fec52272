/** Half a million cells that a spreadsheet would run, turn or break at, through an independent parser and back. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import type { Row, Value } from '../../../src/output/rows/rows.ts';
import { shown } from '../support.ts';

/** Cells in a row, and rows. */
const width = 50;
const height = 10_000;

/** Every character in turn, with the surrogates that belong to none. */
function* everyCharacter(): Generator<string> {
  for (let code = 0; ; code = (code + 1) % 0x110000) yield String.fromCodePoint(code);
}

const formula = fc
  .tuple(
    fc.constantFrom(...'=+-@＝＋－＠\t\r\n', ' =', '\u00a0@', '\u200b=', '\n='),
    fc.constantFrom(
      '1+1',
      'A1',
      'cmd|"/C calc"!A0',
      'HYPERLINK("http://x","y")',
      'SUM(A1,B2)',
      '"\r\n,',
    ),
  )
  .map(([start, rest]) => start + rest);

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\n', '\r', ',', ';', '\t', '\0', '\u001b', "'", 'a', '='),
  }),
  fc.stringMatching(/^0{1,5}[0-9]{1,9}$/),
);

const numeral = fc
  .stringMatching(/^-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,9})?([eE][+-]?[0-9]{1,4})?$/)
  .map((digits) => new LosslessNumber(digits));

interface Sent {
  readonly kind: 'formula' | 'text' | 'numeral';
  readonly value: Value;
}

/** Seeded, so that each run sends the same. A third of the cells are characters in their order. */
function hostileCells(): Sent[] {
  const sampled = { numRuns: 4000, seed: 20260318 };
  const formulas = fc.sample(formula, sampled);
  const texts = fc.sample(text, sampled);
  const numerals = fc.sample(numeral, sampled);
  const characters = everyCharacter();
  const next = () => characters.next().value as string;
  return Array.from({ length: width * height }, (_, index) => {
    const at = Math.floor(index / 4) % sampled.numRuns;
    // Nine in each of a quarter of a million cells: every character comes up, twice.
    const some = index % 4 < 2 ? `c${Array.from({ length: 9 }, next).join('')}` : '';
    const kinds: readonly Sent[] = [
      { kind: 'formula', value: `${formulas[at]}${some}` },
      { kind: 'text', value: some },
      { kind: 'text', value: texts[at] ?? '' },
      { kind: 'numeral', value: numerals[at] },
    ];
    return kinds[index % 4] as Sent;
  });
}

/** A surrogate alone is no character: UTF-8 has the sign for such in its place. */
function asInUtf8(value: string): string {
  return value.replace(/\p{Cs}/gu, '\ufffd');
}

function isRightlyRead({ kind, value }: Sent, read: string | undefined): boolean {
  if (kind === 'numeral') return read === String(value);
  const sent = asInUtf8(String(value));
  return kind === 'formula' ? read === `'${sent}` : read === sent || read === `'${sent}`;
}

/** What an independent parser read is what was sent, with every formula guarded and every number untouched. */
function expectRightlyRead(cells: readonly Sent[], back: readonly (string | undefined)[]) {
  expect(back).toHaveLength(cells.length);
  const wrong = cells.flatMap((sent, index) =>
    isRightlyRead(sent, back[index]) ? [] : [{ ...sent, read: back[index] }],
  );
  expect(wrong.slice(0, 5)).toEqual([]);
  const unguarded = cells.filter(
    ({ kind }, index) => kind !== 'numeral' && /^[\t\r\n]|^[=@＝＋－＠]/.test(back[index] ?? ''),
  );
  expect(unguarded.slice(0, 5)).toEqual([]);
}

const cells = hostileCells();
const records = Array.from({ length: height }, (_, row) =>
  cells.slice(row * width, (row + 1) * width),
);

function asRow(cells: readonly Sent[]): Row {
  return Object.fromEntries(cells.map(({ value }, column) => [`c${column}`, value]));
}

test('reads half a million hostile cells back as sent, with every formula guarded and every number unchanged', async () => {
  const bytes = Buffer.from(await shown('csv', [records.map(asRow)]), 'utf8');
  const [, ...read] = parse(bytes);
  expectRightlyRead(cells, read.flat());
});
