/** Maps the columns of a table to the parameters of an operation. */
import type { Operation } from '../../operations/operation.ts';
import { badInput } from '../errors.ts';
import type { InputRow, InputTable } from './table.ts';

/** Values as text or as flags give them, by parameter name. */
export type Values = Readonly<Record<string, unknown>>;

/** How the exports of one tool are read. */
interface Preset {
  readonly columns: Readonly<Record<string, string>>;
  readonly usDates: boolean;
}

const presets: Readonly<Record<string, Preset>> = {
  shipstation: {
    columns: {
      'Order - Number': 'receipt',
      'Shipment - Tracking Number': 'tracking',
      'Date - Shipped Date': 'date',
      'Carrier - Name': 'carrier',
    },
    usDates: true,
  },
};

export const presetNames = Object.keys(presets);

export interface ColumnOptions {
  /** `Column=parameter,…` */
  readonly map?: string;
  readonly preset?: string;
}

export interface Columns {
  /** By position: the parameter, or undefined for a column that is ignored. */
  readonly params: readonly (string | undefined)[];
  readonly header: readonly string[];
  readonly ignored: readonly string[];
  readonly usDates: boolean;
}

/** --map takes precedence over --preset, and --preset over columns named like a parameter. */
export function columnsOf(
  operation: Operation,
  { header }: InputTable,
  options: ColumnOptions,
): Columns {
  const preset = presetOf(options.preset);
  const mapped = mapOf(options.map, header);
  const known = knownNames(operation);
  for (const [column, param] of Object.entries(mapped)) {
    if (known.get(plainName(param)) === undefined) {
      const names = [...new Set(known.values())].join(', ');
      throw badInput(`--map: unknown parameter '${param}' for column '${column}'`, {
        hint: `use one of ${names}`,
      });
    }
  }
  const sources: readonly ((column: string) => string | undefined)[] = [
    (column) => known.get(plainName(mapped[column] ?? '')),
    (column) => preset?.columns[column],
    (column) => known.get(plainName(column)),
  ];
  const params: (string | undefined)[] = header.map(() => undefined);
  for (const source of sources) {
    header.forEach((column, i) => {
      const param = source(column);
      if (params[i] === undefined && !params.includes(param)) params[i] = param;
    });
  }
  return {
    params,
    header,
    ignored: header.filter((_, i) => params[i] === undefined),
    usDates: preset?.usDates ?? false,
  };
}

/** The values of a row by parameter; `defaults` fill columns that are missing or empty. */
export function valuesOf(
  operation: Operation,
  columns: Columns,
  { cells }: InputRow,
  defaults: Values,
): Values {
  const values: Record<string, unknown> = { ...defaults };
  columns.params.forEach((param, i) => {
    const cell = cells[i] ?? '';
    if (param === undefined || cell === '') return;
    const isDate = columns.usDates && operation.params[param]?.kind === 'date';
    values[param] = isDate ? isoDate(cell) : cell;
  });
  return values;
}

/** 03/18/2026, with or without a time behind it. */
function isoDate(cell: string): string {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(cell) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell;
}

function presetOf(name: string | undefined): Preset | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(presets, name)) return presets[name];
  throw badInput(`--preset must be one of ${presetNames.join(', ')}, not '${name}'`);
}

function mapOf(text: string | undefined, header: readonly string[]): Record<string, string> {
  const mapped: Record<string, string> = {};
  for (const pair of text?.split(',') ?? []) {
    const at = pair.lastIndexOf('=');
    const [column, param] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
    if (at < 1 || param === '') throw badInput(`--map '${pair}' must be like 'Column=parameter'`);
    if (!header.includes(column)) {
      throw badInput(`--map: the file has no column '${column}'`, {
        hint: `its columns are: ${header.join(', ')}`,
      });
    }
    if (Object.values(mapped).includes(param)) throw badInput(`--map names ${param} twice`);
    mapped[column] = param;
  }
  return mapped;
}

function knownNames({ params }: Operation): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(params)
      .filter(([, param]) => param.constant === undefined)
      .map(([name]) => [plainName(name), name]),
  );
}

/** Treats fillOrder, fill-order and Fill Order as the same name. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
