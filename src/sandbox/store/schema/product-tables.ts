/** The tables of products, which schema.ts includes. */
export const PRODUCT_TABLES = `
CREATE TABLE product (
  id INTEGER PRIMARY KEY,
  site TEXT NOT NULL REFERENCES account,
  sku TEXT NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  language TEXT NOT NULL,
  currency TEXT NOT NULL,
  price INTEGER NOT NULL,
  rebill_price INTEGER,
  frequency TEXT,
  duration INTEGER,
  trial_days INTEGER,
  digital INTEGER NOT NULL,
  physical INTEGER NOT NULL,
  digital_recurring INTEGER NOT NULL,
  physical_recurring INTEGER NOT NULL,
  -- JSON: a list of texts; the first one represents the product in statistics.
  categories TEXT NOT NULL,
  category TEXT AS (categories ->> 0),
  -- Percent.
  purchase_commission REAL NOT NULL,
  rebill_commission REAL,
  thank_you_page TEXT,
  mobile_thank_you_page TEXT,
  pitch_page TEXT,
  mobile_pitch_page TEXT,
  image INTEGER,
  shipping_profile TEXT,
  sale_refund_days INTEGER,
  rebill_refund_days INTEGER,
  delivery_method TEXT,
  delivery_speed TEXT,
  notification_override INTEGER,
  notification_lead_days INTEGER,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  -- Deleted products remain, since orders refer to them, but are no longer found.
  deleted INTEGER,
  UNIQUE (site, sku)
) STRICT;

CREATE TABLE image (
  id INTEGER PRIMARY KEY,
  site TEXT NOT NULL REFERENCES account,
  title TEXT,
  type TEXT NOT NULL CHECK (type IN ('PRODUCT', 'BANNER', 'BANNER_BG')),
  approved INTEGER NOT NULL
) STRICT;
`;
