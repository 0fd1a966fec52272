/** Which field of the service each column holds, written apart from the code of the sync. */
import type { Json } from './service.ts';

export interface TableFacts {
  /** The columns that together identify a row, or the position in its parent. */
  readonly idOf: (row: Json) => string;
  /** Columns whose field does not follow from their name; a dot enters an object. */
  readonly fields: Readonly<Record<string, string>>;
  /** Values of columns that are computed from several fields. */
  readonly computed?: (row: Json) => Json;
  /** The field with the time of the row; its Pacific day is in the column `day` or `…_day`. */
  readonly time?: string;
  readonly children?: ChildFacts;
}

export interface ChildFacts {
  readonly table: string;
  /** The field with its elements. */
  readonly list: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The column that names the row of the parent. */
  readonly parent: string;
  /** Values of columns that are computed; `index` is that of the element. */
  readonly computed?: (row: Json, index: number) => Json;
}

/** Times of orders are in Pacific time. */
function monthOf({ transactionTime }: Json): string {
  return `${String(transactionTime).slice(0, 7)}-01`;
}

function itemsOf({ lineItemData }: Json): readonly Json[] {
  return Array.isArray(lineItemData) ? lineItemData : [];
}

function sameSku(one: Json, other: Json | undefined): boolean {
  return one.itemNo === other?.itemNo;
}

/** Exact in cents; null if no item has an amount. */
function earned(row: Json): number | null {
  const amounts = itemsOf(row).flatMap(({ accountAmount }) => accountAmount ?? []);
  if (amounts.length === 0) return null;
  return amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0) / 100;
}

const customer = { first_name: 'customerFirstName', last_name: 'customerLastName' };

export const tableFacts: Readonly<Record<string, TableFacts>> = {
  orders: {
    idOf: (row) => [row.receipt, row.transactionType, row.transactionTime, row.role].join(' '),
    fields: { payment_method: 'paytmentMethod' },
    computed: (row) => ({
      transaction_month: monthOf(row),
      customer: typeof row.email === 'string' ? row.email.toLowerCase() : null,
      account_amount: earned(row),
    }),
    time: 'transactionTime',
    children: {
      table: 'order_items',
      list: 'lineItemData',
      parent: 'transaction_id',
      fields: { next_payment_time: 'nextPaymentDate' },
      computed: (row, index) => ({
        transaction_month: monthOf(row),
        first_of_product:
          itemsOf(row).findIndex((one) => sameSku(one, itemsOf(row)[index])) === index,
      }),
    },
  },
  tickets: {
    idOf: (row) => String(row.ticketid),
    fields: {
      ...customer,
      ticket_id: 'ticketid',
      opened_time: 'openedDate',
      updated_time: 'updateTime',
      closed_time: 'closedDate',
      expiration_time: 'expirationDate',
    },
    time: 'openedDate',
    children: {
      table: 'ticket_comments',
      list: 'comments',
      parent: 'ticket_id',
      fields: { ticket_id: 'ticketid', opened_day: 'openedDate', comment_time: 'date' },
    },
  },
  products: {
    idOf: (row) => String(row.id),
    fields: {
      product_id: 'id',
      approval_status: 'approval_status.status',
      purchase_commission: 'commission.purchase',
      rebill_commission: 'commission.rebill',
      sale_refund_days_limit: 'sale_refund_days_limit',
      rebill_refund_days_limit: 'rebill_refund_days_limit',
      pitch_page: 'pitch_pages.desktop',
      thank_you_page: 'thank_you_pages.desktop',
    },
    children: {
      table: 'product_prices',
      list: 'pricings.pricing',
      parent: 'product_id',
      fields: {
        product_id: 'id',
        price: 'standard.price.native_price',
        price_usd: 'standard.price.usd',
        recurring_price: 'recurring.price.native_price',
        recurring_price_usd: 'recurring.price.usd',
        frequency: 'recurring.frequency',
        frequency_value: 'recurring.frequencyValue',
        duration: 'recurring.duration',
        trial_days: 'recurring.trial_days',
        shipping_profile: 'physical.shipping_profile',
      },
    },
  },
  quickstats: {
    idOf: (row) => `${row.nickName} ${row.quickStatDate}`,
    fields: { nickname: 'nickName' },
    time: 'quickStatDate',
  },
  shipments: {
    idOf: (row) => String(row.receipt),
    fields: {},
    time: 'transactionTime',
    children: { table: 'shipment_items', list: 'lineItemShipData', parent: 'receipt', fields: {} },
  },
  ship_notices: {
    idOf: (row) => `${row.receipt} ${row.position}`,
    fields: { ship_time: 'shipDate' },
    time: 'transactionTime',
  },
  subscriptions: {
    idOf: (row) => [row.receipt, row.itemNo, row.role].join(' '),
    fields: {
      ...customer,
      vendor: 'pubNickName',
      affiliate: 'affNickName',
      currency: 'currencyCode',
      purchase_time: 'purchaseDate',
      next_payment_time: 'nextPaymentDate',
      cancel_time: 'subCancelDate',
      end_time: 'subEndDate',
      processed_payments: 'processedPaymentsCount',
      future_payments: 'futurePaymentsCount',
      value: 'subValue',
      country: 'countryCode',
      display_name: 'customerDisplayName',
    },
  },
};

/** Columns of ours that hold no field of the service. */
export const ownColumns = new Set([
  ...['account', 'raw', 'synced_at', 'position', 'transaction_id', 'subscription_id'],
  // Computed for views, and tested with them.
  ...['start_day', 'stop_day', 'mrr', 'payment_months'],
]);

/** `total_order_amount` is `totalOrderAmount`. */
export function camelCase(column: string): string {
  return column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function valueAt(row: Json, path: string): unknown {
  let found: unknown = row;
  for (const name of path.split('.')) {
    found = typeof found === 'object' && found !== null ? (found as Json)[name] : undefined;
  }
  return found ?? null;
}
