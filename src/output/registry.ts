/** Every format that rows can be shown in. A new one is a file with its writers and an entry here. */
import type { Writers } from './render-options.ts';

export interface Format {
  readonly name: string;
  readonly summary: string;
  /** Endings of the files that are written in it unless another format is named. */
  readonly extensions: readonly string[];
  /** Rows are written one behind the other, whatever other rows there are. */
  readonly isRows: boolean;
  /** The options that it obeys, of those that only some formats do. */
  readonly options: readonly FormatOption[];
  /** Loads its writers, so that a command reads no other. */
  load(): Promise<Writers>;
}

/** What rows there are, and what of them is shown. Each is the name of a flag in camel case. */
export const rowOptions = ['fields', 'sort', 'query', 'expand', 'limit'] as const;

const lineOptions = ['textIds', 'header', 'spread', 'bom', 'crlf', 'delimiter'] as const;

export const formatOptions = [...rowOptions, ...lineOptions];

export type FormatOption = (typeof formatOptions)[number];

export const formats: Format[] = [
  {
    name: 'table',
    summary: 'for people; the default on a terminal',
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
    options: rowOptions,
    load: () => import('./json/json.ts'),
  },
  {
    name: 'ndjson',
    summary: 'one JSON object per line',
    extensions: ['ndjson'],
    isRows: true,
    options: rowOptions,
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
    name: 'tsv',
    summary: 'tab-separated; the default in a pipe',
    extensions: ['tsv'],
    isRows: true,
    options: [...rowOptions, 'spread', 'header'],
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

/** The names of all formats, or of those that obey an option. */
export function formatNames(option?: FormatOption): string[] {
  const some = formats.filter(({ options }) => !option || options.includes(option));
  return some.map(({ name }) => name);
}

export function isRowFormat(name: string): boolean {
  return formatNamed(name)?.isRows ?? false;
}
