/**
 * The tables of the sandbox, and the types of their rows. Amounts are whole cents, instants are seconds since 1970,
 * flags are 0 or 1.
 */

/** Increase it with every change to the tables or the seed: a store of another version is rebuilt. */
export const SCHEMA_VERSION = 11;

/** Identifies a SQLite file as a sandbox's, so that other files are never rebuilt. */
export const APPLICATION_ID = 0x63625342;

/** The columns of each table; the types below follow from them. White space follows a comma only between columns. */
const tables = {
  setting: `name TEXT PRIMARY KEY, value TEXT NOT NULL`,
  // One receipt: customer and vendor. Its amounts are in txn.
  purchase: `
    id INTEGER PRIMARY KEY, receipt TEXT NOT NULL, upsell_of INTEGER REFERENCES purchase, vendor TEXT NOT NULL,
    affiliate TEXT, tracking_id TEXT, payment_method TEXT, currency TEXT NOT NULL, language TEXT, first_name TEXT,
    last_name TEXT, full_name TEXT, email TEXT, phone TEXT, address1 TEXT, address2 TEXT, city TEXT, county TEXT,
    state TEXT, country TEXT, postal_code TEXT, declined_consent INTEGER, contact_info TEXT NOT NULL DEFAULT '[]',
    vendor_variables TEXT NOT NULL DEFAULT '[]', common_tracking TEXT, affiliate_tracking TEXT`,
  // A purchased item. A product change adds a line that replaces the subscription's former one.
  line_item: `
    id INTEGER PRIMARY KEY, purchase_id INTEGER NOT NULL REFERENCES purchase, replaces INTEGER REFERENCES line_item,
    product_id INTEGER NOT NULL REFERENCES product, item_no TEXT NOT NULL, title TEXT, recurring INTEGER NOT NULL,
    shippable INTEGER NOT NULL, customer_cents INTEGER NOT NULL, vendor_cents INTEGER NOT NULL,
    affiliate_cents INTEGER NOT NULL, quantity INTEGER NOT NULL, type TEXT NOT NULL,
    refunds_blocked INTEGER NOT NULL DEFAULT 0`,
  // The billing agreement of a recurring line item, identified by its original line.
  subscription: `
    line_item_id INTEGER PRIMARY KEY REFERENCES line_item, current_item_id INTEGER NOT NULL REFERENCES line_item,
    affiliate TEXT, frequency TEXT NOT NULL, anchor_day INTEGER NOT NULL, rebill_cents INTEGER NOT NULL,
    processed INTEGER NOT NULL, future INTEGER NOT NULL, next_payment INTEGER, status TEXT NOT NULL, canceled INTEGER,
    ended INTEGER`,
  // One row of the orders list. Without line_item_id, it concerns every line of the purchase. Amounts refunded to the
  // customer are negative. vendor and affiliate are repeated here because every search and every statistic needs
  // them.
  // `reverses` is the transaction that this one reverses, fully or partly; `reversed` is the type of a full reversal.
  txn: `
    id INTEGER PRIMARY KEY, purchase_id INTEGER NOT NULL REFERENCES purchase,
    line_item_id INTEGER REFERENCES line_item, receipt TEXT NOT NULL, type TEXT NOT NULL, time INTEGER NOT NULL,
    total_cents INTEGER NOT NULL, shipping_cents INTEGER NOT NULL, tax_cents INTEGER NOT NULL,
    vendor_cents INTEGER NOT NULL, affiliate_cents INTEGER NOT NULL, vendor TEXT NOT NULL, affiliate TEXT,
    reverses INTEGER REFERENCES txn, reversed TEXT`,
  // A failed rebill: when it is retried (at) and when it was first due. Without a row, the next payment of a
  // subscription is a first attempt.
  billing_retry: `
    line_item_id INTEGER PRIMARY KEY REFERENCES subscription, failures INTEGER NOT NULL, at INTEGER NOT NULL,
    due INTEGER NOT NULL`,
  // A future action of a customer. A refund or chargeback concerns the latest payment of the purchase at that time.
  customer_event: `
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('REFUND','CHARGEBACK','CANCEL')),
    purchase_id INTEGER NOT NULL REFERENCES purchase`,
  // A former line of a subscription before a product change: its end, and its affiliate.
  former_item: `
    sold_as INTEGER NOT NULL REFERENCES subscription, line_item_id INTEGER NOT NULL REFERENCES line_item,
    affiliate TEXT, until INTEGER NOT NULL, PRIMARY KEY (sold_as,line_item_id)`,
  // A notice for one item of one payment.
  // `ship_date` is midnight at the start of the Pacific day of shipping; `shipped_to` is the name and address at that
  // time, since either may change later.
  ship_notice: `
    id INTEGER PRIMARY KEY, txn_id INTEGER NOT NULL REFERENCES txn,
    line_item_id INTEGER NOT NULL REFERENCES line_item, ship_date INTEGER NOT NULL, carrier TEXT NOT NULL,
    tracking TEXT, comments TEXT, shipped_to TEXT`,
  // Visits around the time of a sale: clicks of an affiliate's link (hops), order forms shown (impressions), order
  // forms submitted (submissions). A further item of the same form has its own row, without hops and with main = 0:
  // it only counts when figures are grouped by product.
  traffic: `
    time INTEGER NOT NULL, vendor TEXT NOT NULL, affiliate TEXT, tracking_id TEXT, currency TEXT NOT NULL,
    language TEXT, country TEXT, state TEXT, product_id INTEGER NOT NULL REFERENCES product, main INTEGER NOT NULL,
    hops INTEGER NOT NULL, impressions INTEGER NOT NULL, submissions INTEGER NOT NULL`,
  // A sku is unique within its vendor (site). `duration` is the number of rebills, 999 if unlimited, null for a
  // one-time product. `categories` is a JSON list of texts, the first of which represents the product in statistics.
  // Commissions are percentages. Deleted products remain, since orders refer to them, but are no longer found.
  product: `
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, sku TEXT NOT NULL, title TEXT NOT NULL,
    description TEXT, language TEXT NOT NULL, currency TEXT NOT NULL, price INTEGER NOT NULL, rebill_price INTEGER,
    frequency TEXT, duration INTEGER, trial_days INTEGER, digital INTEGER NOT NULL, physical INTEGER NOT NULL,
    digital_recurring INTEGER NOT NULL, physical_recurring INTEGER NOT NULL, categories TEXT NOT NULL,
    category TEXT AS (categories ->> 0), purchase_commission REAL NOT NULL, rebill_commission REAL,
    thank_you_page TEXT, mobile_thank_you_page TEXT, pitch_page TEXT, mobile_pitch_page TEXT, image INTEGER,
    shipping_profile TEXT, sale_refund_days INTEGER, rebill_refund_days INTEGER, delivery_method TEXT,
    delivery_speed TEXT, notification_override INTEGER, notification_lead_days INTEGER, created INTEGER NOT NULL,
    updated INTEGER NOT NULL, deleted INTEGER, UNIQUE (site,sku)`,
  image: `
    id INTEGER PRIMARY KEY, site TEXT NOT NULL, title TEXT,
    type TEXT NOT NULL CHECK (type IN ('PRODUCT','BANNER','BANNER_BG')), approved INTEGER NOT NULL`,
  // Types and states are stored with the values of responses. A ticket refers to a payment (txn), and to one line or
  // the whole of a cart. `settles` is when it closes and its pending refund completes; null while a return is awaited.
  // `refund_cents` is the pending or completed refund in the customer's currency.
  ticket: `
    id INTEGER PRIMARY KEY, txn_id INTEGER NOT NULL REFERENCES txn, purchase_id INTEGER NOT NULL REFERENCES purchase,
    line_item_id INTEGER REFERENCES line_item, receipt TEXT NOT NULL, vendor TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('REFUND','CANCEL','TECH_SUPPORT')),
    status TEXT NOT NULL CHECK (status IN ('OPEN','REOPENED','CLOSED')), reason TEXT NOT NULL, source TEXT,
    opened INTEGER NOT NULL, updated INTEGER NOT NULL, closed INTEGER, settles INTEGER, refund_type TEXT,
    refund_cents INTEGER, refund_state TEXT CHECK (refund_state IN ('PENDING','DONE')),
    retain_subscription INTEGER NOT NULL DEFAULT 0`,
  ticket_comment: `
    id INTEGER PRIMARY KEY, ticket_id INTEGER NOT NULL REFERENCES ticket, time INTEGER NOT NULL, action TEXT NOT NULL,
    role TEXT NOT NULL, comment TEXT`,
  // `sender` is the sandbox that sends to this URL at the moment, as JSON, and until when in real milliseconds.
  ins_url: `
    id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, secret TEXT NOT NULL, version INTEGER NOT NULL, sender TEXT,
    sender_until INTEGER NOT NULL DEFAULT 0`,
  // One event: its JSON as in version 8, with times as in orders, and without version and attemptCount.
  notification: `
    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, type TEXT NOT NULL, receipt TEXT NOT NULL,
    purchase_id INTEGER REFERENCES purchase, body TEXT NOT NULL`,
  // One event for one URL. Without next_at, it was delivered or is lost. `held` is whether a fault has already delayed
  // it or changed its order.
  delivery: `
    id INTEGER PRIMARY KEY, notification_id INTEGER NOT NULL REFERENCES notification ON DELETE CASCADE,
    url_id INTEGER NOT NULL REFERENCES ins_url ON DELETE CASCADE, attempts INTEGER NOT NULL DEFAULT 0,
    most_attempts INTEGER NOT NULL, next_at INTEGER, delivered INTEGER NOT NULL DEFAULT 0,
    held INTEGER NOT NULL DEFAULT 0`,
  // One request. The body as sent follows from the event, the URL, the number, the fault and the IV. `status` is that of
  // the response, null without one.
  delivery_attempt: `
    id INTEGER PRIMARY KEY, delivery_id INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
    number INTEGER NOT NULL, time INTEGER NOT NULL, iv TEXT NOT NULL, status INTEGER, error TEXT, fault TEXT`,
} as const;

