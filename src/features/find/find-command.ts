/** `cb find`: one search over orders and tickets. */
import { type Days, zonedPeriods } from '../../client/zoned-period.ts';
import { orders } from '../../operations/orders.ts';
import {
  alike,
  decimal,
  headed,
  integer,
  naming,
  type Resource,
  resource,
  text,
  time,
} from '../../operations/resource.ts';
import { tickets } from '../../operations/tickets.ts';
import { render } from '../../output/render.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { onePage } from '../../output/stream.ts';
import { isOpen, obstacleTo } from '../../safe-write/refundable.ts';
import { customerOf, money, titlesOf } from '../../safe-write/sentence.ts';
import type { CommandContext } from '../../shell/context.ts';
import { command } from '../../shell/define.ts';
import { startProgress } from '../../shell/display/progress.ts';
import { renderOptions, showPages, showValue, tellWritten } from '../../shell/display/show.ts';
import type { Sink } from '../../shell/display/sink.ts';
import { printable, withNumerals } from '../../shell/display/texts.ts';
import type { Unsummed, View } from '../../shell/display/view.ts';
import { requestOptions } from '../../shell/help/help-text.ts';
import type { OutputOptions } from '../../shell/options/show-flags.ts';
import { withApi } from '../../shell/session/session.ts';
import { serviceWords, shellWord } from '../../shell/shell-word.ts';
import { writePaged } from '../../shell/terminal/pager.ts';
import { timeZoneOf } from '../../shell/terminal/zone.ts';
import { customerPaid, kindOf, youEarn } from '../earnings/transaction.ts';
import { argumentsFrom } from '../mirror/arguments.ts';
import { orderView, stateOf } from '../mirror/order-view.ts';
import {
  type Found,
  type FoundOrder,
  type FoundTicket,
  findAll,
  type Query,
  readQuery,
} from './find.ts';

const orderFields = resource('foundOrder', [], {
  ...{ time, receipt: naming('receipt', text), what: text, status: text },
  paid: headed('Paid', text),
  customer: text,
  youEarn: headed('You earn', decimal),
  email: text,
});

const ticketFields = resource('foundTicket', [], {
  opened: time,
  ticket: naming('ticket', integer),
  ...alike(text, 'what', 'status', 'product'),
  amount: decimal,
  receipt: naming('receipt', text),
  ...alike(text, 'customer', 'email'),
});

const orderTable = tableOf(orderFields, 'receipt paid what status time customer');
const ticketTable = tableOf(ticketFields, 'ticket what status amount product opened');

/** A narrow terminal shows what tells hits apart: the fields that are needed. */
function tableOf(resource: Resource, names: string): View & { resource: Resource } {
  const [shown, needed] = [Object.keys(resource.fields), names.split(' ')];
  const more = shown.filter((name) => !needed.includes(name));
  return { resource, columns: () => ({ shown, needed, more }) };
}

/** The columns of csv, tsv and ndjson, which are a contract. */
const list = resource('match', [], {
  kind: text,
  time,
  receipt: naming('receipt', text),
  ticketid: naming('ticket', integer),
  ...alike(text, 'type', 'status', 'product', 'customer', 'email'),
  customerPaid: decimal,
  currency: text,
  youEarn: decimal,
});

/** The fields of the table and of the list. */
function orderRow(order: FoundOrder): Row {
  const { transactionTime, transactionType, totalOrderAmount, currency, lineItemData } = order;
  const kind = kindOf(transactionType);
  const product = titlesOf(lineItemData).join(' + ');
  const fee = kind === 'fee' ? ` of ${money(totalOrderAmount, currency).replace('-', '')}` : '';
  const amount = customerPaid(order);
  return {
    ...{ kind: 'order', time: transactionTime, receipt: order.receipt, ticketid: null },
    ...{ type: transactionType, status: null, product, customer: order.fullName },
    ...{ email: order.email, customerPaid: amount, currency, youEarn: youEarn(order) },
    what: [kind === 'sale' ? '' : `${kind}${fee}`, product].filter(Boolean).join(': '),
    paid: amount === undefined ? undefined : money(amount, currency),
  };
}

function ticketRow(ticket: FoundTicket): Row {
  const { openedDate, ticketid, receipt, type, status, description, email } = ticket;
  return {
    ...{ kind: 'ticket', time: openedDate, receipt, ticketid, type, status },
    ...{ product: ticket.productItemNo, customer: customerOf(ticket), email },
    ...{ customerPaid: null, currency: null, youEarn: null },
    ...{ opened: openedDate, ticket: ticketid },
    what: [typeWords(type), description].filter(Boolean).join(': '),
  };
}

