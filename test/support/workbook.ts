/** Reads the sheets of a workbook without a spreadsheet program: texts as they are, numbers with their digits. */
import { readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';
import { serve } from './server.ts';

export interface XmlCell {
  readonly r: string;
  readonly t?: string;
  readonly f?: unknown;
  readonly v?: string;
  readonly is?: { readonly t?: string | { readonly '#text'?: string } };
}

export const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => ['sheet', 'row', 'c', 'col', 'Relationship'].includes(name),
});

/** The rows of each sheet below its header, by the names of its columns. */
export function readWorkbook(file: string): Map<string, Readonly<Record<string, string>>[]> {
  const files = unzipSync(readFileSync(file));
  const xml = (name: string) => parser.parse(strFromU8(files[name] ?? new Uint8Array()));
  const targets = new Map<string, string>(
    xml('xl/_rels/workbook.xml.rels').Relationships.Relationship.map(
      ({ Id, Target }: { Id: string; Target: string }) => [Id, Target.replace(/^\/?(?:xl\/)?/, '')],
    ),
  );
  const { sheet } = xml('xl/workbook.xml').workbook.sheets;
  return new Map(
    sheet.map((one: Readonly<Record<string, string>>) => {
      const { row = [] } = xml(`xl/${targets.get(one['r:id'] ?? '')}`).worksheet.sheetData;
      const lines: Record<string, string>[] = row.map(({ c = [] }: { c?: readonly XmlCell[] }) =>
        Object.fromEntries(c.map((cell) => [cell.r.replace(/\d+$/, ''), textOf(cell)])),
      );
      const [header = {}, ...rows] = lines;
      const named = rows.map((cells) =>
        Object.fromEntries(Object.entries(header).map(([at, name]) => [name, cells[at] ?? ''])),
      );
      return [one.name ?? '', named];
    }),
  );
}

/** The workbooks of cb have their texts in the cells. */
export function textOf({ v, is }: XmlCell): string {
  const text = is === undefined ? v : is.t;
  return (typeof text === 'object' ? text['#text'] : text) ?? '';
}

/** A row by the names of fields instead of headings: `youEarn` for `You earn`. */
export function byField<T>(row: Readonly<Record<string, T>>): Record<string, T> {
  const nameOf = (heading: string) =>
    heading.toLowerCase().replaceAll(/ (\w)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([heading, cell]) => [nameOf(heading), cell]));
}

/** The environment for a service with these orders, and with quickstats that say these sums. */
export async function monthService(orderData: unknown, sale: string, refund = '0.00') {
  const { env } = await serve((reply, _, { url }) => {
    const quickStats = [{ quickStatDate: null, sale, refund, chargeback: '0.00' }];
    if (url.includes('/quickstats/accounts')) reply.end('{"accountData":[{"nickName":"SHOP"}]}');
    else if (!url.includes('/quickstats')) reply.end(JSON.stringify({ orderData }));
    else reply.end(JSON.stringify({ accountData: [{ nickName: 'SHOP', quickStats }] }));
  });
  return env;
}
