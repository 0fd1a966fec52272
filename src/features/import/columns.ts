/** Maps the columns of a table to the parameters of an operation. */
import { badInput } from '../../client/workflow-error.ts';
import type { Operation } from '../../operations/operation.ts';
import { choiceFrom } from '../../shell/options/values.ts';

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

export interface Columns {
  /** The parameter of each column, in order; undefined for an ignored column. */
  readonly params: readonly (string | undefined)[];
  readonly ignored: readonly string[];
  readonly usDates: boolean;
}

/**
 * `map` has parameter names by column name. It takes precedence over the preset, and the preset over columns named like
 * a parameter.
 */
export function columnsOf(
  operation: Operation,
  header: readonly string[],
  map: ReadonlyMap<string, string>,
  presetName: string | undefined,
): Columns {
  const known = new Map(
    Object.entries(operation.params)
      .filter(([, param]) => param.constant === undefined)
      // Also by the name of its option: `sku` for the item of a ship notice.
      .flatMap(([name, { names = name }]) => [
        [plainName(names), name],
        [plainName(name), name],
      ]),
  );
  for (const [column, param] of map) {
    if (!header.includes(column)) {
      throw badInput(`The file has no column '${column}' to map.`, {
        hint: `Its columns are: ${header.join(', ')}.`,
      });
    }
    if (!known.has(plainName(param))) {
      throw badInput(`Column '${column}' is mapped to the unknown parameter '${param}'.`, {
        hint: `Use one of ${[...new Set(known.values())].join(', ')}.`,
      });
    }
  }
  const preset = presets[choiceFrom('--preset', presetName, presetNames) ?? ''];
  const sources: readonly ((column: string) => string | undefined)[] = [
    (column) => known.get(plainName(map.get(column) ?? '')),
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
  // Which of two columns with one name holds what is to be sent can't be known.
  const names = header.map(plainName);
  for (const [i, name] of names.entries()) {
    const positions = names.flatMap((one, at) => (one === name ? at + 1 : []));
    if (params[i] === undefined || positions.length === 1) continue;
    const message = `The file has several columns named '${header[i]}': ${positions.join(' and ')}.`;
    throw badInput(message, { hint: 'Nothing was sent. Remove or rename all but one of them.' });
  }
  return {
    params,
    ignored: header.filter((_, i) => params[i] === undefined),
    usDates: preset !== undefined,
  };
}

/** The values of a row by parameter; `defaults` fill missing or empty columns. */
export function valuesOf(
  operation: Operation,
  columns: Columns,
  cells: readonly string[],
  defaults: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
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

/** Treats fillOrder, fill-order and Fill Order as the same name. */
function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}
