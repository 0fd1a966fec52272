/** The tools `analytics`, `products`, `shipments` and `subscription_state`, and `read_api` for any other read. */
import { analytics as analyticsCalls } from '../../../operations/analytics.ts';
import { catalogue } from '../../../operations/index.ts';
import { type Operation, saleOf } from '../../../operations/operation.ts';
import { endless, lineItem, orders } from '../../../operations/orders.ts';
import { product, products as productCalls } from '../../../operations/products.ts';
import { words } from '../../../operations/resource.ts';
import { notices2, shipping3 } from '../../../operations/shipping.ts';
import { paymentIn } from '../../../safe-write/reads.ts';
import { unlessRefused } from '../../../safe-write/verifier.ts';
import { accountsOf } from '../../earnings/transaction.ts';
import { paymentsOf } from '../../tickets/refund/refund.ts';
import { operationArguments } from '../arguments.ts';
import { linesOf, listResult, notesOn, present, readList, type ToolRow } from '../rows.ts';
import * as schema from '../schema.ts';
import { type Tool, type ToolArguments, type ToolCall, ToolError } from '../tool.ts';

/** Returns the given nickname, or the only account of the key. Throws a ToolError. */
async function accountFrom(name: 'site' | 'account', args: ToolArguments, call: ToolCall) {
  const { [name]: given } = args;
  if (typeof given === 'string') return given.toUpperCase();
  const accounts = await accountsOf(call.client);
  const [only, other] = accounts;
  if (only !== undefined && other === undefined) return only;
  throw new ToolError('The key has several accounts.', `Pass ${name}: ${accounts.join(', ')}.`);
}

const { dimension, byStatus } = analyticsCalls;

export const analytics: Tool = {
  name: 'analytics',
  title: 'Analytics',
  description:
    'Show figures of ClickBank analytics by dimension: hops, sales, refund rates, earnings per hop and others, in USD. Default: yesterday and today, role VENDOR.',
  writtenByOthers: ['name, for tracking IDs'],
  input: schema.listInput(
    {
      ...schema.argumentsFor(dimension.params, 'dimension', 'role', 'startDate', 'endDate'),
      account: schema.text('Nickname of the account; needed if the key has several'),
      select: { type: 'array', items: schema.text(), description: 'Metrics such as SALE_COUNT' },
      orderBy: schema.text('Metric such as REFUND_RATE, highest first'),
    },
    ['dimension'],
  ),
  output: schema.listOutput({
    type: 'object',
    properties: { name: schema.text(), account: schema.text(), figures: { type: 'object' } },
  }),
  async run(args, call) {
    const account = await accountFrom('account', args, call);
    const part = await readList(dimension, { role: 'VENDOR', ...args, account }, call);
    const rows = part.rows.map(({ dimensionValue, accountNickName, data }): ToolRow => {
      const figures = (data ?? []).map(({ attribute, value }) => [String(attribute), value]);
      const shown = present(Object.fromEntries(figures));
      return present({ name: dimensionValue, account: accountNickName, figures: shown });
    });
    const flat = rows.map(({ figures, ...row }) => ({ ...row, ...(figures as ToolRow) }));
    const result = listResult('row', { ...part, rows }, ` by ${args.dimension}`);
    return { ...result, lines: linesOf(flat) };
  },
};

const productFields = words(
  'sku title status site language digital physical digitalRecurring physicalRecurring',
);
const details = words('description pricings commission sale_refund_days_limit');

export const listedProduct = schema.rowsWith(product, productFields);
const oneProduct = schema.rowsWith(product, [...productFields, ...details]);

export const products: Tool = {
  name: 'products',
  title: 'Products',
  description: 'List the products of an account, or show one product with its prices by its SKU.',
  input: schema.listInput({
    sku: schema.text('Only this product, with prices and commission'),
    site: schema.text('Nickname of the account; needed if the key has several'),
    ...schema.argumentsFor(productCalls.list.params, 'type'),
  }),
  output: schema.listOutput(oneProduct.schema),
  async run(args, call) {
    const { get, list } = productCalls;
    const isOne = args.sku !== undefined;
    if (isOne && args.type !== undefined) throw new ToolError('Use sku or type, not both.');
    const asked = { ...args, site: await accountFrom('site', args, call) };
    const part = isOne
      ? { rows: [await call.client.call(get, operationArguments(get, asked, call.today))] }
      : await readList(list, asked, call);
    const rows = part.rows.map((isOne ? oneProduct : listedProduct).pick);
    return listResult('product', { ...part, rows }, ` of ${asked.site}`);
  },
};

const { resource: ordered } = shipping3.list.returns;

const shipment = schema.rowsWith(
  ordered,
  words('receipt transactionTime fullName address1 address2 city state postalCode country vendor'),
);

const piece = schema.rowsWith(
  ordered.fields.lineItemShipData.resource ?? ordered,
  words('itemNo productTitle quantity isRefundPending hasBeenRefunded'),
);

const notice = schema.rowsWith(
  notices2.list.returns.resource,
  words('itemNo shipDate carrier trackingId comments'),
);

export const shipments: Tool = {
  name: 'shipments',
  title: 'Shipments',
  description:
    'List orders of physical goods with their addresses, shipped or not (default: not shipped, the last 30 days), or one order with its ship notices.',
  writtenByOthers: ['fullName', 'address fields'],
  input: schema.listInput(
    schema.argumentsFor(shipping3.list.params, 'status', 'startDate', 'endDate', 'receipt'),
  ),
  output: schema.outputOf(
    {
      rows: schema.listOf(shipment.schema),
      notices: schema.listOf(notice.schema),
      next: schema.text(),
    },
    ['rows'],
  ),
  async run(args, call) {
    const isOne = args.receipt !== undefined;
    const given = isOne ? args : { status: 'notshipped', ...args };
    const { asked, ...part } = await readList(shipping3.list, given, call);
    const { receipt = '' } = asked;
    const sent = isOne
      ? await unlessRefused(() => call.client.call(notices2.list, { receipt }))
      : undefined;
    const rows = part.rows.map((row) => {
      const items = row.lineItemShipData?.map(piece.pick);
      return present({ ...shipment.pick(row), items });
    });
    const result = listResult('order', { ...part, rows });
    const data = present({ ...result.data, notices: sent?.map(notice.pick) });
    return { ...result, data };
  },
};

