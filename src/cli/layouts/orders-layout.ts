/** `--layout orders`: a row for each transaction, without JSON: the items become plain columns. */

import type { Arrangement } from '../../output/render-options.ts';
import { cellText } from '../../output/rows/cell.ts';
import type { FieldShape, Row, Shape, Value } from '../../output/rows/rows.ts';
import {
  decimal,
  earningsOf,
  type Fields,
  integer,
  isNested,
  itemsField,
  itemsOf,
  numeral,
  pairText,
  sumOf,
  text,
  unknownFields,
} from './order-fields.ts';

const itemColumns: Fields = {
  itemCount: integer,
  quantity: integer,
  firstSku: { ...text, names: 'sku' },
  firstTitle: text,
  firstQuantity: integer,
  titles: text,
  youEarn: decimal,
  accountCurrency: text,
};

export function ordersLayout(shape: Shape): Arrangement {
  const known = Object.entries(shape.fields).filter(([name]) => !Object.hasOwn(itemColumns, name));
  const fields = known.flatMap(([name, field]): [string, FieldShape][] => {
    if (name === itemsField) return Object.entries(itemColumns);
    return [[name, isNested(field) ? text : field]];
  });
  const rowOf = (order: Row): Row =>
    Object.fromEntries([
      ...known.flatMap(([name, field]): [string, Value][] => {
        if (name === itemsField) return Object.entries(itemValues(order));
        return [[name, isNested(field) ? pairText(order[name]) : order[name]]];
      }),
      ...unknownFields(order, shape),
    ]);
  return {
    name: 'Orders',
    shape: { headline: shape.headline, fields: Object.fromEntries(fields) },
    rows: (page) => page.map(rowOf),
  };
}

/** The fields as ClickBank sends them, the computed fields of tables, and the columns of the layout, for --fields. */
export function allOrderFields(shape: Shape): Arrangement {
  return {
    name: 'Orders',
    shape: { ...shape, fields: { ...shape.fields, ...itemColumns } },
    rows: (page) => page.map((order) => ({ ...order, ...itemValues(order) })),
  };
}

function itemValues(order: Row): Row {
  const items = itemsOf(order);
  const [first] = items;
  const quantities = items.map(({ quantity }) => quantity);
  return {
    itemCount: items.length,
    quantity: numeral(sumOf(quantities)),
    firstSku: first?.itemNo,
    firstTitle: first?.productTitle,
    firstQuantity: first?.quantity,
    titles: titlesOf(order) || undefined,
    ...earningsOf(order),
  };
}

/** The titles of all items, or their SKUs if they have none. */
export function titlesOf(order: Row): string {
  const titles = itemsOf(order).map(({ productTitle, itemNo }) => cellText(productTitle ?? itemNo));
  return titles.filter((title) => title !== '').join('; ');
}
