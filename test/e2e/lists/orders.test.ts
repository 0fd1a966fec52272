/** Runs `cb orders` on the built-in sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { parse as parseLossless, stringify as stringifyLossless } from 'lossless-json';
import { expect, test } from 'vitest';
import { replyOf } from '../../../src/client/codec/reply.ts';
import { order, orders } from '../../../src/operations/orders.ts';
import type { Field } from '../../../src/operations/resource.ts';
import { home, type Options, sandboxHome } from '../../support/cb.ts';
import { jsonLines, linesOf } from '../../support/lines.ts';
import { serveSandbox } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

const quarter = '--period last-3-months';

/** Runs one command line on a sandbox of its own. */
async function inSandbox(line: string, options?: Options, orders?: number) {
  return (await sandboxHome(orders)).cb(`--sandbox ${line}`, options);
}

test('shows the same orders field by field in every format and over XML', async () => {
  const { cb } = await sandboxHome();
  const json = JSON.parse((await cb(`--sandbox orders list ${quarter} -o json`)).out);
  const lines = jsonLines((await cb(`--sandbox orders list ${quarter} -o ndjson`)).out);
  const overXml = (await cb(`--sandbox orders list ${quarter} -o json --wire xml`)).out;
  expect(lines).toEqual(json);
  expect(JSON.parse(overXml)).toEqual(json);

  const { out } = await cb(`--sandbox orders list ${quarter} -o csv --layout raw`);
  const records: Record<string, string>[] = parse(out, { columns: true });
  const rows = parseLossless((await cb(`--sandbox orders list ${quarter} -o json`)).out) as Record<
    string,
    unknown
  >[];
  expect(records).toHaveLength(rows.length);
  for (const [i, row] of rows.entries()) {
    const record = records[i] ?? {};
    const cells = Object.entries<Field>(order.fields).map(([name, { kind, spelling }]) => {
      // Of vendorVariables, the one object with known fields, only the list is a column.
      const isItems = name === 'vendorVariables';
      const value = isItems ? (row[name] as { item?: unknown } | null)?.item : row[name];
      const column = isItems ? 'vendorVariables.item' : (spelling ?? name);
      const isAny = kind === 'object' && !isItems;
      return {
        column,
        shown: unguarded(record[column]),
        sent: isAny ? record[column] : cell(value),
      };
    });
    expect(cells.filter(({ shown, sent }) => shown === undefined || shown !== sent)).toEqual([]);
  }
});

