/** Runs `cb find`: searches, and shows the orders and tickets in the format that was asked for. */
import { orders } from '../../operations/orders.ts';
import type { Resource } from '../../operations/resource.ts';
import { tickets } from '../../operations/tickets.ts';
import { render } from '../../output/render.ts';
import type { Row, Value } from '../../output/rows/rows.ts';
import { type Found, findAll, type Search } from '../../workflows/find/find.ts';
import { readQuery } from '../../workflows/find/query.ts';
import type { Days } from '../../workflows/period.ts';
import { zonedPeriods } from '../../workflows/zoned-period.ts';
import { startProgress } from '../display/progress.ts';
import { onePage, renderOptions, showPages, showValue, tellWritten } from '../display/show.ts';
import { type Sink, writeTo } from '../display/sink.ts';
import { printable } from '../display/texts.ts';
import { argumentsFrom } from '../endpoint/arguments.ts';
import { remember } from '../endpoint/recent.ts';
import type { Typed } from '../flags/flags.ts';
import type { OutputOptions } from '../flags/show-flags.ts';
import type { CommandContext } from '../runtime/command-context.ts';
import { withApi } from '../session/session.ts';
import { timeZoneOf } from '../terminal/zone.ts';
import { nextLines } from './next-lines.ts';
import { firstNameOnly, isFirstName, nothingFound } from './nothing-found.ts';
import { listRows, orderRow, shapes, ticketRow } from './rows.ts';
import { searchPeriod } from './search-period.ts';

/** The last 90 days with today. */
const usual = { startDate: '-89d', endDate: 'today' };

export async function find(
  cmd: CommandContext,
  output: OutputOptions,
  typed: Typed,
  words: readonly string[],
): Promise<void> {
  const query = readQuery(words);
  const given = typed.period === undefined ? { ...usual, ...definedIn(typed) } : typed;
  const { args } = await argumentsFrom(cmd, searchPeriod, given);
  const days = daysOf(args);
  const zoned = zonedPeriods(searchPeriod, args, timeZoneOf(cmd).name);
  const found = await search(cmd, { query, days: daysOf(zoned.args), within: zoned.ranges[0] });
  await show(cmd, output, found);
  cmd.messages.debug(`The search took ${found.requests} requests.`);
  if (found.orders.length + found.tickets.length === 0) {
    cmd.messages.say(nothingFound(query, days, found).join('\n'));
    return;
  }
  if (found.orders.length === 0 && isFirstName(query)) {
    cmd.messages.say(`note: ${firstNameOnly}`);
  }
  await remember(cmd, orders.list, {}, found.orders);
  await remember(cmd, tickets.list, {}, found.tickets);
}

function definedIn(typed: Typed): Typed {
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined));
}

function daysOf(args: object): Days {
  const { startDate: first, endDate: last } = args as { startDate: string; endDate: string };
  return { first, last };
}

async function search(cmd: CommandContext, asked: Search): Promise<Found> {
  const progress = startProgress(cmd, async () => undefined);
  try {
    return await withApi(cmd, {}, (client) =>
      findAll(client, { ...asked, onResponse: (rows) => progress.add(rows) }),
    );
  } finally {
    progress.stop();
  }
}

async function show(cmd: CommandContext, output: OutputOptions, found: Found): Promise<void> {
  if (output.format === 'json') {
    await showValue(cmd, output, {
      orders: printable(orders.list, found.orders as Value),
      tickets: printable(tickets.list, found.tickets as Value),
    });
  } else if (output.format === 'table') await showTables(cmd, output, found);
  else await showList(cmd, output, found);
}

async function showList(cmd: CommandContext, output: OutputOptions, found: Found): Promise<void> {
  const rows = printed(shapes.list, listRows(found.orders, found.tickets));
  // Of the messages of a list, only the one for an empty list does not fit.
  const silent = rows.length === 0 ? { ...cmd.messages, tell: () => undefined } : cmd.messages;
  await showPages({ ...cmd, messages: silent }, output, { resource: shapes.list }, onePage(rows));
}

/** More rows than this do not help a person to choose. */
const mostShown = 20;

async function showTables(cmd: CommandContext, output: OutputOptions, found: Found): Promise<void> {
  const tables = [
    { name: 'Orders', shape: shapes.orders, rows: found.orders.map(orderRow) },
    { name: 'Tickets', shape: shapes.tickets, rows: found.tickets.map(ticketRow) },
  ].filter(({ rows }) => rows.length > 0);
  if (tables.length === 0) return;
  const fill = async (sink: Sink) => {
    for (const [at, { name, shape, rows }] of tables.entries()) {
      const isCut = rows.length > mostShown;
      const count = isCut ? `the newest ${mostShown} of ${rows.length}` : rows.length;
      await sink.write(`${at === 0 ? '' : '\n'}${name} (${count})\n`);
      const options = renderOptions(cmd, output, { resource: shape });
      const shown = printed(shape, rows.slice(0, mostShown));
      const quiet = { ...options, onColumns: () => undefined };
      await sink.write(await render('table', shown, quiet));
    }
  };
  await writeTo(cmd.context, output.out, fill, 'drawing');
  tellWritten(cmd, output);
  if (tables.some(({ rows }) => rows.length > mostShown)) {
    cmd.messages.tell('');
    cmd.messages.tell('To see all of them, use -o csv. To see fewer, use a shorter --period.');
  }
  tellNext(cmd, output, found);
}

/** Amounts as numbers, with the digits as sent. */
function printed(shape: Resource, rows: readonly Row[]): readonly Row[] {
  const operation = { ...orders.list, returns: { kind: 'list', resource: shape } } as const;
  return printable(operation, rows) as readonly Row[];
}

function tellNext(cmd: CommandContext, { out }: OutputOptions, found: Found): void {
  const { context, messages } = cmd;
  if (!messages.watched || !context.stdout.isTTY || out !== undefined) return;
  const lines = nextLines(cmd, found).map((line) => `  ${line}`);
  if (lines.length > 0) messages.show(['', 'Next:', ...lines].join('\n'));
}
