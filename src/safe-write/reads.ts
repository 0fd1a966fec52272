/** Reads before a write: each resource at most once, with a refusal as a result instead of an error. */
import type { Client } from '../client/client.ts';
import { ApiError } from '../client/errors.ts';
import { permissionsOf } from '../client/permissions.ts';
import { isSameId, type Reply, type Role } from '../operations/operation.ts';
import { orders } from '../operations/orders.ts';
import { products } from '../operations/products.ts';
import { tickets } from '../operations/tickets.ts';

export type Ticket = Reply<typeof tickets.get.returns>;
export type Transaction = Reply<typeof orders.get.returns>[number];
export type LineItem = NonNullable<Transaction['lineItemData']>[number];
type Product = Reply<typeof products.get.returns>;
export type Amounts = Reply<typeof tickets.refundAmounts.returns>;

export type Looked<T> =
  | { readonly state: 'found'; readonly value: T }
  /** It does not exist, or this account may not read it; `message` is the error message. */
  | { readonly state: 'refused'; readonly message: string; readonly status?: number | undefined }
  /** The key may not read it, although it may write. */
  | { readonly state: 'unreadable' };

/** A receipt with its payment. */
export interface Order {
  readonly receipt: string;
  readonly payment: Transaction;
  readonly transactions: readonly Transaction[];
}

/** How much of a payment to refund. A full refund has no amount. */
export interface RefundExtent {
  readonly receipt: string;
  readonly sku?: string | undefined;
  readonly refundType: 'FULL' | 'PARTIAL_PERCENT' | 'PARTIAL_AMOUNT';
  readonly refundAmount?: string | undefined;
}

export type Reader = ReturnType<typeof openReader>;

/** Caches its reads, so use a new one for each write. */
export function openReader(client: Client) {
  const look = lookWith(client);
  const order = async (receipt: string): Promise<Looked<Order>> => {
    // Nothing can be said about what a write does to an order that a ticket does not name.
    if (receipt === '') throw new ApiError('failed', 'The response for the ticket has no receipt.');
    const looked = await look('api_order_read', () => client.call(orders.get, { receipt }));
    if (looked.state !== 'found') return looked;
    const transactions = looked.value;
    const payment = paymentIn(transactions, receipt);
    if (payment) return { state: 'found', value: { receipt, payment, transactions } };
    return { state: 'refused', message: `Order ${receipt} does not exist.` };
  };
  /** The value is undefined if the list has no such product; a 403 for a single one may also mean too many requests. */
  const product = async (sku: string, site: string): Promise<Looked<Product | undefined>> => {
    const looked = await look('api_products_client', () =>
      client.call(products.get, { sku, site }),
    );
    if (looked.state !== 'refused') return looked;
    const listed = await look('api_products_client', () => client.call(products.list, { site }));
    if (listed.state !== 'found') return listed;
    return { state: 'found', value: listed.value.find((one) => isSameId(one.sku, sku)) };
  };
  return {
    order: remember(order),
    ticket: remember((id: string) =>
      look('api_order_read', () => client.call(tickets.get, { id })),
    ),
    amounts: remember((extent: RefundExtent) =>
      look('api_order_read', () => client.call(tickets.refundAmounts, extent)),
    ),
    product: remember(product),
  };
}

/** For a subscription, the service also lists the tickets of its rebills. */
export async function ticketsOf(client: Client, receipt: string): Promise<Ticket[]> {
  const found: Ticket[] = [];
  for await (const { rows } of client.pages(tickets.list, { receipt })) found.push(...rows);
  return found;
}

/** The payment of a receipt. A refund of it has the same receipt. */
export function paymentIn(
  transactions: readonly Transaction[],
  receipt: string,
): Transaction | undefined {
  const payments = transactions.filter((one) => /(SALE|BILL)$/.test(one.transactionType ?? ''));
  return payments.find((one) => one.receipt === receipt) ?? payments[0] ?? transactions[0];
}

/** A 403 has two meanings, which only the roles of the key distinguish. The roles are read once. */
function lookWith(client: Client) {
  const permissions = remember(() => permissionsOf(client).catch(() => 'unavailable' as const));
  const mayRead = async (role: Role) => {
    const known = await permissions();
    return typeof known !== 'string' && known.includes(role);
  };
  return async <T>(role: Role, read: () => Promise<T>): Promise<Looked<T>> => {
    try {
      return { state: 'found', value: await read() };
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'refused') throw error;
      const { status, message } = error;
      if (status === 403 && !(await mayRead(role))) return { state: 'unreadable' };
      return { state: 'refused', message, status };
    }
  };
}

function remember<A extends readonly unknown[], R>(read: (...args: A) => R): (...args: A) => R {
  const known = new Map<string, R>();
  return (...args) => {
    const name = JSON.stringify(args);
    const result = known.get(name) ?? read(...args);
    known.set(name, result);
    return result;
  };
}

/** The items affected by a write: the named one, or all if none is named or it is not listed. */
export function itemsOf({ payment }: Order, sku: string | undefined): readonly LineItem[] {
  const all = payment.lineItemData ?? [];
  const named = all.filter(({ itemNo }) => itemNo === sku);
  return sku !== undefined && named.length > 0 ? named : all;
}

/** ClickBank reinstates a subscription, and changes its date, only by the SKU with which it was sold. */
export function soldSku<S>(items: readonly LineItem[], sku: S): S | string {
  const [item, other] = items;
  return sku !== undefined && !other ? (item?.itemNo ?? sku) : sku;
}
