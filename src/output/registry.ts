/** All output formats. A new format is a file with its writers and an entry here. */
import type { Writers } from './render-options.ts';

const rows = ['fields', 'columns', 'sort', 'query', 'expand', 'limit', 'totals'] as const;

/** A workbook has a sheet of totals, and in a Parquet file each row is data. */
const rowsWithoutSums = rows.filter((name) => name !== 'totals');

/** The rows arrive in several runs. */
const runs = ['resume', 'sinceLast'] as const;

/** Options of text in lines: those of tsv, and more of csv. A `live` list is written as it grows. */
const lines = [...runs, 'append', 'live', 'layout'] as const;
const cells = ['spread', 'header', 'dates'] as const;
const csvOnly = ['textIds', 'bom', 'crlf', 'delimiter'] as const;

export type FormatOption = (typeof rows | typeof lines | typeof cells | typeof csvOnly)[number];

export interface Format {
  /** Also the file extension that selects it. */
  readonly name: string;
  readonly summary: string;
  /** What it obeys; `options.ts` says what happens to other options. */
  readonly options: readonly FormatOption[];
  /** Loads only the writers of this format. */
  load(): Promise<Writers>;
}

export const formats: Format[] = [
  {
    name: 'table',
    summary: 'for reading (default on a terminal)',
    options: [...rows, 'sinceLast', 'live'],
    load: () => import('./table/table.ts'),
  },
  {
    name: 'json',
    summary: 'one JSON document',
    options: [...rows, ...runs, 'layout'],
    load: async () => (await import('./json.ts')).json,
  },
  {
    name: 'ndjson',
    summary: 'one JSON object per line',
    options: [...rows, ...lines],
    load: async () => (await import('./json.ts')).ndjson,
  },
  {
    name: 'csv',
    summary: 'for spreadsheets',
    options: [...rows, ...lines, ...cells, ...csvOnly],
    load: async () => (await import('./csv.ts')).csv,
  },
  {
    name: 'xlsx',
    summary: 'a workbook with typed cells',
    options: [...rowsWithoutSums, 'layout'],
    load: () => import('./xlsx/xlsx.ts'),
  },
  {
    name: 'parquet',
    summary: 'typed columns for databases',
    options: [...rowsWithoutSums, 'layout'],
    load: () => import('./parquet.ts'),
  },
  {
    name: 'tsv',
    summary: 'tab-separated (default in a pipe)',
    options: [...rows, ...lines, ...cells],
    load: async () => (await import('./csv.ts')).tsv,
  },
  {
    name: 'xml',
    summary: 'the response as received',
    options: [],
    load: () => import('./xml.ts'),
  },
];

export function formatNamed(name: string): Format | undefined {
  return formats.find((format) => format.name === name);
}

/** The end of the name of a file, as in `csv`. */
export function endingOf(file: string | undefined): string | undefined {
  return /\.([^./\\]+)$/.exec(file ?? '')?.[1]?.toLowerCase();
}

/** The names of all formats, or of the formats that obey an option. */
export function formatNames(option?: FormatOption): string[] {
  const some = formats.filter(({ options }) => !option || options.includes(option));
  return some.map(({ name }) => name);
}
