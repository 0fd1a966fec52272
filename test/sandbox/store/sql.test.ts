/** Values of requests are always bound, never part of a statement. */
import { expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/index.ts';
import { tier } from '../../support/tier.ts';
import { goodValues, sendTo } from '../good-request.ts';
import { openSandbox } from '../raw.ts';
import { damageIn, rowsIn, storeFile, watchStatements } from './store-file.ts';

const marker = 'zqmarker';

/** Each value is tried for every parameter; numbers are recognizable by at least six digits. */
const hostile = [
  `${marker}' OR '1'='1`,
  `%${marker}_%\\`,
  '7340417',
  "2026-01-01'--",
  ...tier(
    [],
    [
      `${marker}'; DROP TABLE txn; --`,
      `${marker}") UNION SELECT name FROM sqlite_master; --`,
      `${marker}\0'`,
      `'${marker}${'%a'.repeat(600)}`,
      `?1 :${marker} @a $b`,
      '-2147483648',
      '99999999999999999999.99',
      '9999-12-31',
    ],
  ),
];

test('binds hostile values in every parameter of every operation instead of writing them into SQL', async () => {
  const file = storeFile();
  const sandbox = await openSandbox({ file });
  const schemaIn = () => rowsIn(file, 'SELECT type, name, sql FROM sqlite_master ORDER BY 2');
  const schema = await schemaIn();
  const payments = await rowsIn(file, 'SELECT receipt FROM txn');
  const { texts } = watchStatements('all');
  const tried = catalogue.flatMap((operation) =>
    Object.keys(operation.params).flatMap((name) =>
      hostile.map((value) => ({ operation, values: { ...goodValues(operation), [name]: value } })),
    ),
  );
  const failed: unknown[] = [];
  const worker = async () => {
    for (let one = tried.shift(); one; one = tried.shift()) {
      const { status, text } = await sendTo(sandbox, one.operation, one.values);
      if (status >= 500) failed.push([one.operation.command, one.values, text]);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  expect(failed).toEqual([]);
  expect(texts.size).toBeGreaterThan(20);
  const spoilt = [...texts].filter((sql) => sql.includes(marker) || /\d{6}/.test(sql));
  expect(spoilt).toEqual([]);
  expect(await schemaIn()).toEqual(schema);
  expect(await rowsIn(file, 'SELECT receipt FROM txn')).toEqual(expect.arrayContaining(payments));
  expect(await damageIn(file)).toEqual([]);
});