const withoutRowId = /^(setting|former_item)$/;

export const TABLES = Object.entries(tables)
  .map(([table, columns]) => {
    const options = withoutRowId.test(table) ? 'STRICT, WITHOUT ROWID' : 'STRICT';
    return `CREATE TABLE ${table} (${columns}) ${options};`;
  })
  .join('\n');

/** One statement each, run after seeding, since bulk inserts are faster without indexes. */
export const INDEXES = [
  'CREATE INDEX customer_event_at ON customer_event (at)',
  'CREATE INDEX ship_notice_txn ON ship_notice (txn_id, line_item_id)',
  'CREATE INDEX traffic_time ON traffic (time)',
  'CREATE UNIQUE INDEX purchase_receipt ON purchase (receipt)',
  'CREATE INDEX purchase_upsell ON purchase (upsell_of) WHERE upsell_of IS NOT NULL',
  'CREATE INDEX line_item_purchase ON line_item (purchase_id)',
  'CREATE INDEX subscription_next ON subscription (next_payment) WHERE next_payment IS NOT NULL',
  'CREATE INDEX txn_time ON txn (time)',
  'CREATE INDEX txn_purchase ON txn (purchase_id)',
  'CREATE INDEX txn_receipt ON txn (receipt)',
  'CREATE INDEX txn_reverses ON txn (reverses) WHERE reverses IS NOT NULL',
  'CREATE INDEX ticket_opened ON ticket (opened)',
  'CREATE INDEX ticket_purchase ON ticket (purchase_id)',
  'CREATE INDEX ticket_settles ON ticket (settles) WHERE settles IS NOT NULL',
  "CREATE UNIQUE INDEX ticket_pending ON ticket (txn_id) WHERE refund_state = 'PENDING'",
  'CREATE INDEX ticket_comment_ticket ON ticket_comment (ticket_id)',
  'CREATE INDEX delivery_due ON delivery (url_id, next_at, id) WHERE next_at IS NOT NULL',
  'CREATE INDEX delivery_notification ON delivery (notification_id)',
  'CREATE INDEX delivery_attempt_delivery ON delivery_attempt (delivery_id)',
];

