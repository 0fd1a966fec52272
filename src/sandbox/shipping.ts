/** The services shipping, shipping2 and shipping3 (section 4.6 of the specification). */

import { addDays } from '../dates/day.ts';
import { endOf, instantOf } from '../dates/pacific.ts';
import { shipping, shipping2, shipping3 } from '../operations/shipping.ts';
import type { Call, Context, Handlers, PageOf, State } from './handlers.ts';
import { insistFacts } from './param-facts.ts';
import { insist } from './refusal.ts';
import {
  answerShipment1,
  answerShipment2,
  answerShipment3,
  type PhysicalItem,
  physicalLines,
} from './shipment-answer.ts';
import type { Database } from './store/driver.ts';
import { findShippingProfiles } from './store/product-catalogue.ts';
import {
  countShipments,
  findParcels,
  findShipments,
  type Shipment,
  type ShipmentFilter,
} from './store/shipment.ts';
import { findLineItems } from './store/transaction.ts';

const DEFAULT_DAYS = 30;
/** More days than there are orders for would leave the calendar. */
const MOST_DAYS = 36_500;

type Search = Call<typeof shipping.list.params>['args'];
type Per = ShipmentFilter['per'];

/** Dates go before days; a single date leaves the other end open. */
function periodOf({ days = DEFAULT_DAYS, startDate, endDate }: Search, today: string) {
  const backwards = startDate !== undefined && endDate !== undefined && endDate < startDate;
  insist(!backwards, 400, 'The parameter endDate must not lie before startDate.');
  if (startDate === undefined && endDate === undefined) {
    return { from: instantOf(addDays(today, -Math.min(days, MOST_DAYS))), until: undefined };
  }
  return {
    from: startDate === undefined ? undefined : instantOf(startDate),
    until: endDate === undefined ? undefined : endOf(endDate),
  };
}

/** Without a status both shipped and other orders are found, which the documents leave open. */
function filterOf(search: Search, per: Per, { caller, today }: Context): ShipmentFilter {
  insistFacts(shipping.list.params, search);
  const { receipt, status = 'all' } = search;
  const { accounts } = caller;
  if (receipt !== undefined) return { accounts, per, receipt };
  const shipped = status === 'all' ? undefined : status === 'shipped';
  return { accounts, per, shipped, ...periodOf(search, today) };
}

interface Found {
  readonly payment: Shipment;
  /** Every physical item of the payment. */
  readonly items: readonly PhysicalItem[];
  /** Of a row an item: which. */
  readonly lineItemId: number;
}

/** The physical items of a payment, out of all lines and shipping profiles. */
function itemFinder(db: Database, payments: ReadonlyMap<number, Shipment>) {
  const lines = findLineItems(
    db,
    [...payments.values()].map(({ purchaseId }) => purchaseId),
  );
  const profiles = findShippingProfiles(
    db,
    [...lines.values()].flat().map(({ productId }) => productId),
  );
  return (payment: Shipment): PhysicalItem[] =>
    physicalLines(payment, lines.get(payment.purchaseId) ?? []).map((line) => ({
      line,
      profile: profiles.get(line.productId) ?? null,
    }));
}

function find({ db }: State, filter: ShipmentFilter, page: number): PageOf<Found> {
  const parcels = findParcels(db, filter, page);
  const payments = findShipments(
    db,
    parcels.rows.map(({ txnId }) => txnId),
  );
  const itemsOf = itemFinder(db, payments);
  const rows = parcels.rows.flatMap(({ txnId, lineItemId }): Found[] => {
    const payment = payments.get(txnId);
    return payment ? [{ payment, items: itemsOf(payment), lineItemId }] : [];
  });
  return { rows, more: parcels.more };
}

/** List and count of a generation. */
function handlersOf<Row>(per: Per, answer: (found: Found) => Row[]) {
  type SearchCall = Call<typeof shipping.list.params>;
  return {
    list(state: State, { args, page }: SearchCall, context: Context): PageOf<Row> {
      const { rows, more } = find(state, filterOf(args, per, context), page);
      return { rows: rows.flatMap(answer), more };
    },
    count: ({ db }: State, { args }: SearchCall, context: Context) =>
      countShipments(db, filterOf(args, per, context)),
  };
}

export const shippingHandlers: Handlers<typeof shipping> = {
  ...handlersOf('item', ({ payment, items, lineItemId }) =>
    items
      .filter(({ line }) => line.id === lineItemId)
      .map((item) => answerShipment1(payment, item)),
  ),
  schema: () => shipping.list.returns.resource,
};

export const shipping2Handlers: Handlers<typeof shipping2> = {
  ...handlersOf('order', ({ payment, items }) => [answerShipment2(payment, items)]),
  schema: () => shipping2.list.returns.resource,
};

export const shipping3Handlers: Handlers<typeof shipping3> = {
  ...handlersOf('order', ({ payment, items }) => [answerShipment3(payment, items)]),
  schema: () => shipping3.list.returns.resource,
};
