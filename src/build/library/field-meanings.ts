/** What the fields of rows mean: the tables of the copy say it of their columns, most of which are one field each. */
import { sources } from '../../workflows/sync/tables/sources.ts';
import type { ServiceRow, Table } from '../../workflows/sync/tables/table.ts';

/** The tables by the name of their rows in the library. */
const tables: Readonly<Record<string, string>> = {
  Order: 'orders',
  OrderLineItemData: 'order_items',
  Ticket: 'tickets',
  TicketComments: 'ticket_comments',
  Product: 'products',
  Subscription: 'subscriptions',
  SubscriptionTrend: 'subscription_days',
  Shipment: 'shipments',
  Shipment2: 'shipments',
  ShipmentLineItemShipData: 'shipment_items',
  ShipNotice: 'ship_notices',
  ShipNotice1: 'ship_notices',
};

/** Returns one sentence by field, without a period. */
export function fieldMeanings(rows: string): ReadonlyMap<string, string> {
  const found = sources
    .flatMap((source) => source.tables)
    .find(({ name }) => name === tables[rows]);
  return new Map(found ? meaningsIn(found) : []);
}

/** A row whose fields contain their own names shows which field a column is, unless the column changes it. */
const mark = 'Field ';
const names: ServiceRow = new Proxy({}, { get: (_, name) => `${mark}${String(name)}` });

function meaningsIn({ columns, items }: Table): [field: string, comment: string][] {
  const facts = { item: names, row: items ? {} : names, position: 0, id: '', day: '' };
  return columns.flatMap(({ from, comment }): [string, string][] => {
    try {
      const field = from(facts);
      if (typeof field !== 'string' || !field.startsWith(mark)) return [];
      return [[field.slice(mark.length), comment]];
    } catch {
      // Computed from the text of a field.
      return [];
    }
  });
}
