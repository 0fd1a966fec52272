/** Writes subscriptions. A subscription is identified by its original line item. */
import type { Database } from '../../../storage/sqlite.ts';
import { insertRow, type NewRow, updateRow } from '../statements.ts';
import type { LineItem } from './transaction.ts';

interface SubscriptionChange {
  readonly status?: string;
  readonly nextPayment?: number;
  readonly anchorDay?: number;
  readonly future?: number;
  readonly canceled?: null;
  readonly ended?: null;
}

export function updateSubscription(db: Database, soldAs: number, change: SubscriptionChange): void {
  updateRow(db, ['subscription', 'line_item_id', soldAs], { ...change });
}

/** Saves a new address; undefined names keep their values. */
export function saveAddress(db: Database, purchaseId: number, address: NewRow): void {
  updateRow(db, ['purchase', 'id', purchaseId], address);
  if (address.firstName === undefined && address.lastName === undefined) return;
  db.run(
    "UPDATE purchase SET full_name = trim(concat_ws(' ', first_name, last_name)) WHERE id = ?",
    [purchaseId],
  );
}

/** The new line and terms of a subscription, valid from `now`. */
interface Replacement {
  readonly line: {
    readonly productId: number;
    readonly itemNo: string;
    readonly title: string;
    readonly shippable: number;
  };
  readonly terms: {
    readonly rebillCents: number;
    readonly frequency: string;
    readonly future: number;
    readonly nextPayment: number;
    readonly anchorDay: number;
  };
  readonly carryAffiliate: boolean;
  readonly now: number;
}

export function replaceItem(db: Database, line: LineItem, to: Replacement): void {
  const soldAs = line.soldAs ?? line.id;
  db.run(
    `INSERT INTO former_item (sold_as, line_item_id, affiliate, until)
     SELECT line_item_id, current_item_id, affiliate, ? FROM subscription WHERE line_item_id = ?`,
    [to.now, soldAs],
  );
  const currentItemId = insertRow(db, 'line_item', {
    ...to.line,
    purchaseId: line.purchaseId,
    replaces: soldAs,
    recurring: 1,
    customerCents: 0,
    vendorCents: 0,
    affiliateCents: 0,
    quantity: line.quantity,
    type: line.type,
  });
  const affiliate = to.carryAffiliate ? undefined : null;
  updateRow(db, ['subscription', 'line_item_id', soldAs], {
    ...to.terms,
    currentItemId,
    affiliate,
  });
}
