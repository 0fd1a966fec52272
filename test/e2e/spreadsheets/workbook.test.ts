/** `-o xlsx`: lists as workbooks that open without repair. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyHome, cb as program } from '../../support/binary.ts';
import { home, sandboxHome } from '../../support/cb.ts';
import { serve } from '../../support/server.ts';
import { noSmallDisk, smallDisk } from '../../support/small-disk.ts';
import { readWorkbook } from '../../support/workbook.ts';

const february = 'orders list --period 2026-02';

test('obeys the options that select rows and columns', async () => {
  const at = await sandboxHome();
  const written = async (options: string) => {
    expect((await at.cb(`--sandbox ${february} ${options} --out list.xlsx`)).code).toBe(0);
    return readWorkbook(join(at.folder, 'list.xlsx'));
  };
  const fields = ['receipt', 'totalOrderAmount', 'titles'];
  const sheets = await written(`--fields ${fields} --sort totalOrderAmount:desc --limit 3`);
  expect([...sheets.keys()]).toEqual(['Orders', 'Totals']);
  const rows = sheets.get('Orders') ?? [];
  expect(rows.map((row) => Object.keys(row))).toEqual(Array(3).fill(fields));
  const amounts = rows.map(({ totalOrderAmount }) => Number(totalOrderAmount));
  expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));

  const [[, asked] = ['', []]] = await written('--query [].{receipt:receipt}');
  expect(asked.length).toBeGreaterThan(20);
  expect(Object.keys(asked[0] ?? {})).toEqual(['receipt']);

  // The amounts of an order stand in the row of each of its items, so they are not added up.
  const items = await written('--expand lineItemData');
  expect([...items.keys()]).toEqual(['Orders']);
});

test('writes a workbook to a pipe, or to a file and says how many rows it has', async () => {
  const { cb } = await sandboxHome();
  expect((await cb(`--sandbox ${february} --limit 1 -o xlsx`)).out).toMatch(/^PK/);
  const { err } = await cb(`--sandbox ${february} --limit 7 --out few.xlsx`, { columns: 80 });
  expect(err).toMatch(/Wrote 7 rows \(\d\.\d KB\) to few\.xlsx\.\n/);
});

test('tells how many texts a cell can not hold', async () => {
  const { env } = await serve((reply) => {
    reply.end(JSON.stringify({ orderData: { receipt: 'A1', fullName: 'x'.repeat(40_000) } }));
  });
  const { code, err } = await home().cb(
    'orders list --period 2026-02 --fields fullName --out x.xlsx',
    { env },
  );
  expect(code).toBe(0);
  expect(err).toBe(
    'note: 1 text is longer than the 32,767 characters that a cell holds, and cut at the end.\n',
  );
});

/** Items that can't be compressed: more than 1 MiB of a workbook goes to a temporary file. */
function randomItems(length: number) {
  const random = (n: number) => createHash('sha512').update(String(n)).digest('base64');
  return Array.from({ length }, (_, at) => ({ itemNo: '1', status: random(at) }));
}

test('leaves neither a file nor a temporary file when it is interrupted', async () => {
  const items = randomItems(4000);
  const { env } = await serve((reply, _, { headers }) => {
    const page = Number(headers.page ?? 1);
    const body = JSON.stringify({ orderData: { receipt: `A${page}`, lineItemData: items } });
    if (page < 5) reply.writeHead(206).end(body);
  });
  const { folder } = home();
  const scratch = join(folder, 'scratch');
  mkdirSync(scratch);
  const words = `orders list --period today --out x.xlsx --debug`.split(' ');
  const running = program(words, { env: { ...env, TMPDIR: scratch } });
  await running.until(/> GET .* page 5/);
  running.child.kill('SIGINT');
  const ran = await running.ended();
  expect(ran.code).toBe(130);
  expect(readdirSync(running.home).filter((name) => name.includes('x.xlsx'))).toEqual([]);
  expect(readdirSync(scratch)).toEqual([]);
});

test.skipIf(noSmallDisk !== undefined)(
  'ends with exit code 8 and leaves no file when the disk of temporary files is full',
  async () => {
    const home = emptyHome();
    const { folder: scratch } = smallDisk(home);
    const lineItemData = randomItems(15_000);
    const { env } = await serve((reply) =>
      reply.end(JSON.stringify({ orderData: { receipt: 'A1', lineItemData } })),
    );
    const words = 'orders list --period today --out x.xlsx'.split(' ');
    const { code, err } = await program(words, { home, env: { ...env, TMPDIR: scratch } }).ended();
    expect(code).toBe(8);
    expect(err).toBe(
      `cb: A temporary file in ${scratch} could not be written (ENOSPC: the disk is full).\n    Free some space, or set TMPDIR to a folder on another disk. Then run it again.\n`,
    );
    expect(readdirSync(home).filter((name) => name.includes('x.xlsx'))).toEqual([]);
    expect(readdirSync(scratch)).toEqual([]);
  },
);
