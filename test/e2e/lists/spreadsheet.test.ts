/** Exports open in a real spreadsheet with the values that the service sent. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { XMLParser } from 'fast-xml-parser';
import { expect, test } from 'vitest';
import { type Home, home, sandboxHome } from '../../support/cb.ts';
import { refusalOf } from '../../support/refusal.ts';
import { sandboxJson } from '../../support/sandbox.ts';
import { serve } from '../../support/server.ts';

const start = promisify(execFile);
const isThere = await start('soffice', ['--version']).then(
  () => true,
  () => false,
);

/** A cell as the spreadsheet holds it. */
interface Cell {
  readonly text: string;
  readonly formula?: string | undefined;
  /** float, string, date, time, boolean, percentage, currency; absent in an empty cell. */
  readonly type?: string | undefined;
  readonly value?: string | undefined;
}

interface XmlNode {
  readonly [name: string]: unknown;
  readonly ':@'?: Readonly<Record<string, string>>;
}

/** UTF-8, US English, detected column types, and formulas that run: at least as risky as a double click. */
function importFilter(delimiter: string): string {
  return `CSV:${delimiter.charCodeAt(0)},34,76,1,,1033,false,true,false,false,false,-1,true`;
}

/** Opens a csv file in LibreOffice with a profile of its own, and reads every cell. */
async function opened({ folder }: Home, name: string, delimiter: string): Promise<Cell[][]> {
  await start('soffice', [
    `-env:UserInstallation=${pathToFileURL(join(folder, 'office'))}`,
    '--headless',
    `--infilter=${importFilter(delimiter)}`,
    ...['--convert-to', 'fods', '--outdir', folder, join(folder, `${name}.csv`)],
  ]);
  const xml = readFileSync(join(folder, `${name}.fods`), 'utf8');
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
  });
  return nodesIn(parser.parse(xml), 'table:table-row').map((row) =>
    nodesIn(row['table:table-row'] as XmlNode[], 'table:table-cell').flatMap(cellsOf),
  );
}

function nodesIn(nodes: readonly XmlNode[], name: string): XmlNode[] {
  return nodes.flatMap((node) => {
    if (name in node) return [node];
    return Object.values(node).flatMap((inner) =>
      Array.isArray(inner) ? nodesIn(inner, name) : [],
    );
  });
}

/** Equal cells beside each other are one element; the empty rest of a line is one too. */
function cellsOf(node: XmlNode): Cell[] {
  const attributes = node[':@'] ?? {};
  const lines = nodesIn(node['table:table-cell'] as XmlNode[], 'text:p');
  const cell: Cell = {
    text: lines.map((line) => textOf(line['text:p'] as XmlNode[])).join('\n'),
    formula: attributes['@_table:formula'],
    type: attributes['@_office:value-type'],
    value: attributes['@_office:value'],
  };
  const times = Number(attributes['@_table:number-columns-repeated'] ?? 1);
  return Array.from({ length: Math.min(times, 200) }, () => cell);
}

function textOf(nodes: readonly XmlNode[]): string {
  return nodes
    .map((node) => {
      if ('#text' in node) return String(node['#text']);
      if ('text:s' in node) return ' '.repeat(Number(node[':@']?.['@_text:c'] ?? 1));
      if ('text:tab' in node) return '\t';
      return (
        Object.values(node).flatMap((inner) => (Array.isArray(inner) ? textOf(inner) : []))[0] ?? ''
      );
    })
    .join('');
}

/** The cells below the header, by the column's name. */
function byName([header = [], ...rows]: Cell[][]): Record<string, Cell>[] {
  const names = header.map(({ text }) => text).filter((name) => name !== '');
  return rows
    .filter((row) => row.some(({ text }) => text !== ''))
    .map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? { text: '' }])));
}

