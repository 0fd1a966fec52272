/** Maps the columns of a table to the parameters of an operation. */

import { badInput } from '../../client/workflow-error.ts';
import type { Operation } from '../../operations/operation.ts';
import type { InputRow, InputTable } from './table.ts';

/** Values by parameter name, as text or as given by options. */
export type Values = Readonly<Record<string, unknown>>;

/** The columns in exports of shipping tools, whose dates look like 03/18/2026. */
const presets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shipstation: {
    'Order - Number': 'receipt',
    'Shipment - Tracking Number': 'tracking',
    'Date - Shipped Date': 'date',
    'Carrier - Name': 'carrier',
  },
};

export const presetNames = Object.keys(presets);

export interface ColumnOptions {
  /** Parameter names by column name. */
  readonly map?: ReadonlyMap<string, string>;
  readonly preset?: string;
}

export interface Columns {
  /** The parameter of each column, in order; undefined for an ignored column. */
  readonly params: readonly (string | undefined)[];
  readonly ignored: readonly string[];
  readonly usDates: boolean;
}

/** The map takes precedence over the preset, and the preset over columns named like a parameter. */
export function columnsOf(
  operation: Operation,
  { header }: Pick<InputTable, 'header'>,
  options: ColumnOptions,
): Columns {
  const preset = presetOf(options.preset);
  const mapped = options.map ?? new Map<string, string>();
  const known = knownNames(operation);
  for (const [column, param] of mapped) {
    if (!header.includes(column)) {
      throw badInput(`The file has no column '${column}' to map.`, {
        hint: `Its columns are: ${header.join(', ')}.`,
      });
    }
    if (known.get(plainName(param)) === undefined) {
      throw badInput(`Column '${column}' is mapped to the unknown parameter '${param}'.`, {
        hint: `Use one of ${[...new Set(known.values())].join(', ')}.`,
      });
    }
  }
  const sources: readonly ((column: string) => string | undefined)[] = [
    (column) => known.get(plainName(mapped.get(column) ?? '')),
    (column) => preset?.[column],
    (column) => known.get(plainName(column)),
  ];
  const params: (string | undefined)[] = header.map(() => undefined);
  for (const source of sources) {
    header.forEach((column, i) => {
      const param = source(column);
      if (params[i] === undefined && !params.includes(param)) params[i] = param;
    });
  }
  refuseTwins(header, params);
  return {
    params,
    ignored: header.filter((_, i) => params[i] === undefined),
    usDates: preset !== undefined,
  };
}

/** Which of two columns with one name holds what is to be sent can't be known. */
function refuseTwins(header: readonly string[], params: Columns['params']): void {
  const names = header.map(plainName);
  const twin = header.find(
    (_, i) =>
      params[i] !== undefined &&
      names.indexOf(names[i] ?? '') !== names.lastIndexOf(names[i] ?? ''),
  );
  if (twin === undefined) return;
  const positions = names.flatMap((name, i) => (name === plainName(twin) ? i + 1 : []));
  throw badInput(`The file has several columns named '${twin}': ${positions.join(' and ')}.`, {
    hint: 'Nothing was sent. Remove or rename all but one of them.',
  });
}

/** The values of a row by parameter; `defaults` fill missing or empty columns. */
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

/** Converts 03/18/2026, optionally followed by a time. */
function isoDate(cell: string): string {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(cell) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : cell;
}

function presetOf(name: string | undefined) {
  if (name === undefined) return undefined;
  if (Object.hasOwn(presets, name)) return presets[name];
  throw badInput(`Unknown preset '${name}'. Use one of ${presetNames.join(', ')}.`);
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