export type Table = keyof typeof tables;

type Trim<Text> = Text extends ` ${infer Rest}` | `\n${infer Rest}` ? Trim<Rest> : Text;

/** The declarations of columns, and the constraints of the table. */
type Declared<Text> = Text extends `${infer Line},\n${infer Rest}`
  ? InLine<Line> | Declared<Rest>
  : InLine<Text>;
type InLine<Text> = Text extends `${infer One}, ${infer Rest}`
  ? Trim<One> | InLine<Rest>
  : Trim<Text>;
type Declaration<T extends Table> = Exclude<
  Declared<(typeof tables)[T]>,
  `${'PRIMARY' | 'UNIQUE'}${string}`
>;
type NameOf<D> = D extends `${infer Name} ${string}` ? Name : never;

type OneOf<List> = List extends `'${infer One}',${infer Rest}`
  ? One | OneOf<Rest>
  : List extends `'${infer One}'`
    ? One
    : never;

/** A column without NOT NULL can be null, unless it is the key. */
type Cell<D> =
  | (D extends `${string} IN (${infer List}))`
      ? OneOf<List>
      : D extends `${string} TEXT${string}`
        ? string
        : number)
  | (D extends `${string}${'NOT NULL' | 'PRIMARY KEY'}${string}` ? never : null);

type CamelCase<Name> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A row of a table by the names in code: `lineItemId` is the column line_item_id. */
export type Stored<T extends Table> = {
  readonly [D in Declaration<T> as CamelCase<NameOf<D>>]: Cell<D>;
};

export const columnOf = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Selects columns under their names in code, all of them by default: `t.line_item_id lineItemId`. */
export function select<T extends Table>(
  alias: string,
  table: T,
  names?: readonly (keyof Stored<T>)[],
): string {
  const all = tables[table]
    .split(/, |,\n/)
    .map((declared) => declared.trim().split(' ', 1)[0] ?? '');
  const columns: readonly string[] =
    names?.map(columnOf) ?? all.filter((name) => /^[a-z]/.test(name));
  return columns
    .map((name) => {
      const camelCase = name.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
      return `${alias}.${name} ${camelCase}`;
    })
    .join(', ');
}
