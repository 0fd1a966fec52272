/** `-o parquet`: lists for column stores, with the values of json. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDecimals } from '../../../src/decimals/decimals.ts';
import { sandboxHome } from '../../support/cb.ts';
import { queryParquet } from '../../support/parquet.ts';
import { expectExit } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { servedHome } from '../../support/served-home.ts';

const february = 'orders list --period 2026-02';

test('writes the orders that json has, to the cent, under the name of the file', async () => {
  const at = await sandboxHome();
  const { code, err } = await at.cb(`--sandbox ${february} --out list.parquet`, { columns: 80 });
  expect({ code, err }).toMatchObject({ code: 0 });
  const rows: Record<string, unknown>[] = await sandboxJson(at, february);
  expect(err).toMatch(new RegExp(`Wrote ${rows.length} rows \\(.* KB\\) to list\\.parquet\\.\n`));
  const file = join(at.folder, 'list.parquet');
  const found = await queryParquet(
    file,
    `SELECT receipt, epoch_ms(transactionTime) AS at, lineItemData AS items,
    CAST(totalOrderAmount AS text) AS amount FROM ?`,
  );
  const parsed = found.map((row) => ({ ...row, items: JSON.parse(String(row.items)) }));
  expect(parsed).toEqual(
    rows.map(({ receipt, transactionTime, lineItemData, totalOrderAmount }) => ({
      receipt,
      at: String(Date.parse(String(transactionTime))),
      items: lineItemData,
      amount: Number(totalOrderAmount).toFixed(4),
    })),
  );
  const [sum] = await queryParquet(file, 'SELECT sum(totalOrderAmount) AS sum FROM ?');
  const expected = addDecimals(rows.map((row) => Number(row.totalOrderAmount).toFixed(4)));
  expect(Number(sum?.sum)).toBe(Number(expected));
});

test('ends with an error, and without a file, for an amount with too many digits', async () => {
  const orderData = { receipt: 'A1', totalOrderAmount: 37.12345 };
  const { cb, folder } = await servedHome((reply) => reply.end(JSON.stringify({ orderData })));
  const says = "totalOrderAmount has the value 37.12345, which DECIMAL(18,4) can't hold exactly.";
  expectExit(await cb(`${february} --out x.parquet`), 5, says);
  expect(existsSync(join(folder, 'x.parquet'))).toBe(false);
  expect((await cb(`${february} --fields receipt --out x.parquet`)).code).toBe(0);
  expect((await cb(`${february} --fields receipt -o parquet`)).out).toMatch(/^PAR1/);
});
