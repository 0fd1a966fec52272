/**
 * What the clock carries out later, joined into the schema by schema.ts.
 *
 * billing_retry: a rebill that failed, when it is tried again, and when it was first due. Without a
 * row the next payment of a subscription is a first try.
 *
 * customer_event: what a customer does without being asked. A REFUND or a CHARGEBACK concerns the
 * latest payment of the purchase at that time.
 *
 * former_item: a line that a subscription was before a product change: until when, and who had referred it.
 */
export const BILLING_TABLES = `
CREATE TABLE billing_retry (
  line_item_id INTEGER PRIMARY KEY REFERENCES subscription,
  failures INTEGER NOT NULL,
  at INTEGER NOT NULL,
  due INTEGER NOT NULL
) STRICT;

CREATE TABLE customer_event (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('REFUND', 'CHARGEBACK', 'CANCEL')),
  purchase_id INTEGER NOT NULL REFERENCES purchase
) STRICT;

CREATE TABLE former_item (
  sold_as INTEGER NOT NULL REFERENCES subscription,
  line_item_id INTEGER NOT NULL REFERENCES line_item,
  affiliate TEXT,
  until INTEGER NOT NULL,
  PRIMARY KEY (sold_as, line_item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX customer_event_at ON customer_event (at);
`;
