/** Transactions as rows of tools. */
import { lineItem, order } from '../../operations/orders.ts';
import { youEarn } from '../../workflows/earnings/transaction.ts';
import { pick, present, type ToolRow } from '../rows/pick.ts';
import { listOf, rowOf, type Schema, text } from '../rows/schemas.ts';

/** The fields of a transaction that most questions need. */
const orderFields = [
  ...(['receipt', 'transactionTime', 'transactionType', 'totalOrderAmount', 'currency'] as const),
  ...(['fullName', 'email', 'country', 'vendor', 'affiliate', 'trackingId', 'role'] as const),
] as const;

/** Those that a customer or an affiliate wrote. */
export const orderTexts = ['fullName', 'email', 'trackingId'] as const;

const lineFields = ['itemNo', 'productTitle', 'quantity', 'status'] as const;

/** The columns for clients that show only text. */
export const orderColumns = [...orderFields, 'youEarnUsd', 'items'];

/** `youEarnUsd` is the share of the account in the transaction. */
export const orderSchema: Schema = {
  ...rowOf(order, orderFields),
  properties: {
    ...rowOf(order, orderFields).properties,
    youEarnUsd: text(),
    items: listOf(rowOf(lineItem, lineFields)),
  },
};

export function orderRow(row: object): ToolRow {
  const { lineItemData } = row as { lineItemData?: readonly object[] | null };
  const items = (lineItemData ?? []).map((one) => pick(lineItem, lineFields, one));
  return present({
    ...pick(order, orderFields, row),
    youEarnUsd: youEarn({ lineItemData }),
    items,
  });
}