/** The csv cell of a value. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? (stringifyLossless(value) ?? '') : String(value);
}

/** Text that a spreadsheet would run is guarded by an apostrophe. */
function unguarded(text: string | undefined): string | undefined {
  return text?.replace(/^'(?=\s*[=+@\t\r-])/, '');
}

test('prints one document with all orders with -o xml', async () => {
  const { cb } = await sandboxHome();
  const json = JSON.parse((await cb(`--sandbox orders list ${quarter} -o json`)).out);
  const xml = (await cb(`--sandbox orders list ${quarter} -o xml`)).out;
  const rows = replyOf(orders.list, { status: 200, headers: {}, body: xml }, 'exact');
  expect(JSON.parse(JSON.stringify(rows, digits))).toEqual(json);
});

/** Converts lossless numbers to JavaScript numbers. */
function digits(_: string, value: unknown): unknown {
  const isNumeral = typeof value === 'object' && value !== null && 'isLosslessNumber' in value;
  return isNumeral ? Number((value as unknown as { value: string }).value) : value;
}

test('prints an order with nil in every nillable field as a complete row in every format', async () => {
  const { cb } = home();
  const nil = { '@nil': 'true' };
  const nillable = Object.keys(order.fields).filter(
    (name) => order.fields[name as 'receipt'].nillable,
  );
  const wire = Object.fromEntries(nillable.map((name) => [name, nil]));
  const { env } = await serve((reply) => reply.end(JSON.stringify({ orderData: wire })));
  const list = 'orders list --period today';
  const [row] = JSON.parse((await cb(`${list} -o json`, { env })).out);
  for (const name of nillable) {
    const isList = order.fields[name as 'receipt'].kind === 'list';
    expect(row[name], name).toEqual(isList ? [] : null);
  }
  expect(row.lineItemData).toEqual([]);
  expect(JSON.parse((await cb(`${list} -o ndjson`, { env })).out)).toEqual(row);
  const [header = [], cells = []] = parse((await cb(`${list} -o csv`, { env })).out) as string[][];
  expect(cells).toHaveLength(header.length);
  expect(linesOf((await cb(`${list} -o tsv`, { env })).out)).toHaveLength(2);
  expect((await cb(list, { env, columns: 80 })).code).toBe(0);
});

test('evaluates --query over the whole list, not page by page', async () => {
  const { cb } = await sandboxHome();
  const counted = await cb(`--sandbox orders count ${quarter}`);
  const { out } = await cb(`--sandbox orders list ${quarter} --query length(@)`);
  expect(out).toBe(counted.out);
});

test('requests no more pages than --limit needs, and exactly one with --page', async () => {
  const { cb } = await sandboxHome(5000);
  const few = await cb(`--sandbox orders list ${quarter} --limit 150 -o ndjson --debug`);
  expect(linesOf(few.out)).toHaveLength(150);
  // One request for today, and two pages of the days before.
  expect(few.err.match(/^> GET/gm)).toHaveLength(3);
  const third = await cb(`--sandbox orders list ${quarter} --page 3 -o ndjson --debug`);
  expect(linesOf(third.out)).toHaveLength(100);
  expect(third.err.match(/^> GET.*/gm)).toEqual([expect.stringMatching(/page 3$/)]);
});

test('notes that a list without dates covers yesterday and today only', async () => {
  const { out, err } = await inSandbox('orders list -o ndjson');
  expect(err).toContain('only yesterday and today');
  const days = jsonLines(out).map(({ transactionTime }) => transactionTime.slice(0, 10));
  expect(new Set(days)).toEqual(new Set(['2026-03-18', '2026-03-17']));
});

test('writes a file with --out in the format of its extension, and nothing to stdout', async () => {
  const { cb, folder } = await sandboxHome();
  const ran = await cb('--sandbox orders list --period last-7-days --out week.json');
  expect(ran).toMatchObject({ code: 0, out: '' });
  expect(JSON.parse(readFileSync(`${folder}/week.json`, 'utf8')).length).toBeGreaterThan(0);
  expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
});

test('prints active with exit code 0, or inactive with exit code 9', async () => {
  const { cb } = await sandboxHome();
  expect(await cb('--sandbox orders active MONTHLY1')).toMatchObject({ code: 0, out: 'active\n' });
  const refunded = '--sandbox orders active REFUND01';
  expect(await cb(refunded)).toMatchObject({ code: 9, out: 'inactive\n' });
  expect(JSON.parse((await cb(`${refunded} -o json`)).out)).toEqual({ active: false });
});

test('prints the schema as received', async () => {
  const { out, code } = await inSandbox('orders schema');
  expect(code).toBe(0);
  expect(out).toMatch(/^<\?xml[^>]*>\s*<xs:schema/);
});

test('sends one Page header with each request of a long list', async () => {
  const { sandbox, env } = await serveSandbox({ orders: 700 });
  await home().cb('orders list --period last-12-months -o ndjson', { env });
  const pages = sandbox.requests.filter(({ status }) => status === 206);
  expect(pages.map(({ page }) => Number(page)).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(sandbox.requests.every(({ path }) => !path.includes('page='))).toBe(true);
});

test('resolves words such as tomorrow in the time zone of --tz', async () => {
  const line = 'orders change-date MONTHLY1 --change-date tomorrow --dry-run';
  expect((await inSandbox(line)).out).toContain('changeDate=2026-03-19');
  expect((await inSandbox(`${line} --tz Pacific/Auckland`)).out).toContain('changeDate=2026-03-20');
});
