/** Sums of the amounts of a sheet, for each currency. */
import { addDecimals } from '../../decimals/decimals.ts';
import type { Row } from '../rows/rows.ts';
import type { Cell } from './cell.ts';
import type { TypedColumn } from './sheet-rows.ts';
import type { SheetColumn } from './sheet-xml.ts';

export const totalsColumns: readonly SheetColumn[] = [
  { name: 'amount', width: 24 },
  { name: 'currency', width: 12 },
  { name: 'rows', width: 10 },
  { name: 'total', width: 18 },
];

/** What the sums leave out. */
export const noteColumn: SheetColumn = { name: 'note', width: 80 };

export interface Totals {
  add(rows: readonly Row[], cells: readonly (readonly Cell[])[]): void;
  /** A row for each amount and currency. */
  rows(): (readonly Cell[])[];
}

interface Sum {
  readonly digits: string;
  readonly rows: number;
}

/** Amounts of different currencies are never added, and amounts of no known currency neither. */
export function openTotals(columns: readonly TypedColumn[]): Totals {
  const amounts = columns.flatMap((column, at) =>
    column.isAmount ? [{ ...column, at, sums: new Map<string, Sum>() }] : [],
  );
  return {
    add(rows, cells) {
      for (const { at, sums, currencyOf } of amounts) {
        const found = new Map<string, string[]>();
        for (const [index, row] of rows.entries()) {
          const cell = cells[index]?.[at];
          const currency = currencyOf(row);
          if (typeof cell !== 'object' || currency === undefined) continue;
          const digits = found.get(currency) ?? [];
          digits.push(cell.digits);
          found.set(currency, digits);
        }
        for (const [currency, digits] of found) addTo(sums, currency, digits);
      }
    },
    rows: () =>
      amounts.flatMap(({ field, sums }) =>
        [...sums].map(([currency, { digits, rows }]): readonly Cell[] => [
          ...[field, currency, { digits: String(rows), format: 'plain' as const }],
          { digits, format: { currency } },
        ]),
      ),
  };
}

function addTo(sums: Map<string, Sum>, currency: string, digits: readonly string[]): void {
  const { digits: before, rows } = sums.get(currency) ?? { digits: '0', rows: 0 };
  const sum = addDecimals([before, ...digits]);
  if (sum !== undefined) sums.set(currency, { digits: sum, rows: rows + digits.length });
}
