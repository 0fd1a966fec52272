/** How orders are shown to people: what the customer paid, what you earn, and the products. */
import { LosslessNumber } from 'lossless-json';
import { negated } from '../../../decimals/decimals.ts';
import { orders } from '../../../operations/orders.ts';
import type { DerivedField, Row, TableColumns, Value } from '../../../output/rows/rows.ts';
import {
  accountCurrency,
  customerPaid,
  isPaidBack,
  kindOf,
  type TransactionKind,
  youEarn,
} from '../../../workflows/earnings/transaction.ts';
import { amountText, digitsOf, firstAndCount, itemsOf } from '../../display/texts.ts';
import type { SummedAmount, View } from '../../display/view.ts';

/** What the account earns by a row; by the item if the items are expanded. */
function earned(row: Row): string | undefined {
  return youEarn({ lineItemData: itemsOf(row.lineItemData) });
}

/** A fee is paid by you. ClickBank does not tell how much that is in the currency of the account. */
export const isFee = isKind('fee');

function isKind(kind: TransactionKind): (row: Row) => boolean {
  return ({ transactionType }) => kindOf(transactionType) === kind;
}

/** What the customer paid for the row; for the item, without tax and shipping, if the items are expanded. */
function paid(row: Row): Value {
  const { lineItemData } = row;
  const isExpanded = lineItemData !== undefined && !Array.isArray(lineItemData);
  if (isExpanded && !isFee(row)) return itemsOf(lineItemData)[0]?.customerAmount;
  return customerPaid(row);
}

function productsOf({ lineItemData }: Row): string | undefined {
  return firstAndCount(itemsOf(lineItemData).map((item) => item.productTitle ?? item.itemNo));
}

export const orderFields = {
  customerPaid: {
    kind: 'text',
    isAmount: true,
    card: { at: 'totalOrderAmount' },
    replaces: 'lineItemData.customerAmount',
    from: (row) => amountText(paid(row), row.currency),
    order: paid,
  },
  youEarn: {
    kind: 'decimal',
    card: { at: 'totalOrderAmount', unit: accountCurrency },
    replaces: 'lineItemData.accountAmount',
    from: (row) => {
      const sum = earned(row);
      return sum === undefined ? undefined : new LosslessNumber(sum);
    },
  },
  product: {
    kind: 'text',
    least: 8,
    replaces: 'lineItemData.productTitle',
    from: (row) =>
      isFee(row) ? `Fee ${amountText(row.totalOrderAmount, row.currency) ?? ''}` : productsOf(row),
  },
} as const satisfies Readonly<Record<string, DerivedField>>;

const aboutSale = ['fullName', 'affiliate', 'vendor', 'country', 'email', 'trackingId'];

const sold = {
  shown: [
    ...['transactionTime', 'receipt', 'transactionType', 'product', 'customerPaid', 'youEarn'],
    ...aboutSale,
  ],
  needed: [
    ...['receipt', 'customerPaid', 'youEarn', 'transactionTime', 'transactionType', 'product'],
  ],
  wanted: aboutSale.slice(0, 2),
  more: aboutSale.slice(2),
};

const aboutReferral = ['vendor', 'trackingId', 'country', 'affiliate'];

/** An affiliate sees first what is his; ClickBank does not tell him who the customers are. */
const referred = {
  shown: [
    ...['transactionTime', 'receipt', 'transactionType', 'product', 'youEarn', 'customerPaid'],
    ...aboutReferral,
  ],
  needed: [
    ...['receipt', 'youEarn', 'customerPaid', 'transactionTime', 'transactionType', 'product'],
  ],
  wanted: aboutReferral.slice(0, 2),
  more: aboutReferral.slice(2),
};

function columns(rows: readonly Row[]): TableColumns {
  const isReferred = rows.length > 0 && rows.every(({ role }) => role === 'AFFILIATE');
  return isReferred ? referred : sold;
}

const isReturned = ({ transactionType }: Row) => isPaidBack(kindOf(transactionType));

function customerCurrency({ currency }: Row): string {
  return String(currency ?? '');
}

/** An account with several roles in a transaction has a row for each role. */
function transactionIdentity(row: Row): string {
  const { receipt, transactionType, transactionTime, totalOrderAmount } = row;
  return [receipt, transactionType, transactionTime, String(totalOrderAmount)].join(' ');
}

const ofCustomer = {
  currency: customerCurrency,
  undisputed: accountCurrency,
  identity: transactionIdentity,
};

export const orderSums: readonly SummedAmount[] = [
  { label: 'you earn', amount: earned, currency: () => accountCurrency },
  {
    ...{ label: 'customers paid', ...ofCustomer },
    amount: (row) => (isReturned(row) ? undefined : digitsOf(customerPaid(row))),
  },
  {
    ...{ label: 'paid back', ...ofCustomer },
    amount: (row) => {
      const digits = isReturned(row) ? digitsOf(customerPaid(row)) : undefined;
      return digits === undefined ? undefined : negated(digits);
    },
  },
];

export const orderView: View = {
  resource: orders.list.returns.resource,
  derived: orderFields,
  columns,
  sums: orderSums,
  unsummed: [
    { noun: 'fee', is: isFee },
    { noun: 'test transaction', is: isKind('test') },
  ],
  subtracted: [
    { noun: 'refund', is: isKind('refund') },
    { noun: 'chargeback', is: isKind('chargeback') },
  ],
};
