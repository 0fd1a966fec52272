/** A client that answers from a copy. It sends nothing; what the copy does not have is an ApiError. */
import type { Client, PageOptions } from '../../../client/client.ts';
import { type Numbers, rowDecoder } from '../../../client/codec/rows.ts';
import { ApiError } from '../../../client/errors.ts';
import type { Day } from '../../../dates/day.ts';
import type { Operation } from '../../../operations/operation.ts';
import { order, orders } from '../../../operations/orders.ts';
import { quickstats } from '../../../operations/quickstats.ts';
import type { Resource } from '../../../operations/resource.ts';
import { ticket, tickets } from '../../../operations/tickets.ts';
import type { CopiedAccount } from '../access.ts';
import type { SqlReader } from '../database/sql.ts';
import { stateOf } from '../database/sql-destination.ts';
import { daysWith } from '../destination.ts';
import type { Days } from '../tables/source.ts';
import type { Condition } from './condition.ts';
import { type Coverage, partsOf, requireDays } from './coverage.ts';
import * as orderLists from './order-lists.ts';
import * as ticketLists from './ticket-lists.ts';

export interface CopyFacts {
  readonly copy: SqlReader;
  readonly account: CopiedAccount;
  readonly today: Day;
  /** Names and addresses of customers are in the copy. */
  readonly hasPersonalData: boolean;
}

type Page = readonly unknown[];
type Lists = Readonly<Record<string, (args: never, numbers: Numbers) => AsyncGenerator<Page>>>;
type Answers = Readonly<Record<string, (args: never, numbers: Numbers) => Promise<unknown>>>;

/** Answers lists of orders and tickets, single ones, their counts, and the accounts of the key. */
export async function openCopyClient(facts: CopyFacts): Promise<Client> {
  const { days } = await stateOf(facts.copy, facts.account.account);
  const coverage = (source: string): Coverage => {
    const known = daysWith(days.get(source), facts.account.nicknames);
    return { known, firstDay: facts.account.firstDay, today: facts.today, noun: source };
  };
  const lists: Lists = {
    [orders.list.command]: (args, numbers) => ordersIn(facts, coverage('orders'), args, numbers),
    [tickets.list.command]: (args, numbers) => ticketsIn(facts, coverage('tickets'), args, numbers),
  };
  const answers: Answers = {
    [orders.count.command]: (args) => countOrders(facts, coverage('orders'), args),
    [orders.get.command]: (args, numbers) => orderOf(facts, args, numbers),
    [tickets.get.command]: (args, numbers) => ticketOf(facts, args, numbers),
    [quickstats.accounts.command]: async () =>
      facts.account.nicknames.map((nickName) => ({ nickName })),
  };
  return clientOf(lists, answers);
}

function clientOf(lists: Lists, answers: Answers): Client {
  async function* pages(operation: Operation, args: object, options: PageOptions<Numbers> = {}) {
    const list = lists[operation.command];
    if (!list) throw notInCopy(operation);
    const { numbers = 'plain', from, signal } = options;
    let number = 0;
    const all = list(args as never, numbers);
    for await (const { rows, more } of from === undefined ? followed(all) : onePage(all, from)) {
      signal?.throwIfAborted();
      number += 1;
      yield {
        ...{ number: from ?? number, more, rows, totals: [], body: '', window: 0, args },
        endsWindow: !more,
      };
    }
  }
  const call = async (operation: Operation, args: object, options: { numbers?: Numbers } = {}) => {
    const answer = answers[operation.command];
    if (!answer) throw notInCopy(operation);
    return answer(args as never, options.numbers ?? 'plain');
  };
  // The types of the rows follow from the operation, which the compiler can't see here.
  return {
    call,
    exchange: async (...asked: Parameters<typeof call>) => ({
      reply: await call(...asked),
      body: '',
    }),
    async *list(...asked: Parameters<typeof pages>) {
      for await (const { rows } of pages(...asked)) yield* rows;
    },
    pages,
    send: async () => {
      throw new ApiError('request', 'Requests are not answered from the copy.');
    },
    close: async () => undefined,
  } as unknown as Client;
}

function notInCopy({ command }: Operation): ApiError {
  return new ApiError('request', `cb ${command} can't be answered from the copy.`, {
    hint: 'Leave out --local.',
  });
}

interface Followed {
  readonly rows: Page;
  readonly more: boolean;
}

const rowsOnAPage = 100;

/** Pages as the service sends them: 100 rows each; an empty list is one empty page. */
async function* followed(lists: AsyncGenerator<Page>): AsyncGenerator<Followed> {
  let kept: Page = [];
  for await (const rows of lists) {
    kept = [...kept, ...rows];
    for (; kept.length > rowsOnAPage; kept = kept.slice(rowsOnAPage)) {
      yield { rows: kept.slice(0, rowsOnAPage), more: true };
    }
  }
  yield { rows: kept, more: false };
}

