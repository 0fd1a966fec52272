/** What the layouts of orders have in common: texts instead of lists, and sums over the items of an order. */
import { LosslessNumber } from 'lossless-json';
import { addDecimals } from '../../decimals/decimals.ts';
import { cellText } from '../../output/rows/cell.ts';
import {
  type FieldShape,
  isList,
  isRow,
  type Row,
  type Shape,
  type Value,
} from '../../output/rows/rows.ts';
import { accountCurrency, youEarn } from '../../workflows/earnings/transaction.ts';

export const itemsField = 'lineItemData';

export type Fields = Readonly<Record<string, FieldShape>>;

export const text: FieldShape = { kind: 'text' };
export const integer: FieldShape = { kind: 'integer' };
export const decimal: FieldShape = { kind: 'decimal' };

export function isNested({ kind }: FieldShape): boolean {
  return kind === 'object' || kind === 'list';
}

/** Whether the rows are orders, which have a list of items. */
export function hasItems({ fields }: Shape): boolean {
  return Object.hasOwn(fields, itemsField) && fields[itemsField]?.kind === 'list';
}

export function itemsOf(order: Row): readonly Row[] {
  const items = order[itemsField];
  return isList(items) ? items.filter(isRow) : [];
}

/** A number with the digits of a sum, as in a row. */
export function numeral(digits: string | undefined): Value {
  return digits === undefined ? undefined : new LosslessNumber(digits);
}

/** The exact sum of the values that are present; undefined without any value. */
export function sumOf(values: readonly Value[]): string | undefined {
  const present = values.filter((value) => value !== null && value !== undefined);
  return present.length === 0 ? undefined : addDecimals(present.map(cellText));
}

/** What the account earns by an order, and the currency of that. */
export function earningsOf(order: Row): {
  readonly youEarn: Value;
  readonly accountCurrency: Value;
} {
  const digits = youEarn({ lineItemData: itemsOf(order).map(withTexts) });
  return { youEarn: numeral(digits), accountCurrency: digits && accountCurrency };
}

function withTexts({ accountAmount }: Row): { readonly accountAmount: string | null } {
  return { accountAmount: cellText(accountAmount) || null };
}

/**
 * Names and values as text: `affSub1=fb; campaign=x`. Reads a list of objects with a name or field and a value, the
 * object around such a list, and an object of names.
 */
export function pairText(value: Value): Value {
  if (value === null || value === undefined) return value;
  const pairs = pairsIn(value);
  return pairs.length === 0 ? undefined : pairs.join('; ');
}

function pairsIn(value: Value): string[] {
  if (isList(value)) return value.flatMap(pairsIn);
  if (!isRow(value)) return [cellText(value)].filter((text) => text !== '');
  const name = value.name ?? value.field;
  if (name !== undefined && 'value' in value) return [`${cellText(name)}=${cellText(value.value)}`];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isList(inner) || isRow(inner)) return pairsIn(inner);
    return inner === null || inner === undefined ? [] : [`${key}=${cellText(inner)}`];
  });
}

/** The fields of a row that the shape does not know, in their order. */
export function unknownFields(row: Row, { fields }: Shape): [string, Value][] {
  return Object.entries(row).filter(([name]) => !Object.hasOwn(fields, name));
}