const hostile = [
  { receipt: '1E234567', lastName: '=HYPERLINK("http://x","y")', postalCode: '01067' },
  { receipt: '00123456', lastName: '+1+cmd|"/C calc"!A0', postalCode: '1-2' },
  { receipt: '12E5', lastName: '@SUM(1,2)', postalCode: '3/4' },
  { receipt: 'MAR1', lastName: '-A1+3', postalCode: '10:30' },
  {
    receipt: '12345678901234567890',
    lastName: 'Zoë "Q" Müller; Söhne, 👩‍🌾 日本',
    postalCode: 'TRUE',
  },
  { receipt: '4F6TAE4U', lastName: 'a\nb', postalCode: '5%' },
  { receipt: 'COOK-02', lastName: ' =1+1', postalCode: '1.2.' },
].map((row, index) => ({
  ...row,
  totalOrderAmount: ['11.90', '-5.00', '0', '1234567.89', '-0.01', '100', '2.50'][index],
  transactionTime: '2026-02-18T15:11:38-08:00',
}));

test.skipIf(!isThere)(
  'opens hostile text in LibreOffice as typed, without running it, and numbers as numbers (needs soffice)',
  async () => {
    const at = home();
    const { env } = await serve((reply) => reply.end(JSON.stringify({ orderData: hostile })));
    const { code, err } = await at.cb(
      "orders list --period 2026-02 --text-ids --bom --crlf --delimiter ';' --out hostile.csv",
      { env },
    );
    expect({ code, err }).toMatchObject({ code: 0 });

    const rows = byName(await opened(at, 'hostile', ';'));
    expect(rows).toHaveLength(hostile.length);
    for (const [index, sent] of hostile.entries()) {
      const row = rows[index] ?? {};
      expect(row.receipt?.text).toBe(sent.receipt);
      expect(row.postalCode?.text).toBe(sent.postalCode);
      const runs = /^\s*[=+@-]/.test(sent.lastName);
      expect(row.lastName?.text).toBe(runs ? `'${sent.lastName}` : sent.lastName);
      expect(row.totalOrderAmount?.type).toBe('float');
      expect(Number(row.totalOrderAmount?.value)).toBe(Number(sent.totalOrderAmount));
      for (const cell of Object.values(row)) {
        if (cell.formula !== undefined) expect(cell.formula).toBe(`of:="${cell.text}"`);
      }
    }
  },
);

test.skipIf(!isThere)(
  'opens orders of the sandbox in LibreOffice with every cell as exported (needs soffice)',
  async () => {
    const at = await sandboxHome();
    const fields = '--fields receipt,totalOrderAmount,fullName,postalCode,trackingId';
    const line = `orders list --period 2026-02 --limit 200 ${fields}`;
    expect((await at.cb(`--sandbox ${line} --text-ids --out orders.csv`)).code).toBe(0);
    const sent: Record<string, string | number | null>[] = await sandboxJson(at, line);
    const rows = byName(await opened(at, 'orders', ','));
    expect(rows.map(({ receipt }) => receipt?.text)).toEqual(sent.map(({ receipt }) => receipt));
    expect(rows.map(({ totalOrderAmount }) => Number(totalOrderAmount?.value))).toEqual(
      sent.map(({ totalOrderAmount }) => totalOrderAmount),
    );
    for (const name of ['fullName', 'postalCode', 'trackingId']) {
      expect(rows.map((row) => row[name]?.text.replace(/^'/, ''))).toEqual(
        sent.map((row) => row[name] ?? ''),
      );
    }
  },
);

test.each([
  ['-o tsv --text-ids', '--text-ids works only with csv, not with tsv'],
  ['-o json --no-header', '--no-header works only with csv and tsv, not with json'],
  ['-o table --spread lineItemData', '--spread works only with csv and tsv, not with table'],
  ['-o csv --spread lineItemData:0', "Invalid --spread '0'"],
  ['-o csv --spread lineItemData --expand lineItemData', '--spread and --expand both name'],
  ['-o csv --spread lineItemData --fields receipt', '--spread lineItemData requires lineItemData'],
])('rejects %s before sending anything', async (flags, why) => {
  expect(await refusalOf(`orders list --period 2026-02 ${flags}`)).toContain(why);
});

test('writes items as columns without a header, and notes items that have no column', async () => {
  const at = await sandboxHome();
  const fields = '--fields receipt,lineItemData.itemNo --spread lineItemData:1 --no-header';
  const { code, out, err } = await at.cb(`--sandbox orders get CART0003 -o csv ${fields}`);
  expect(code).toBe(0);
  expect(out).toMatch(/^CART0003,3,[^,\n]+\n/);
  expect(err).toMatch(/more than 1 element\. Use --spread lineItemData:3 to keep all/);
});
