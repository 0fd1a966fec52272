/**
 * The tables of tickets and their logs, which schema.ts includes. Types and states are stored with the
 * values of responses. A ticket refers to a payment (txn), and to one line or the whole of a cart.
 */
export const TICKET_TABLES = `
CREATE TABLE ticket (
  id INTEGER PRIMARY KEY,
  txn_id INTEGER NOT NULL REFERENCES txn,
  purchase_id INTEGER NOT NULL REFERENCES purchase,
  line_item_id INTEGER REFERENCES line_item,
  receipt TEXT NOT NULL,
  vendor TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('REFUND', 'CANCEL', 'TECH_SUPPORT')),
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'REOPENED', 'CLOSED')),
  reason TEXT NOT NULL,
  source TEXT,
  opened INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  closed INTEGER,
  -- When the ticket closes and its pending refund completes; null while a return is awaited.
  settles INTEGER,
  refund_type TEXT,
  -- The pending or completed refund in the customer's currency.
  refund_cents INTEGER,
  refund_state TEXT CHECK (refund_state IN ('PENDING', 'DONE')),
  retain_subscription INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE ticket_comment (
  id INTEGER PRIMARY KEY,
  ticket_id INTEGER NOT NULL REFERENCES ticket,
  time INTEGER NOT NULL,
  action TEXT NOT NULL,
  role TEXT NOT NULL,
  comment TEXT
) STRICT;

-- Vendors that are enabled for partial refunds.
CREATE TABLE partial_refund_vendor (
  vendor TEXT PRIMARY KEY REFERENCES account
) STRICT, WITHOUT ROWID;

CREATE INDEX ticket_opened ON ticket (opened);
CREATE INDEX ticket_purchase ON ticket (purchase_id);
CREATE INDEX ticket_settles ON ticket (settles) WHERE settles IS NOT NULL;
CREATE UNIQUE INDEX ticket_pending ON ticket (txn_id) WHERE refund_state = 'PENDING';
CREATE INDEX ticket_comment_ticket ON ticket_comment (ticket_id);
`;
