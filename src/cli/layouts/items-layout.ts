/**
 * `--layout items`: a row for each item, with the fields of its order. The amounts of the order are in the row of its
 * first item only, so that each column can be added up. An order without items is one row.
 */
import type { Arrangement } from '../../output/render-options.ts';
import {
  type FieldShape,
  type Row,
  type Shape,
  shapeAt,
  type Value,
} from '../../output/rows/rows.ts';
import { accountCurrency } from '../../workflows/earnings/transaction.ts';
import { integer, isNested, itemsField, itemsOf, text } from './order-fields.ts';

/** In a workbook, the rows name the line of their order on the sheet of the orders. */
export function itemsLayout(shape: Shape, hasLines = false): Arrangement {
  const ofOrder = Object.entries(shape.fields).filter(([, field]) => !isNested(field));
  const inside = Object.entries(shapeAt(shape, [itemsField])?.fields ?? {});
  const ofItem = inside.map(([name, field]) => ({ name, field, column: itemColumn(name, shape) }));
  const fields: [string, FieldShape][] = [
    ...(hasLines ? [['orderLine', integer] as [string, FieldShape]] : []),
    ...ofOrder,
    ['itemNumber', integer],
    ...ofItem.map(({ column, field }): [string, FieldShape] => [column, field]),
    ['accountCurrency', text],
  ];
  const rowsOf = (order: Row, line: number): Row[] => {
    const items = itemsOf(order);
    return (items.length > 0 ? items : [undefined]).map((item, at) =>
      Object.fromEntries<Value>([
        ...(hasLines ? [['orderLine', line] as [string, Value]] : []),
        ...ofOrder.map(([name, { kind }]): [string, Value] => [
          name,
          at > 0 && kind === 'decimal' ? undefined : order[name],
        ]),
        ['itemNumber', item && at + 1],
        ...ofItem.map(({ name, column }): [string, Value] => [column, item?.[name]]),
        ...unknownOf(item, inside, shape),
        ['accountCurrency', hasEarning(item) ? accountCurrency : undefined],
      ]),
    );
  };
  return {
    name: 'Line items',
    shape: { headline: shape.headline, fields: Object.fromEntries(fields) },
    // The header is line 1.
    rows: (page, before = 0) => page.flatMap((order, at) => rowsOf(order, before + at + 2)),
  };
}

/** A field of the item whose name is also one of the order: `itemRole`. */
function itemColumn(name: string, { fields }: Shape): string {
  if (!Object.hasOwn(fields, name)) return name;
  return `item${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function unknownOf(
  item: Row | undefined,
  inside: readonly (readonly [string, FieldShape])[],
  shape: Shape,
): [string, Value][] {
  const known = new Set(inside.map(([name]) => name));
  return Object.entries(item ?? {})
    .filter(([name]) => !known.has(name))
    .map(([name, value]) => [itemColumn(name, shape), value]);
}

function hasEarning(item: Row | undefined): boolean {
  return item?.accountAmount !== undefined && item.accountAmount !== null;
}
