/** Who came before anybody bought, and what vendors are listed under; joined in by schema.ts. */
export const TRAFFIC_TABLES = `
-- Visits around the time of a sale: clicks of an affiliate's link (hops), order forms shown
-- (impressions), order forms sent off (submissions). A further item of the same form has a row of
-- its own, without hops and with main = 0: it only counts where figures are told apart by product.
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

-- What a vendor is listed under in the marketplace.
CREATE TABLE vendor_category (
  vendor TEXT PRIMARY KEY REFERENCES account,
  category TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX traffic_time ON traffic (time);
`;
