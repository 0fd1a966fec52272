import { NOTIFICATION_TABLES } from './notification-tables.ts';
import { PRODUCT_TABLES } from './product-tables.ts';
import { TICKET_TABLES } from './ticket-tables.ts';

/** The tables of the sandbox. Amounts are whole cents, instants are seconds since 1970, flags are 0 or 1. */

/** Increase it with every change to the tables or the seed: a store of another version is rebuilt. */
export const SCHEMA_VERSION = 8;

/** Identifies a SQLite file as a sandbox's, so that other files are never rebuilt. */
export const APPLICATION_ID = 0x63625342;

const CORE_TABLES = `
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  nickname TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('VENDOR', 'AFFILIATE'))
) STRICT, WITHOUT ROWID;

-- One receipt: customer and vendor. Its amounts are in txn.
CREATE TABLE purchase (
  id INTEGER PRIMARY KEY,
  receipt TEXT NOT NULL,
  upsell_of INTEGER REFERENCES purchase,
  vendor TEXT NOT NULL,
  affiliate TEXT,
  tracking_id TEXT,
  payment_method TEXT,
  currency TEXT NOT NULL,
  language TEXT,
  first_name TEXT,
  last_name TEXT,
  full_name TEXT,
  email TEXT,
  phone TEXT,
  address1 TEXT,
  address2 TEXT,
  city TEXT,
  county TEXT,
  state TEXT,
  country TEXT,
  postal_code TEXT,
  declined_consent INTEGER,
  contact_info TEXT NOT NULL DEFAULT '[]',
  vendor_variables TEXT NOT NULL DEFAULT '[]',
  common_tracking TEXT,
  affiliate_tracking TEXT
) STRICT;

-- A purchased item. A product change adds a line that replaces the subscription's former one.
CREATE TABLE line_item (
  id INTEGER PRIMARY KEY,
  purchase_id INTEGER NOT NULL REFERENCES purchase,
  replaces INTEGER REFERENCES line_item,
  product_id INTEGER NOT NULL REFERENCES product,
  item_no TEXT NOT NULL,
  title TEXT,
  recurring INTEGER NOT NULL,
  shippable INTEGER NOT NULL,
  customer_cents INTEGER NOT NULL,
  vendor_cents INTEGER NOT NULL,
  affiliate_cents INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  type TEXT NOT NULL,
  refunds_blocked INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The billing agreement of a recurring line item, identified by its original line.
CREATE TABLE subscription (
  line_item_id INTEGER PRIMARY KEY REFERENCES line_item,
  current_item_id INTEGER NOT NULL REFERENCES line_item,
  affiliate TEXT,
  frequency TEXT NOT NULL,
  anchor_day INTEGER NOT NULL,
  rebill_cents INTEGER NOT NULL,
  processed INTEGER NOT NULL,
  future INTEGER NOT NULL,
  next_payment INTEGER,
  status TEXT NOT NULL,
  canceled INTEGER,
  ended INTEGER
) STRICT;

-- One row of the orders list. Without line_item_id, it concerns every line of the purchase.
-- Amounts refunded to the customer are negative. vendor and affiliate are repeated here because
-- every search and every statistic needs them.
CREATE TABLE txn (
  id INTEGER PRIMARY KEY,
  purchase_id INTEGER NOT NULL REFERENCES purchase,
  line_item_id INTEGER REFERENCES line_item,
  receipt TEXT NOT NULL,
  type TEXT NOT NULL,
  time INTEGER NOT NULL,
  total_cents INTEGER NOT NULL,
  shipping_cents INTEGER NOT NULL,
  tax_cents INTEGER NOT NULL,
  vendor_cents INTEGER NOT NULL,
  affiliate_cents INTEGER NOT NULL,
  vendor TEXT NOT NULL,
  affiliate TEXT,
  -- The transaction that this one reverses, fully or partly; and the type of a full reversal.
  reverses INTEGER REFERENCES txn,
  reversed TEXT
) STRICT;

-- A failed rebill: when it is retried (at) and when it was first due. Without a row, the next
-- payment of a subscription is a first attempt.
CREATE TABLE billing_retry (
  line_item_id INTEGER PRIMARY KEY REFERENCES subscription,
  failures INTEGER NOT NULL,
  at INTEGER NOT NULL,
  due INTEGER NOT NULL
) STRICT;

-- A future action of a customer. A refund or chargeback concerns the latest payment of the purchase at that time.
CREATE TABLE customer_event (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('REFUND', 'CHARGEBACK', 'CANCEL')),
  purchase_id INTEGER NOT NULL REFERENCES purchase
) STRICT;

-- A former line of a subscription before a product change: its end, and its affiliate.
CREATE TABLE former_item (
  sold_as INTEGER NOT NULL REFERENCES subscription,
  line_item_id INTEGER NOT NULL REFERENCES line_item,
  affiliate TEXT,
  until INTEGER NOT NULL,
  PRIMARY KEY (sold_as, line_item_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX customer_event_at ON customer_event (at);

-- A notice for one item of one payment.
CREATE TABLE ship_notice (
  id INTEGER PRIMARY KEY,
  txn_id INTEGER NOT NULL REFERENCES txn,
  line_item_id INTEGER NOT NULL REFERENCES line_item,
  -- Midnight at the start of the Pacific day of shipping.
  ship_date INTEGER NOT NULL,
  carrier TEXT NOT NULL,
  tracking TEXT,
  comments TEXT,
  -- Name and address at that time, since either may change later.
  shipped_to TEXT
) STRICT;

CREATE INDEX ship_notice_txn ON ship_notice (txn_id, line_item_id);

-- Visits around the time of a sale: clicks of an affiliate's link (hops), order forms shown
-- (impressions), order forms submitted (submissions). A further item of the same form has its own
-- row, without hops and with main = 0: it only counts when figures are grouped by product.
CREATE TABLE traffic (
  time INTEGER NOT NULL,
  vendor TEXT NOT NULL,
  affiliate TEXT,
  tracking_id TEXT,
  currency TEXT NOT NULL,
  language TEXT,
  country TEXT,
  state TEXT,
  product_id INTEGER NOT NULL REFERENCES product,
  main INTEGER NOT NULL,
  hops INTEGER NOT NULL,
  impressions INTEGER NOT NULL,
  submissions INTEGER NOT NULL
) STRICT;

-- The marketplace category of a vendor.
CREATE TABLE vendor_category (
  vendor TEXT PRIMARY KEY REFERENCES account,
  category TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX traffic_time ON traffic (time);

CREATE UNIQUE INDEX purchase_receipt ON purchase (receipt);
CREATE INDEX purchase_upsell ON purchase (upsell_of) WHERE upsell_of IS NOT NULL;
CREATE INDEX line_item_purchase ON line_item (purchase_id);
CREATE INDEX subscription_next ON subscription (next_payment) WHERE next_payment IS NOT NULL;
CREATE INDEX txn_time ON txn (time);
CREATE INDEX txn_purchase ON txn (purchase_id);
CREATE INDEX txn_receipt ON txn (receipt);
CREATE INDEX txn_reverses ON txn (reverses) WHERE reverses IS NOT NULL;
`;

const STATEMENTS = [CORE_TABLES, PRODUCT_TABLES, TICKET_TABLES, NOTIFICATION_TABLES].flatMap(
  (text) => text.split(/(?<=;)\n/).filter((statement) => statement.trim() !== ''),
);

const isIndex = (statement: string) => /^CREATE (UNIQUE )?INDEX/m.test(statement);

export const TABLES = STATEMENTS.filter((statement) => !isIndex(statement)).join('\n');

/** One statement each, run after seeding, since bulk inserts are faster without indexes. */
export const INDEXES = STATEMENTS.filter(isIndex);