/** As in `tech support`. */
function typeWords(word: string | null | undefined): string {
  return (word ?? '').toLowerCase().replaceAll('_', ' ');
}

/** The last 90 days with today. */
const usual = { startDate: '-89d', endDate: 'today' };

function daysOf(args: object): Days {
  const { startDate: first, endDate: last } = args as { startDate: string; endDate: string };
  return { first, last };
}

async function showList(cmd: CommandContext, output: OutputOptions, found: Found): Promise<void> {
  const rows = printed(list, [...found.orders.map(orderRow), ...found.tickets.map(ticketRow)]);
  // Of the messages of a list, only the one for an empty list does not fit.
  const silent = rows.length === 0 ? { ...cmd.messages, tell: () => undefined } : cmd.messages;
  const { sums = [], unsummed = [], subtracted = [] } = orderView;
  const view = {
    resource: list,
    // A search lists each row once.
    sums: sums.map(({ identity: _, ...one }) => one),
    ...{ unsummed: unsummed.map(amongHits), subtracted: subtracted.map(amongHits) },
  };
  await showPages({ ...cmd, messages: silent }, output, view, onePage(rows));
}

function amongHits({ noun, is }: Unsummed): Unsummed {
  return {
    noun,
    is: (row) => row.kind === 'order' && is({ ...row, transactionType: row.type }),
  };
}

/** More rows than this do not help a person to choose. */
const mostShown = 20;

async function showTables(cmd: CommandContext, output: OutputOptions, found: Found): Promise<void> {
  const transactions = found.orders as readonly Row[];
  const orderRows = found.orders.map((one, at) => ({
    ...orderRow(one),
    status: isPayment(one) ? stateOf(transactions[at] ?? {}, transactions) : undefined,
  }));
  const ticketRows = found.tickets.map((one) => ({
    ...ticketRow(one),
    status: typeWords(one.status),
    amount: one.refundAmount,
  }));
  const tables = [
    { name: 'Orders', view: orderTable, rows: orderRows },
    { name: 'Tickets', view: ticketTable, rows: ticketRows },
  ].filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return;
  const fill = async (sink: Sink) => {
    for (const [at, { name, view, rows }] of tables.entries()) {
      const isCut = rows.length > mostShown;
      const count = isCut ? `the newest ${mostShown} of ${rows.length}` : rows.length;
      await sink.write(`${at === 0 ? '' : '\n'}${name} (${count})\n`);
      const options = await renderOptions(cmd, output, view);
      const shown = printed(view.resource, rows.slice(0, mostShown));
      await sink.write(await render('table', shown, { ...options, onColumns: () => undefined }));
    }
  };
  await writePaged(cmd, output.out, fill, 'drawing');
  tellWritten(cmd, output);
  if (tables.some(({ rows }) => rows.length > mostShown)) {
    cmd.messages.tell('');
    cmd.messages.tell('To see all of them, use -o csv. To see fewer, use a shorter --period.');
  }
  tellNext(cmd, output, found);
}

/** The fields of a shape; amounts are numbers with the digits as sent. */
function printed(shape: Resource, rows: readonly Row[]): readonly Row[] {
  const names = Object.keys(shape.fields);
  const picked = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
  return withNumerals(shape, picked) as readonly Row[];
}

function tellNext(cmd: CommandContext, { out }: OutputOptions, found: Found): void {
  const { context, messages } = cmd;
  if (!messages.watched || !context.stdout.isTTY || out !== undefined) return;
  const lines = nextLines(cmd, found).map((line) => `  ${line}`);
  if (lines.length > 0) messages.show(['', 'Next:', ...lines].join('\n'));
}

const { startDate, endDate } = orders.list.params;

/** An operation with the period of the list of orders and nothing else. */
export const searchPeriod = { ...orders.list, params: { startDate, endDate } };

/**
 * The newest order, the newest open ticket, and the refund of a payment: only if there is no doubt which one, since the next
 * step of a search for many customers is a choice.
 */
function nextLines(cmd: CommandContext, { orders, tickets }: Found): string[] {
  const [newest] = orders;
  const customers = new Set(
    orders.map(({ email, fullName }) => String(email ?? fullName).toLowerCase()),
  );
  const [refundable, another] = orders.filter(
    (order) => isPayment(order) && !obstacleTo({ transactions: orders, tickets }, order),
  );
  const isSure = customers.size === 1 && another === undefined;
  const ticket = tickets.find(isOpen) ?? tickets[0];
  const lines = [
    newest?.receipt ? `cb orders get ${shellWord(newest.receipt)}` : '',
    isSure && refundable?.receipt ? `cb tickets refund ${shellWord(refundable.receipt)}` : '',
    ticket?.ticketid ? `cb tickets get ${shellWord(String(ticket.ticketid))}` : '',
  ];
  return lines.filter(Boolean).map((line) => [line, ...serviceWords(cmd)].join(' '));
}

