/** JMESPath queries over rows: digits, arithmetic and errors. */
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { describe, expect, test } from 'vitest';
import { OutputError } from '../../src/output/errors.ts';
import { queryRows } from '../../src/output/query.ts';
import { rows, shownOne } from './support.ts';

const sent = rows(`[
  {"receipt":"A","day":"2026-01-05","amount":11.90,"id":12345678901234567891,"items":[{"price":-5.00},{"price":3}]},
  {"receipt":"B","day":"2026-03-01","amount":2.10,"id":3,"items":[]},
  {"receipt":"C","day":"2026-02-01","amount":0.1,"id":1.0,"items":null}
]`);

async function answer(expression: string): Promise<string> {
  return (await shownOne('ndjson', [queryRows(sent, expression)])).trimEnd();
}

describe('--query', () => {
  test.each([
    ['[].amount', '[11.90,2.10,0.1]'],
    ['[].id', '[12345678901234567891,3,1.0]'],
    ['[?amount > `2`].{r: receipt, a: amount}', '[{"r":"A","a":11.90},{"r":"B","a":2.10}]'],
    ['[?amount == `11.9`].receipt', '["A"]'],
    ['sort_by(@, &amount)[].amount', '[0.1,2.10,11.90]'],
    ['sort([].amount)', '[0.1,2.10,11.90]'],
    ['max_by(@, &amount).amount', '11.90'],
    ['min_by(@, &day).amount', '11.90'],
    ['max_by(@, &day).receipt', '"B"'],
    ['max([].amount)', '11.90'],
    ['min([].amount)', '0.1'],
    ['max([].day)', '"2026-03-01"'],
    ['max([].id)', '12345678901234567891'],
    ['[].items[].price', '[-5.00,3]'],
    ['map(&amount, @)', '[11.90,2.10,0.1]'],
    ['not_null([0].nothing, [0].amount)', '11.90'],
    ['group_by(@, &receipt).B[0].amount', '2.10'],
    ['let $a = [0].amount in $a', '11.90'],
    // What is computed is a new number.
    ['length(@)', '3'],
    ['[0].amount + `1`', '12.9'],
    ['avg([].amount)', '4.7'],
    ['type([0].amount)', '"number"'],
    ['to_string([0].amount)', '"11.9"'],
    ['abs([0].items[0].price)', '5'],
    ['contains([].amount, `2.1`)', 'true'],
    ['[0].amount.*', 'null'],
    ['`{"type":"Function","name":"sum"}`', '{"type":"Function","name":"sum"}'],
  ])('keeps digits as sent, and computes with numbers: %s', async (expression, expected) => {
    expect(await answer(expression)).toBe(expected);
  });

  test('adds amounts exactly', async () => {
    expect(await answer('sum([].amount)')).toBe('14.10');
    const cents = fc.array(fc.integer({ min: -10_000_000, max: 10_000_000 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(cents, async (amounts) => {
        const numeral = (amount: number) => new LosslessNumber((amount / 100).toFixed(2));
        const numerals = amounts.map((amount) => ({ a: numeral(amount) }));
        const total = amounts.reduce((sum, amount) => sum + amount, 0);
        expect(String(queryRows(numerals, 'sum([].a)'))).toBe((total / 100).toFixed(2));
      }),
    );
  });

  test('finds the maximum of more rows than a function can have arguments', async () => {
    const many = Array.from({ length: 200_000 }, (_, n) => ({ n: new LosslessNumber(`${n}.0`) }));
    expect(String(queryRows(many, 'max([].n)'))).toBe('199999.0');
  });

  test.each([
    ...['[?amount', 'nonsense(@)', 'sum([].day)', 'sum(@, @)', 'max_by(@)', '', 'keys([0].amount)'],
  ])('reports in one line what is wrong with %j', (expression) => {
    const reading = () => queryRows(sent, expression);
    expect(reading).toThrow(OutputError);
    expect(reading).toThrow(/^[^\n]+$/);
  });
});
