/** The layouts of orders in files: a row for each transaction, for each item, or for what a bookkeeper books. */
import { LosslessNumber } from 'lossless-json';
import { spreadsheetTime } from '../../dates/wall-time.ts';
import { addDecimals, negated } from '../../decimals/decimals.ts';
import { decimal, integer, text } from '../../operations/resource.ts';
import type { Arrangement } from '../../output/render-options.ts';
import {
  cellText,
  type FieldShape,
  isList,
  isRow,
  type Row,
  type Shape,
  shapeAt,
  type Value,
} from '../../output/rows/rows.ts';
import type { LineItem } from '../../safe-write/reads.ts';
import { titlesOf } from '../../safe-write/sentence.ts';
import { itemsOf } from '../../shell/display/texts.ts';
import {
  accountCurrency,
  customerPaid,
  earningAccount,
  kindOf,
  youEarn,
} from '../earnings/transaction.ts';

const itemsField = 'lineItemData';

function isNested({ kind }: FieldShape): boolean {
  return kind === 'object' || kind === 'list';
}

/** Whether the rows are orders, which have a list of items. */
export function hasItems({ fields }: Shape): boolean {
  return Object.hasOwn(fields, itemsField) && fields[itemsField]?.kind === 'list';
}

function numeral(digits: string | undefined): Value {
  return digits === undefined ? undefined : new LosslessNumber(digits);
}

/** The exact sum of the values that are present; undefined without any value. */
function sumOf(values: readonly Value[]): string | undefined {
  const present = values.filter((value) => value !== null && value !== undefined);
  return present.length === 0 ? undefined : addDecimals(present.map(cellText));
}

function quantityOf(order: Row): Value {
  return numeral(sumOf(itemsOf(order.lineItemData).map(({ quantity }) => quantity)));
}

function titlesIn({ lineItemData }: Row): Value {
  return titlesOf(itemsOf(lineItemData) as readonly LineItem[]).join('; ') || undefined;
}

/** A column of a layout, with its value in the row of an order. */
interface LayoutColumn extends FieldShape {
  from(order: Row): Value;
}

const earningColumns: Readonly<Record<string, LayoutColumn>> = {
  youEarn: { ...decimal, from: (order) => numeral(youEarn(order)) },
  accountCurrency: { ...text, from: (order) => youEarn(order) && accountCurrency },
};

/**
 * Names and values as text: `affSub1=fb` and `campaign=x`. Reads a list of objects with a name or field and a value, the
 * object around such a list, and an object of names.
 */
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

/** What columns in place of the list of items show of it. */
const itemColumns: Readonly<Record<string, LayoutColumn>> = {
  itemCount: { ...integer, from: (order) => itemsOf(order.lineItemData).length },
  quantity: { ...integer, from: quantityOf },
  firstSku: { ...text, names: 'sku', from: (order) => itemsOf(order.lineItemData)[0]?.itemNo },
  firstTitle: { ...text, from: (order) => itemsOf(order.lineItemData)[0]?.productTitle },
  firstQuantity: { ...integer, from: (order) => itemsOf(order.lineItemData)[0]?.quantity },
  titles: { ...text, from: titlesIn },
  ...earningColumns,
};

function valuesIn(columns: Readonly<Record<string, LayoutColumn>>, order: Row): Row {
  const row: Record<string, Value> = {};
  for (const name in columns) row[name] = columns[name]?.from(order);
  return row;
}

export function ordersLayout(shape: Shape): Arrangement {
  const known = Object.entries(shape.fields).filter(([name]) => !Object.hasOwn(itemColumns, name));
  const fields = known.flatMap(([name, field]): [string, FieldShape][] => {
    if (name === itemsField) return Object.entries(itemColumns);
    return [[name, isNested(field) ? text : field]];
  });
  // Most of the time of an export: no list is made of the fields of a row.
  const rowOf = (order: Row): Row => {
    const row: Record<string, Value> = {};
    for (const [name, field] of known) {
      const value = order[name];
      if (name === itemsField) Object.assign(row, valuesIn(itemColumns, order));
      else if (!isNested(field) || value === null || value === undefined) row[name] = value;
      else row[name] = pairsIn(value).join('; ') || undefined;
    }
    for (const name of Object.keys(order)) {
      if (!Object.hasOwn(shape.fields, name)) row[name] = order[name];
    }
    return row;
  };
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
    rows: (page) => page.map((order) => ({ ...order, ...valuesIn(itemColumns, order) })),
  };
}

