/** Texts that an agent can read: the terms of ClickBank, and how the tools count days. */

/** The same as the first part of docs/glossary.md. */
const terms: Readonly<Record<string, string>> = {
  Account:
    'What you sell or refer under on ClickBank. An API key belongs to one account. Its name is its nickname.',
  Affiliate: 'The account that referred the customer and earns a commission.',
  Chargeback:
    'Money that a bank took back from the vendor because the customer disputed the payment. Type `CGBK`.',
  Fee: 'A transaction in which ClickBank charges the account. Type `FEE`.',
  Hop: "A visit to the vendor's site through an affiliate's link.",
  'Instant notification':
    'The encrypted message with which ClickBank tells a URL of yours about an event, such as a sale.',
  'Line item':
    'One product within an order, with its SKU, quantity and amount. An order has one or more line items.',
  Nickname:
    'The name of an account on ClickBank, such as `GREENLEAF`. It has 5 to 10 letters and digits.',
  Order:
    'What a customer bought at one time. It is identified by its receipt and consists of transactions.',
  'Pacific day': 'A day from midnight to midnight in Pacific time. ClickBank counts days this way.',
  Permission:
    'What an API key may do, such as `api_order_read`. ClickBank calls it a role of the key. You choose permissions when you create the key.',
  Product: 'What a vendor sells. Its SKU identifies it.',
  Rebill:
    'A recurring payment of a subscription. Its receipt ends in a number such as `-B002`. Type `BILL`.',
  Receipt: 'The ID of an order, such as `DIGITAL1`.',
  Refund:
    'Money returned to the customer for a sale or a rebill, in full or in part. Type `RFND`. It begins with a refund ticket.',
  Role: 'The part that your account played in an order: vendor or affiliate.',
  Sale: 'The first payment of an order. Type `SALE`.',
  'Secret key':
    'The text of at most 16 characters that encrypts the notifications of an account; in short, the secret. It is not an API key.',
  'Ship notice': 'The message to ClickBank that an order was shipped, with a date and a carrier.',
  SKU: 'The ID of a product, such as `CLUB-M`. Some fields of ClickBank call it the item number.',
  Subscription: 'An order with rebills.',
  Ticket:
    'A request about an order: a refund (`rfnd`), a cancellation (`cncl`) or technical support (`tech`). Its number is the ticket ID.',
  'Tracking ID':
    'A word that a vendor or an affiliate adds to a link to tell where a customer came from.',
  Transaction:
    'One movement of money in an order: a sale, a rebill, a refund, a chargeback or a fee.',
  Upsell: 'An additional product that a customer buys right after an order.',
  Vendor: 'The account that sells the product.',
};

export const glossary = Object.entries(terms)
  .map(([term, meaning]) => `**${term}.** ${meaning}`)
  .join('\n\n');

export const dates = `Days are Pacific days (America/Los_Angeles), because ClickBank counts days in Pacific time. Both days of a period are included.

Forms of a day:

- \`2026-11-20\`: a calendar day
- \`today\`, \`yesterday\`, \`monday\`: counted from today; a weekday is the latest one
- \`-7d\`, \`-2w\`, \`-3m\`, \`-1y\`: days, weeks, months or years ago
- \`+10d\`: days from now
- \`last-month\`, \`this-week\`, \`last-7-days\`, \`2026-10\`, \`2026-Q4\`: a period. Pass it as the first day and leave out the last one.

Times in results have their offset, as in \`2026-11-20T09:30:00-08:00\`. Columns of the copy that end in \`_at\` are in UTC. Today is not over: compare whole days.`;
