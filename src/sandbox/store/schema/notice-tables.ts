/** Ship notices, joined into the schema by schema.ts: one is about one item of one payment. */
export const NOTICE_TABLES = `
CREATE TABLE ship_notice (
  id INTEGER PRIMARY KEY,
  txn_id INTEGER NOT NULL REFERENCES txn,
  line_item_id INTEGER NOT NULL REFERENCES line_item,
  -- The midnight at which the Pacific day of shipping begins.
  ship_date INTEGER NOT NULL,
  carrier TEXT NOT NULL,
  tracking TEXT,
  comments TEXT,
  -- Name and address of that moment: either may change later.
  shipped_to TEXT
) STRICT;

CREATE INDEX ship_notice_txn ON ship_notice (txn_id, line_item_id);
`;
