/** The services shipping, shipping2 and shipping3 (section 4.6 of the specification). */
import { addDays } from '../../dates/day.ts';
import { shipping, shipping2, shipping3 } from '../../operations/shipping.ts';
import { assertFacts, readDays } from '../request/arguments.ts';
import type { Call, Context, Handlers, Page, State } from '../request/handlers.ts';
import {
  countShipments,
  findParcels,
  findShipments,
  type Shipment,
  type ShipmentFilter,
} from '../store/orders/shipment.ts';
import { findLineItems, type LineItem } from '../store/orders/transaction.ts';
import { itemRow, physicalLines, shipmentRow } from './shipment-row.ts';

const DEFAULT_DAYS = 30;
/** Keeps the first day within the range of dates. */
const MOST_DAYS = 36_500;

type SearchCall = Call<typeof shipping.list.params>;
type Per = ShipmentFilter['per'];

/** Dates take precedence over days; a single date leaves the other end open. */
function periodOf(search: SearchCall['args'], today: string) {
  const { days = DEFAULT_DAYS, startDate, endDate } = search;
  const isOpen = startDate === undefined && endDate === undefined;
  const since = addDays(today, -Math.min(days, MOST_DAYS));
  return readDays(isOpen ? { startDate: since } : { startDate, endDate });
}

/** Without a status, finds both shipped and other orders; this is not documented. */
function filterOf(search: SearchCall['args'], per: Per, context: Context): ShipmentFilter {
  assertFacts(shipping.list.params, search);
  const { receipt, status = 'all' } = search;
  const { accounts } = context.caller;
  if (receipt !== undefined) return { accounts, per, receipt };
  const shipped = status === 'all' ? undefined : status === 'shipped';
  return { accounts, per, shipped, ...periodOf(search, context.today) };
}

type ToRow<Row> = (payment: Shipment, items: readonly LineItem[]) => readonly Row[];

function handlersOf<Row>(per: Per, toRow: ToRow<Row>) {
  return {
    list({ db }: State, { args, page }: SearchCall, context: Context): Page<readonly Row[]> {
      const parcels = findParcels(db, filterOf(args, per, context), page);
      const payments = findShipments(
        db,
        parcels.rows.map(({ txnId }) => txnId),
      );
      const lines = findLineItems(
        db,
        [...payments.values()].map(({ purchaseId }) => purchaseId),
      );
      const content = parcels.rows.flatMap(({ txnId, lineItemId }) => {
        const payment = payments.get(txnId);
        if (!payment) return [];
        const items = physicalLines(payment, lines.get(payment.purchaseId) ?? []);
        const isIncluded = (item: LineItem) => per === 'order' || item.id === lineItemId;
        return toRow(payment, items.filter(isIncluded));
      });
      return { content, more: parcels.more };
    },
    count: ({ db }: State, { args }: SearchCall, context: Context) =>
      countShipments(db, filterOf(args, per, context)),
  };
}

export const shippingHandlers: Handlers<typeof shipping> = {
  ...handlersOf('item', (payment, items) => items.map((item) => itemRow(payment, item))),
  schema: () => shipping.list.returns.resource,
};

export const shipping2Handlers: Handlers<typeof shipping2> = {
  ...handlersOf('order', (payment, items) => [shipmentRow(payment, items)]),
  schema: () => shipping2.list.returns.resource,
};

export const shipping3Handlers: Handlers<typeof shipping3> = {
  ...handlersOf('order', (payment, items) => [shipmentRow(payment, items)]),
  schema: () => shipping3.list.returns.resource,
};
