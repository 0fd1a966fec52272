/**
 * A rebill that failed: when it is tried again, and the instant at which it was due. Without a row
 * the next payment of a subscription is a first try.
 */
export const BILLING_TABLES = `
CREATE TABLE billing_retry (
  line_item_id INTEGER PRIMARY KEY REFERENCES subscription,
  failures INTEGER NOT NULL,
  at INTEGER NOT NULL,
  due INTEGER NOT NULL
) STRICT;
`;
