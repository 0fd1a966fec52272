/** All output formats. A new format is a file with its writers and an entry here. */
import type { Writers } from './render-options.ts';

export interface Format {
  readonly name: string;
  readonly summary: string;
  /** File extensions that select the format. */
  readonly extensions: readonly string[];
  /** Rows can be written one by one, without knowing the others, and a later run can add more. */
  readonly isRows: boolean;
  /** The format-dependent options that it obeys. */
  readonly options: readonly FormatOption[];
  /** Loads only the writers of this format. */
  load(): Promise<Writers>;
}

/** Options that select rows and fields, as option names in camel case. */
export const rowOptions = ['fields', 'sort', 'query', 'expand', 'limit'] as const;

const lineOptions = ['textIds', 'header', 'spread', 'dates', 'bom', 'crlf', 'delimiter'] as const;

export const formatOptions = [...rowOptions, ...lineOptions, 'layout'] as const;

export type FormatOption = (typeof formatOptions)[number];

export const formats: Format[] = [
  {
    name: 'table',
    summary: 'for reading (default on a terminal)',
    extensions: ['table'],
    isRows: false,
    options: rowOptions,
    load: () => import('./table/table.ts'),
  },
  {
    name: 'json',
    summary: 'one JSON document',
    extensions: ['json'],
    isRows: true,
    options: [...rowOptions, 'layout'],
    load: () => import('./json/json.ts'),
  },
  {
    name: 'ndjson',
    summary: 'one JSON object per line',
    extensions: ['ndjson'],
    isRows: true,
    options: [...rowOptions, 'layout'],
    load: () => import('./json/ndjson.ts'),
  },
  {
    name: 'csv',
    summary: 'for spreadsheets',
    extensions: ['csv'],
    isRows: true,
    options: formatOptions,
    load: () => import('./delimited/csv.ts'),
  },
  {
    name: 'xlsx',
    summary: 'a workbook with typed cells',
    extensions: ['xlsx'],
    isRows: false,
    options: [...rowOptions, 'layout'],
    load: () => import('./xlsx/xlsx.ts'),
  },
  {
    name: 'tsv',
    summary: 'tab-separated (default in a pipe)',
    extensions: ['tsv'],
    isRows: true,
    options: [...rowOptions, 'spread', 'header', 'dates', 'layout'],
    load: () => import('./delimited/tsv.ts'),
  },
  {
    name: 'xml',
    summary: 'the response as received',
    extensions: ['xml'],
    isRows: false,
    options: [],
    load: () => import('./xml.ts'),
  },
];

export function formatNamed(name: string): Format | undefined {
  return formats.find((format) => format.name === name);
}

/** The names of all formats, or of the formats that obey an option. */
export function formatNames(option?: FormatOption): string[] {
  const some = formats.filter(({ options }) => !option || options.includes(option));
  return some.map(({ name }) => name);
}

export function isRowFormat(name: string): boolean {
  return formatNamed(name)?.isRows ?? false;
}
