/** The tools `analytics`, `products`, `shipments` and `subscription_state`, and `read_api` for any other read. */
import { analytics as analyticsCalls } from '../../../operations/analytics.ts';
import { catalogue } from '../../../operations/index.ts';
import { type Operation, saleOf } from '../../../operations/operation.ts';
import { lineItem, orders } from '../../../operations/orders.ts';
import { product, products as productCalls } from '../../../operations/products.ts';
import { notices2, shipping3 } from '../../../operations/shipping.ts';
import { unlessRefused } from '../../../safe-write/verifier.ts';
import { accountsOf } from '../../earnings/transaction.ts';
import { paymentsOf } from '../../tickets/refund/refund.ts';
import {
  argumentsFor,
  count,
  inputOf,
  listOf,
  operationArguments,
  outputOf,
  rowOf,
  text,
  yesNo,
} from '../arguments.ts';
import {
  linesOf,
  listOutput,
  listResult,
  pagingArguments,
  pagingOf,
  partText,
  pick,
  present,
  readList,
  type ToolRow,
} from '../rows.ts';
import {
  type Tool,
  type ToolArguments,
  type ToolCall,
  ToolError,
  type ToolResult,
} from '../tool.ts';

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
  input: inputOf(
    {
      ...argumentsFor(dimension.params, 'dimension', 'role', 'startDate', 'endDate'),
      account: text('Nickname of the account; needed if the key has several'),
      select: { type: 'array', items: text(), description: 'Metrics such as SALE_COUNT' },
      orderBy: text('Metric such as REFUND_RATE, highest first'),
      ...pagingArguments,
    },
    ['dimension'],
  ),
  output: listOutput({
    type: 'object',
    properties: { name: text(), account: text(), figures: { type: 'object' } },
  }),
  async run(args, call) {
    const account = await accountFrom('account', args, call);
    const part = await readList(dimension, { role: 'VENDOR', ...args, account }, call);
    const rows = part.rows.map(({ dimensionValue, accountNickName, data }): ToolRow => {
      const figures = (data ?? []).map(({ attribute, value }) => [String(attribute), value]);
      return present({
        name: dimensionValue,
        account: accountNickName,
        figures: present(Object.fromEntries(figures)),
      });
    });
    const flat = rows.map(({ figures, ...row }) => ({ ...row, ...(figures as ToolRow) }));
    const result = listResult('row', { ...part, rows }, ` by ${args.dimension}`);
    return { ...result, lines: linesOf(flat) };
  },
};

export const productFields = [
  ...(['sku', 'title', 'status', 'site', 'language', 'digital', 'physical'] as const),
  ...(['digitalRecurring', 'physicalRecurring'] as const),
];

const productDetails = [
  ...productFields,
  ...(['description', 'pricings', 'commission', 'sale_refund_days_limit'] as const),
];

export const products: Tool = {
  name: 'products',
  title: 'Products',
  description: 'List the products of an account, or show one product with its prices by its SKU.',
  input: inputOf({
    sku: text('Only this product, with prices and commission'),
    site: text('Nickname of the account; needed if the key has several'),
    ...argumentsFor(productCalls.list.params, 'type'),
    ...pagingArguments,
  }),
  output: listOutput(rowOf(product, productDetails)),
  async run(args, call) {
    const { get, list } = productCalls;
    const site = await accountFrom('site', args, call);
    const { type: _, ...one }: ToolArguments = { ...args, site };
    const isOne = args.sku !== undefined;
    const part = isOne
      ? { rows: [await call.client.call(get, operationArguments(get, one, call.today))] }
      : await readList(list, { ...args, site }, call);
    const fields = isOne ? productDetails : productFields;
    const rows = part.rows.map((row) => pick(product, fields, row));
    return listResult('product', { ...part, rows }, ` of ${site}`);
  },
};

const shipment = shipping3.list.returns.resource;
const notice = notices2.list.returns.resource;

const shipmentFields = [
  ...(['receipt', 'transactionTime', 'fullName', 'address1', 'address2', 'city'] as const),
  ...(['state', 'postalCode', 'country', 'vendor'] as const),
];

const pieceFields = ['itemNo', 'productTitle', 'quantity', 'isRefundPending', 'hasBeenRefunded'];
const piece = shipment.fields.lineItemShipData.resource ?? shipment;
const noticeFields = ['itemNo', 'shipDate', 'carrier', 'trackingId', 'comments'];

export const shipments: Tool = {
  name: 'shipments',
  title: 'Shipments',
  description:
    'List orders of physical goods with their addresses, shipped or not (default: not shipped, the last 30 days), or one order with its ship notices.',
  writtenByOthers: ['fullName', 'address fields'],
  input: inputOf({
    ...argumentsFor(shipping3.list.params, 'status', 'startDate', 'endDate', 'receipt'),
    ...pagingArguments,
  }),
  output: outputOf(
    {
      rows: listOf(rowOf(shipment, shipmentFields)),
      notices: listOf(rowOf(notice, noticeFields)),
      next: text(),
    },
    ['rows'],
  ),
  async run(args, call) {
    const isOne = args.receipt !== undefined;
    const given = { status: isOne ? 'all' : 'notshipped', ...args };
    const { asked, ...part } = await readList(shipping3.list, given, call);
    const { receipt = '' } = asked;
    const sent = isOne
      ? await unlessRefused(() => call.client.call(notices2.list, { receipt }))
      : undefined;
    const rows = part.rows.map((row) => {
      const items = row.lineItemShipData?.map((one) => pick(piece, pieceFields, one));
      return present({ ...pick(shipment, shipmentFields, row), items });
    });
    const result = listResult('order', { ...part, rows });
    const notices = sent?.map((one) => pick(notice, noticeFields, one));
    return { ...result, data: present({ ...result.data, notices }) };
  },
};