const subscription = schema.rowsWith(
  byStatus.returns.resource,
  words(
    'receipt status itemNo customerDisplayName email purchaseDate nextPaymentDate subCancelDate subValue currencyCode frequency processedPaymentsCount futurePaymentsCount',
  ),
);

const subscribedItem = schema.rowsWith(
  lineItem,
  words('itemNo productTitle status nextPaymentDate rebillAmount processedPayments futurePayments'),
);

export const subscriptionState: Tool = {
  name: 'subscription_state',
  title: 'Subscription state',
  description:
    'Show the subscription of an order: status, next payment, payments made and to come. Or list the subscriptions of an account with a status. futurePayments 999 means no end.',
  writtenByOthers: ['fullName', 'customerDisplayName', 'email'],
  input: schema.listInput({
    receipt: schema.text('Receipt of the order; otherwise pass status'),
    ...schema.argumentsFor(byStatus.params, 'status'),
    account: schema.text('Nickname of the account; needed with status if the key has several'),
  }),
  output: schema.listOutput({
    type: 'object',
    properties: {
      ...subscribedItem.schema.properties,
      ...subscription.schema.properties,
      currency: schema.text(),
      fullName: schema.text(),
    },
  }),
  async run(args, call) {
    const { receipt, status } = args;
    if ((receipt === undefined) === (status === undefined)) {
      throw new ToolError('Pass either receipt or status.');
    }
    if (receipt !== undefined) return subscriptionsOf(receipt, call);
    const account = await accountFrom('account', args, call);
    const part = await readList(byStatus, { ...args, role: 'VENDOR', account }, call);
    const rows = part.rows.map(subscription.pick);
    return listResult('subscription', { ...part, rows }, ` with status ${status}`);
  },
};

/** The latest payment has the current state; an affiliate's key shows none to the vendor. */
async function subscriptionsOf(typed: unknown, { client, today }: ToolCall) {
  const asked = operationArguments(orders.get, { receipt: typed }, today);
  const receipt = saleOf(asked.receipt);
  const transactions = await client.call(orders.get, { receipt });
  const [latest = paymentIn(transactions, receipt)] = paymentsOf({ receipt, transactions });
  const { fullName, currency, lineItemData } = latest ?? {};
  const rows = (lineItemData ?? [])
    .filter(({ recurring }) => recurring)
    .map((item) => {
      const futurePayments = item.futurePayments ?? endless;
      const shown = { ...subscribedItem.pick(item), futurePayments };
      return present({ receipt, fullName, ...shown, currency });
    });
  return listResult('subscription', { rows }, ` of ${receipt}`);
}

/** Reads that return data; schemas do not. */
const reads: ReadonlyMap<string, Operation> = new Map(
  catalogue
    .filter(({ method, returns }) => /^(GET|HEAD)$/.test(method) && returns.kind !== 'schema')
    .map((operation) => [operation.command, operation]),
);

export const readApi: Tool = {
  name: 'read_api',
  title: 'Read the API',
  description:
    'Call any operation that reads, and get all fields of its reply, for what no other tool shows. Wrong arguments are answered with what the operation accepts.',
  writtenByOthers: ['all text'],
  input: schema.listInput(
    {
      operation: { type: 'string', enum: [...reads.keys()] },
      arguments: { type: 'object', description: 'By parameter name, such as startDate' },
    },
    ['operation'],
  ),
  output: schema.outputOf({
    rows: schema.listOf({ type: 'object' }),
    row: { type: 'object' },
    count: { type: 'integer' },
    answer: { type: 'boolean' },
    text: schema.text(),
    next: schema.text(),
  }),
  async run(args, call) {
    const operation = reads.get(String(args.operation)) as Operation;
    const { params, returns } = operation;
    const typed = schema.asDeclared(schema.argumentsFor(params), args.arguments ?? {});
    const unknown = Object.keys(typed).find((name) => !Object.hasOwn(params, name));
    if (unknown !== undefined) {
      const known = Object.entries(params).map(
        ([name, { required }]) => `${name}${required ? ' (required)' : ''}`,
      );
      const hint = `It has: ${known.join(', ') || 'none'}. Nothing was sent.`;
      throw new ToolError(`${operation.command} has no parameter ${unknown}.`, hint);
    }
    if (returns.kind !== 'pages' && returns.kind !== 'list') {
      const asked = operationArguments(operation, typed, call.today);
      const reply: unknown = (await call.client.call(operation, asked)) ?? null;
      // The kind of a reply decides on its member: one row, a count, yes or no, or a text.
      const members = { number: 'count', boolean: 'answer', string: 'text', object: 'row' };
      const member = members[typeof reply as keyof typeof members];
      const data = reply === null ? {} : { [member]: reply };
      const summary = `${notesOn(operation, asked, call.today)}The reply:`;
      return { summary, data, lines: [JSON.stringify(reply)] };
    }
    const { limit, cursor } = args;
    const part = await readList(operation, { ...typed, limit, cursor }, call);
    const rows = part.rows as readonly ToolRow[];
    const lines = rows.map((row) => JSON.stringify(row));
    return { ...listResult('row', { ...part, rows }), lines };
  },
};