/** In a workbook, the rows name the line of their order on the sheet of the orders. */
export function itemsLayout(shape: Shape, hasLines = false): Arrangement {
  const ofOrder = Object.entries(shape.fields).filter(([, field]) => !isNested(field));
  const inside = Object.entries(shapeAt(shape, [itemsField])?.fields ?? {});
  const known = new Set(inside.map(([name]) => name));
  const ofItem = inside.map(([name, field]) => ({ name, field, column: itemColumn(name, shape) }));
  const fields: [string, FieldShape][] = [
    ...(hasLines ? [['orderLine', integer] as [string, FieldShape]] : []),
    ...ofOrder,
    ['itemNumber', integer],
    ...ofItem.map(({ column, field }): [string, FieldShape] => [column, field]),
    ['accountCurrency', text],
  ];
  const rowsOf = (order: Row, line: number): Row[] => {
    const items = itemsOf(order.lineItemData);
    return (items.length > 0 ? items : [undefined]).map((item, at) =>
      Object.fromEntries<Value>([
        ...(hasLines ? [['orderLine', line] as [string, Value]] : []),
        ...ofOrder.map(([name, { kind }]): [string, Value] => [
          name,
          at > 0 && kind === 'decimal' ? undefined : order[name],
        ]),
        ['itemNumber', item && at + 1],
        ...ofItem.map(({ name, column }): [string, Value] => [column, item?.[name]]),
        ...Object.entries(item ?? {})
          .filter(([name]) => !known.has(name))
          .map(([name, value]): [string, Value] => [itemColumn(name, shape), value]),
        ['accountCurrency', (item?.accountAmount ?? null) === null ? undefined : accountCurrency],
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

/** Days and months are those of the zone. With several profiles, their names come first. */
export function accountingLayout({ fields }: Shape, zone: string): Arrangement {
  const dayOf = (order: Row) => {
    const time = cellText(order.transactionTime);
    return (spreadsheetTime(time, zone) ?? time).slice(0, 'yyyy-mm-dd'.length);
  };
  const columns: Readonly<Record<string, LayoutColumn>> = {
    ...(fields.profile && { profile: { ...fields.profile, from: ({ profile }) => profile } }),
    date: { kind: 'day', from: (order) => dayOf(order) || undefined },
    time: { kind: 'time', from: ({ transactionTime }) => transactionTime },
    receipt: { ...text, names: 'receipt', from: ({ receipt }) => receipt },
    kind: { ...text, from: ({ transactionType }) => kindOf(transactionType) },
    product: { ...text, from: titlesIn },
    quantity: { ...integer, from: quantityOf },
    customerPaid: { ...decimal, from: customerPaid },
    currency: { ...text, from: ({ currency }) => currency },
    tax: { ...decimal, from: ({ totalTaxAmount }) => totalTaxAmount },
    shipping: { ...decimal, from: ({ totalShippingAmount }) => totalShippingAmount },
    fees: { ...decimal, from: feesOf },
    ...earningColumns,
    month: { ...text, from: (order) => dayOf(order).slice(0, 'yyyy-mm'.length) || undefined },
    role: { ...text, from: ({ role }) => role },
    account: { ...text, names: 'account', from: earningAccount },
    ...(fields.ownAffiliateShare && {
      ownAffiliateShare: { ...text, from: ({ ownAffiliateShare }) => ownAffiliateShare },
    }),
  };
  return {
    name: 'Accounting',
    shape: { headline: [], fields: columns },
    rows: (page) => page.map((order) => valuesIn(columns, order)),
  };
}

/**
 * What the customer paid and you don't earn, or the amount of a fee. Empty in another currency than that of the
 * account, and for an affiliate, whose difference is the share of the vendor.
 */
function feesOf(order: Row): Value {
  const paid = cellText(order.totalOrderAmount);
  if (paid === '') return undefined;
  if (kindOf(order.transactionType) === 'fee') return numeral(negated(paid));
  const earned = youEarn(order);
  const isShared = order.currency !== accountCurrency || order.role === 'AFFILIATE';
  return earned === undefined || isShared ? undefined : numeral(sumOf([paid, negated(earned)]));
}