/** Only a vendor refunds, and only a payment. */
function isPayment({ transactionType, role }: FoundOrder): boolean {
  const kind = kindOf(transactionType);
  return (kind === 'sale' || kind === 'rebill') && (role ?? 'VENDOR') === 'VENDOR';
}

/** Returns sentences, the first of which says what was searched. */
function nothingFound(query: Query, days: Days): string[] {
  const { text, filters, receipt, ticketId, isPattern } = query;
  if (filters.length === 0) {
    const what = ticketId === undefined ? `the receipt ${receipt}` : `the ticket ID ${ticketId}`;
    const also =
      ticketId !== undefined && receipt !== undefined ? ', which can also be a receipt' : '';
    return [`Nothing has ${what}${also}. Receipts and ticket IDs are found from any date.`];
  }
  const first = `Nothing matches '${text}' among the orders and tickets from ${days.first} to ${days.last}.`;
  const known = lists[text.toLowerCase().replace(/s$/, '')];
  if (known) return [first, `To list all of them, use cb ${known}.`];
  const pattern = text.includes('@') ? `%${text.replace(/^.*@/, '@')}` : `${text}%`;
  const partly = ` To match part of a name or an email address, use %, as in ${shellWord(pattern)}.`;
  const wider = isFirstName(query) ? `${partly} ${firstNameOnly}` : partly;
  return [
    first,
    `To look further back, add --period last-12-months.${isPattern ? '' : wider}`,
    'ClickBank shows customers only to the vendor of an order. As an affiliate, search for a receipt.',
  ];
}

/** For a search such as `cb find refunds`. */
const lists: Readonly<Record<string, string>> = {
  order: 'orders list',
  ticket: 'tickets list',
  sale: 'orders list --type SALE',
  rebill: 'orders list --type BILL',
  refund: 'orders list --type RFND',
  chargeback: 'orders list --type CGBK',
};

const firstNameOnly = 'Orders are not found by a first name alone: add the last name.';

/** Whether the search can be for a first name, for which ClickBank has no filter. */
function isFirstName({ text, words, filters }: Query): boolean {
  return words.length === 1 && filters.length > 0 && !text.includes('@');
}

export const find = command({
  words: 'find',
  args: { '<words...>': 'An email address, a name, a receipt or a ticket ID' },
  parameters: [searchPeriod],
  shows: {},
  help: {
    notes: [
      'Case is ignored. The whole name or email address must match, or the part of the address before the @; % matches any text. Receipts and ticket IDs are found regardless of their date. Without a period, names and email addresses are searched in the last 90 days.',
    ],
    asks: true,
    examples: [
      'cb find ada sample',
      'cb find ADA.SAMPLE@example.com',
      'cb find monthly1',
      "cb find 'samp%' --period last-12-months -o csv",
    ],
    roles: orders.list.roles,
    remarks: [
      'ClickBank has no search for tickets by customer, so the tickets of the period are read: one request for each 7 days.',
    ],
    obeys: requestOptions,
    topics: ['dates', 'output', 'credentials'],
  },
  async run(cmd, { words, ...typed }, output) {
    const query = readQuery(words);
    const defined = Object.entries(typed).filter(([, value]) => value !== undefined);
    const given = typed.period === undefined ? { ...usual, ...Object.fromEntries(defined) } : typed;
    const { args } = await argumentsFrom(cmd, searchPeriod, given);
    const days = daysOf(args);
    const zoned = zonedPeriods(searchPeriod, args, timeZoneOf(cmd).name);
    const progress = startProgress(cmd, async () => undefined);
    const search = {
      query,
      days: daysOf(zoned.args),
      within: zoned.ranges[0],
      onRows: progress.add,
    };
    const found = await withApi(cmd, {}, (client) => findAll(client, search)).finally(
      progress.stop,
    );
    if (output.format === 'json') {
      await showValue(cmd, output, {
        orders: printable(orders.list, found.orders as Value),
        tickets: printable(tickets.list, found.tickets as Value),
      });
    } else if (output.format === 'table') await showTables(cmd, output, found);
    else await showList(cmd, output, found);
    const isEmpty = found.orders.length + found.tickets.length === 0;
    if (isEmpty) cmd.messages.say(nothingFound(query, days).join('\n'));
    else if (found.orders.length === 0 && isFirstName(query)) {
      cmd.messages.say(`note: ${firstNameOnly}`);
    }
  },
});
