/** Reads the sheets of a workbook without a spreadsheet program: texts as they are, numbers with their digits. */
import { readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';

interface XmlCell {
  readonly r: string;
  readonly v?: string;
  readonly is?: { readonly t?: unknown };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => ['sheet', 'row', 'c', 'Relationship'].includes(name),
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
      const lines: Map<string, string>[] = row.map(({ c = [] }: { c?: readonly XmlCell[] }) => {
        const cells = c.map((cell) => [cell.r.replace(/\d+$/, ''), textOf(cell)] as const);
        return new Map(cells);
      });
      const [header = new Map<string, string>(), ...rows] = lines;
      const named = rows.map((cells) =>
        Object.fromEntries([...header].map(([at, name]) => [name, cells.get(at) ?? ''])),
      );
      return [one.name ?? '', named];
    }),
  );
}

/** The workbooks of cb have their texts in the cells. */
function textOf({ v, is }: XmlCell): string {
  const text: unknown = is === undefined ? v : is.t;
  if (typeof text === 'object' && text !== null) return String(Reflect.get(text, '#text') ?? '');
  return String(text ?? '');
}