async function* onePage(lists: AsyncGenerator<Page>, number: number): AsyncGenerator<Followed> {
  let at = 0;
  for await (const page of followed(lists)) {
    at += 1;
    if (at === number) return yield page;
  }
  yield { rows: [], more: false };
}

async function* ordersIn(
  facts: CopyFacts,
  coverage: Coverage,
  args: orderLists.OrderArguments,
  numbers: Numbers,
): AsyncGenerator<Page> {
  requirePersonalData(facts, args);
  const period = orderLists.periodOf(args, facts.today);
  requireDays(coverage, period);
  const filter = orderLists.orderFilter(facts.copy, facts.account.account, args);
  for (const part of partsOf(coverage, period)) {
    const sql = `SELECT o.raw AS raw FROM orders o WHERE ${filter.sql}
      AND o.transaction_day BETWEEN ? AND ? ORDER BY ${orderLists.latestFirst(facts.copy)}`;
    yield rowsOf(facts, sql, [...filter.values, part.first, part.last], order, numbers);
  }
}

async function countOrders(
  facts: CopyFacts,
  coverage: Coverage,
  args: orderLists.OrderArguments,
): Promise<number> {
  requirePersonalData(facts, args);
  const { first, last } = orderLists.periodOf(args, facts.today);
  requireDays(coverage, { first, last });
  const { sql, values } = orderLists.orderFilter(facts.copy, facts.account.account, args);
  const text = `SELECT count(*) AS found FROM orders o WHERE ${sql} AND o.transaction_day BETWEEN ? AND ?`;
  const [row] = await facts.copy.query<{ found: unknown }>(text, [...values, first, last]);
  return Number(row?.found ?? 0);
}

async function orderOf(
  facts: CopyFacts,
  { receipt }: { readonly receipt: string },
  numbers: Numbers,
): Promise<Page> {
  const { sql, values } = orderLists.receiptFilter(facts.account.account, receipt);
  const text = `SELECT o.raw AS raw FROM orders o WHERE ${sql} ORDER BY ${orderLists.earliestFirst(facts.copy)}`;
  return found(await rowsOf(facts, text, values, order, numbers), `the receipt ${receipt}`);
}

async function* ticketsIn(
  facts: CopyFacts,
  coverage: Coverage,
  args: ticketLists.TicketArguments,
  numbers: Numbers,
): AsyncGenerator<Page> {
  const opened = ticketLists.openedIn(args);
  if (opened) requireDays(coverage, opened);
  else requireDays(coverage, wholeCopy(facts));
  const filter = ticketLists.ticketFilter(facts.copy, facts.account.account, args);
  const parts: Iterable<Days> = opened
    ? partsOf(coverage, opened)
    : [{ first: '0001-01-01', last: '9999-12-31' }];
  for (const { first, last } of parts) {
    const sql = `SELECT t.raw AS raw FROM tickets t WHERE ${filter.sql}
      AND t.opened_day BETWEEN ? AND ? ORDER BY ${ticketLists.latestFirst()}`;
    yield rowsOf(facts, sql, [...filter.values, first, last], ticket, numbers);
  }
}

function wholeCopy({ account, today }: CopyFacts): Days {
  return { first: account.firstDay, last: today };
}

async function ticketOf(
  facts: CopyFacts,
  { id }: { readonly id: string },
  numbers: Numbers,
): Promise<unknown> {
  const text = 'SELECT t.raw AS raw FROM tickets t WHERE t.account = ? AND t.ticket_id = ?';
  const rows = await rowsOf(facts, text, [facts.account.account, id], ticket, numbers);
  return found(rows, `the ticket ${id}`)[0];
}

/** The service answers 403 for what does not exist. */
function found(rows: Page, what: string): Page {
  if (rows.length > 0) return rows;
  throw new ApiError('refused', `The copy does not have ${what}.`, { status: 403 });
}

async function rowsOf(
  { copy }: CopyFacts,
  sql: string,
  values: Condition['values'],
  resource: Resource,
  numbers: Numbers,
): Promise<Page> {
  const found = await copy.query<{ raw: unknown }>(sql, values);
  const decode = rowDecoder(resource, numbers);
  return found.map(({ raw }) => decode(typeof raw === 'string' ? JSON.parse(raw) : raw));
}

function requirePersonalData(
  { hasPersonalData }: CopyFacts,
  { email, lastName, postalCode }: orderLists.OrderArguments,
): void {
  if (hasPersonalData || [email, lastName, postalCode].every((one) => one === undefined)) return;
  throw new ApiError('request', 'The copy has no personal data, so customers are not in it.', {
    hint: 'Search by receipt, or leave out --local.',
  });
}
