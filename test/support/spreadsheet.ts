/** Opens files in LibreOffice, and reads the cells as it holds them. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { threadId } from 'node:worker_threads';
import { XMLParser } from 'fast-xml-parser';

const start = promisify(execFile);

export const hasOffice = await start('soffice', ['--version']).then(
  () => true,
  () => false,
);

/** `type` is float, currency, date, time, boolean or string; absent in an empty cell. */
export interface OfficeCell {
  readonly text: string;
  readonly type?: string | undefined;
  /** Of a number, a date or a boolean. */
  readonly value?: string | undefined;
  readonly currency?: string | undefined;
  readonly formula?: string | undefined;
}

export type OfficeRow = Readonly<Record<string, OfficeCell>>;

interface XmlNode {
  readonly [name: string]: unknown;
  readonly ':@'?: Readonly<Record<string, string>>;
}

/** UTF-8, US English, detected column types, and formulas that run: at least as risky as a double click. */
function csvFilter(delimiter: string): string {
  return `CSV:${delimiter.charCodeAt(0)},34,76,1,,1033,false,true,false,false,false,-1,true`;
}

/** LibreOffice starts much faster with a profile that it has written before; it locks the profile while it runs. */
const profileName = `office-${process.pid}-${threadId}`;
const officeProfile = join(process.env.CB_TEST_RUN ?? tmpdir(), profileName);

type Sheets = Map<string, OfficeRow[]>;

/** The sheets of workbooks, or of files of csv: their rows below the header, by the names of its columns. */
export async function sheetsInEach(
  folder: string,
  files: readonly string[],
  delimiter = ',',
): Promise<Sheets[]> {
  await start('soffice', [
    `-env:UserInstallation=${pathToFileURL(officeProfile)}`,
    '--headless',
    ...(files[0]?.endsWith('.csv') ? [`--infilter=${csvFilter(delimiter)}`] : []),
    ...['--convert-to', 'fods', '--outdir', folder, ...files.map((file) => join(folder, file))],
  ]);
  return files.map((file) => readSheets(folder, file));
}

function readSheets(folder: string, file: string): Sheets {
  const xml = readFileSync(join(folder, basename(file).replace(/\.\w+$/, '.fods')), 'utf8');
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    trimValues: false,
    parseTagValue: false,
  });
  const tables = nodesIn(parser.parse(xml), 'table:table');
  return new Map(
    tables.map((table) => {
      const lines = nodesIn(inside(table), 'table:table-row').map((row) =>
        nodesIn(inside(row), 'table:table-cell').flatMap(cellsOf),
      );
      return [table[':@']?.['@_table:name'] ?? '', byName(lines)];
    }),
  );
}

function inside(node: XmlNode): readonly XmlNode[] {
  return Object.values(node).flatMap((inner) => (Array.isArray(inner) ? inner : []));
}

function nodesIn(nodes: readonly XmlNode[], name: string): XmlNode[] {
  return nodes.flatMap((node) => (name in node ? [node] : nodesIn(inside(node), name)));
}

/** Equal cells beside each other are one element; the empty rest of a line is one too. */
function cellsOf(node: XmlNode): OfficeCell[] {
  const attributes = node[':@'] ?? {};
  const lines = nodesIn(inside(node), 'text:p');
  const office = (name: string) => attributes[`@_office:${name}`];
  const cell = {
    text: lines.map((line) => textOf(inside(line))).join('\n'),
    formula: attributes['@_table:formula'],
    type: office('value-type'),
    value: ['value', 'date-value', 'time-value', 'boolean-value'].map(office).find(Boolean),
    currency: office('currency'),
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
      return textOf(inside(node));
    })
    .join('');
}

function byName([header = [], ...rows]: OfficeCell[][]): OfficeRow[] {
  const names = header.map(({ text }) => text).filter((name) => name !== '');
  return rows
    .filter((row) => row.some(({ text }) => text !== ''))
    .map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? { text: '' }])));
}
