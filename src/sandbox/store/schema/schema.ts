import { BILLING_TABLES } from './billing-tables.ts';
import { NOTICE_TABLES } from './notice-tables.ts';
import { PRODUCT_TABLES } from './product-tables.ts';
import { TICKET_TABLES } from './ticket-tables.ts';
import { TRAFFIC_TABLES } from './traffic-tables.ts';

/** The tables of the sandbox. Money is whole cents, instants are seconds since 1970, flags are 0 or 1. */

/** Grows with every change of the tables or of the seed: a store of another version is rebuilt. */
export const SCHEMA_VERSION = 6;

/** Marks a SQLite file as a sandbox's, so that no other file is ever taken for one and emptied. */
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

-- One receipt: who bought, from whom. Its money is in txn.
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

-- What was bought. A product change adds a line that replaces the subscription's former one.
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

-- The billing agreement of a recurring line item, kept under the line it was sold as.
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

-- One row is one row of the orders list. Without line_item_id it concerns every line of the purchase.
-- Amounts that go back to the customer are negative. vendor and affiliate stand here too, because
-- every search and every statistic asks for them.
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
  -- The transaction that this one gives back, whole or in part; and what happened to a whole one.
  reverses INTEGER REFERENCES txn,
  reversed TEXT,
  -- Every field that may be nil is answered as nil.
  bare INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX purchase_receipt ON purchase (receipt);
CREATE INDEX purchase_upsell ON purchase (upsell_of) WHERE upsell_of IS NOT NULL;
CREATE INDEX line_item_purchase ON line_item (purchase_id);
CREATE INDEX subscription_next ON subscription (next_payment) WHERE next_payment IS NOT NULL;
CREATE INDEX txn_time ON txn (time);
CREATE INDEX txn_purchase ON txn (purchase_id);
CREATE INDEX txn_receipt ON txn (receipt);
CREATE INDEX txn_reverses ON txn (reverses) WHERE reverses IS NOT NULL;
`;

const STATEMENTS = [
  CORE_TABLES,
  BILLING_TABLES,
  PRODUCT_TABLES,
  TICKET_TABLES,
  NOTICE_TABLES,
  TRAFFIC_TABLES,
].flatMap((text) => text.split(/(?<=;)\n/).filter((statement) => statement.trim() !== ''));

const isIndex = (statement: string) => /^CREATE (UNIQUE )?INDEX/m.test(statement);

export const TABLES = STATEMENTS.filter((statement) => !isIndex(statement)).join('\n');

/** One statement each; run after seeding, since a million rows go in faster without indexes. */
export const INDEXES = STATEMENTS.filter(isIndex);
