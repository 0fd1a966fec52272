/** The tables of instant notifications, which schema.ts includes. */
export const NOTIFICATION_TABLES = `
CREATE TABLE ins_url (
  id INTEGER PRIMARY KEY,
  url TEXT NOT NULL UNIQUE,
  secret TEXT NOT NULL,
  version INTEGER NOT NULL,
  -- The sandbox that sends to this URL at the moment, as JSON, and until when in real milliseconds.
  sender TEXT,
  sender_until INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One event: its JSON without version and attemptCount, as in version 6 and in later ones, and the fields that only
-- version 8 has.
CREATE TABLE notification (
  id INTEGER PRIMARY KEY,
  time INTEGER NOT NULL,
  type TEXT NOT NULL,
  receipt TEXT NOT NULL,
  purchase_id INTEGER REFERENCES purchase,
  body6 TEXT NOT NULL,
  body TEXT NOT NULL,
  tracking TEXT NOT NULL
) STRICT;

-- One event for one URL. Without next_at, it was delivered or is lost.
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY,
  notification_id INTEGER NOT NULL REFERENCES notification ON DELETE CASCADE,
  url_id INTEGER NOT NULL REFERENCES ins_url ON DELETE CASCADE,
  attempts INTEGER NOT NULL DEFAULT 0,
  most_attempts INTEGER NOT NULL,
  next_at INTEGER,
  delivered INTEGER NOT NULL DEFAULT 0,
  -- Whether a fault has already delayed it or changed its order.
  held INTEGER NOT NULL DEFAULT 0
) STRICT;

-- One request. The body as sent follows from the event, the URL, the number, the fault and the IV.
CREATE TABLE delivery_attempt (
  id INTEGER PRIMARY KEY,
  delivery_id INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
  number INTEGER NOT NULL,
  time INTEGER NOT NULL,
  iv TEXT NOT NULL,
  -- Of the response; null without one.
  status INTEGER,
  error TEXT,
  fault TEXT
) STRICT;

CREATE INDEX delivery_due ON delivery (url_id, next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX delivery_notification ON delivery (notification_id);
CREATE INDEX delivery_attempt_delivery ON delivery_attempt (delivery_id);
`;