const subscription = byStatus.returns.resource;

const subscriptionFields = [
  ...(['receipt', 'status', 'itemNo', 'customerDisplayName', 'email', 'purchaseDate'] as const),
  ...(['nextPaymentDate', 'subCancelDate', 'subValue', 'currencyCode', 'frequency'] as const),
  ...(['processedPaymentsCount', 'futurePaymentsCount'] as const),
];

const itemFields = [
  ...(['itemNo', 'productTitle', 'status', 'nextPaymentDate', 'rebillAmount'] as const),
  ...(['processedPayments', 'futurePayments'] as const),
];

/** ClickBank writes this for a subscription without an end. */
const endless = 999;

export const subscriptionState: Tool = {
  name: 'subscription_state',
  title: 'Subscription state',
  description:
    'Show the subscription of an order: status, next payment, payments made and to come. Or list the subscriptions of an account with a status. futurePayments 999 means no end.',
  writtenByOthers: ['fullName', 'customerDisplayName', 'email'],
  input: inputOf({
    receipt: text('Receipt of the order; otherwise pass status'),
    ...argumentsFor(byStatus.params, 'status'),
    account: text('Nickname of the account; needed with status if the key has several'),
    ...pagingArguments,
  }),
  output: listOutput({
    type: 'object',
    properties: {
      ...rowOf(lineItem, itemFields).properties,
      ...rowOf(subscription, subscriptionFields).properties,
      currency: text(),
      fullName: text(),
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
    const rows = part.rows.map((row) => pick(subscription, subscriptionFields, row));
    return listResult('subscription', { ...part, rows }, ` with status ${status}`);
  },
};

/** The latest payment has the current state. */
async function subscriptionsOf(typed: unknown, { client, today }: ToolCall): Promise<ToolResult> {
  const asked = operationArguments(orders.get, { receipt: typed }, today);
  const receipt = saleOf(asked.receipt.toUpperCase());
  const transactions = await client.call(orders.get, { receipt });
  const [latest] = paymentsOf({ receipt, transactions });
  const { fullName, currency, lineItemData } = latest ?? {};
  const rows = (lineItemData ?? [])
    .filter(({ recurring }) => recurring)
    .map((item) => {
      const futurePayments = item.futurePayments ?? endless;
      const shown = { ...pick(lineItem, itemFields, item), futurePayments };
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
  writtenByOthers: ['all texts'],
  input: inputOf(
    {
      operation: { type: 'string', enum: [...reads.keys()] },
      arguments: { type: 'object', description: 'By parameter name, such as startDate' },
      ...pagingArguments,
    },
    ['operation'],
  ),
  output: outputOf({
    rows: listOf({ type: 'object' }),
    row: { type: 'object' },
    count,
    answer: yesNo,
    text: text(),
    next: text(),
  }),
  async run(args, call) {
    const operation = reads.get(String(args.operation));
    if (!operation) throw new ToolError('There is no such operation.');
    const { params, returns } = operation;
    const typed = args.arguments as ToolArguments | undefined;
    const unknown = Object.keys(typed ?? {}).find((name) => !Object.hasOwn(params, name));
    if (unknown !== undefined) {
      const known = Object.entries(params).map(
        ([name, { required }]) => `${name}${required ? ' (required)' : ''}`,
      );
      throw new ToolError(
        `${operation.command} has no parameter ${unknown}.`,
        `It has: ${known.join(', ') || 'none'}. Nothing was sent.`,
      );
    }
    const constants = Object.entries(params).map(([name, { constant }]) => [name, constant]);
    const given = { ...present(Object.fromEntries(constants)), ...typed };
    if (returns.kind !== 'pages' && returns.kind !== 'list') {
      const asked = operationArguments(operation, given, call.today);
      const reply: unknown = (await call.client.call(operation, asked)) ?? null;
      // The kind of a reply decides on its member: one row, a count, yes or no, or a text.
      const members = { number: 'count', boolean: 'answer', string: 'text', object: 'row' };
      const member = members[typeof reply as keyof typeof members];
      const data = reply === null ? {} : { [member]: reply };
      return { summary: 'The reply:', data, lines: [JSON.stringify(reply)] };
    }
    const { limit, cursor } = args;
    const part = await readList(operation, { ...given, limit, cursor }, call);
    return {
      summary: `${partText(part, 'row')}.`,
      data: { rows: part.rows, ...pagingOf(part) },
      lines: part.rows.map((row) => JSON.stringify(row)),
    };
  },
};
