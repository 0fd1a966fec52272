/** A queue of tickets on a served sandbox, and people who press its keys. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Client } from '../../src/client/client.ts';
import type { Clock } from '../../src/client/clock.ts';
import type { Entry } from '../../src/ledger/entry.ts';
import { orders } from '../../src/operations/orders.ts';
import { tickets } from '../../src/operations/tickets.ts';
import type { Prompts } from '../../src/shell/terminal/prompts.ts';
import { home, type Options } from './cb.ts';
import { clientOf, listed } from './client.ts';
import { forwardingTo, type Hooks } from './gateway.ts';
import { type Asked, agent, type Person } from './person.ts';
import { serveSandbox } from './sandbox.ts';
import { virtualClock } from './virtual-clock.ts';

export { agent, person as script } from './person.ts';
export { asOneLine as oneLine } from './refusal.ts';

const usualAnswers: readonly (readonly [question: RegExp, answer: string])[] = [
  [/^Which payment/, '1'],
  [/^How much/, 'f'],
  [/subscription\?$/, 'e'],
  [/^What is the reason/, '2'],
  [/^Send it/, 'y'],
  [/^Allow/, 'y'],
  [/^Which reply/, '1'],
  [/^Reply/, 'On it'],
  [/^Why do you reopen/, 'Again'],
  [/^This was the last/, 'q'],
];

/** Whether the screen of a ticket, or of a ticket that can't be read, is shown. */
function isTicketScreen({ question, shown }: Asked): boolean {
  return question === '' && shown.quit !== undefined;
}

/** Presses the keys of `tasks` on each ticket if they are shown, answers questions as usual, and goes to the next. */
export function worker(tasks: (position: number) => readonly string[]): Person {
  let position = 0;
  let left = [...tasks(0)];
  return agent((asked) => {
    if (!isTicketScreen(asked)) {
      const known = usualAnswers.find(([words]) => words.test(asked.question));
      return known?.[1] ?? 'space';
    }
    const offered = Object.values(asked.shown);
    const task = left.find((key) => offered.includes(key));
    if (task !== undefined) {
      left = left.slice(left.indexOf(task) + 1);
      return task;
    }
    position += 1;
    left = [...tasks(position)];
    return 's';
  });
}

/** The entries of the queue in the ledger of a home, in the order in which they were sent. */
function queueEntries(folder: string): readonly Entry[] {
  const path = join(folder, '.local/share/clickbank-cli/ledger.ndjson');
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const entries = new Map<string, Entry>();
  for (const line of lines) {
    const state = JSON.parse(line) as Entry;
    entries.set(state.id, { ...entries.get(state.id), ...state });
  }
  return [...entries.values()].filter(({ origin }) => origin === 'queue');
}

/** A sandbox with at least `least` open tickets, and a home that works on them. */
export async function servedQueue({ orders: count = 120, least = 0 } = {}) {
  const served = await serveSandbox({ orders: count });
  const { sandbox, key, env, writes } = served;
  const client = clientOf(sandbox.url, { apiKey: key, maxWait: 0 });
  await openTickets(client, least);
  const before = writes().length;
  const { folder, cb } = home();
  const log = () => queueEntries(folder);
  const file = join(folder, 'log.csv');
  const csv = (): Record<string, string>[] => parse(readFileSync(file, 'utf8'), { columns: true });
  return {
    ...{ ...served, client, folder, log, csv, cb },
    /** The environment of a service that changes the bodies of the sandbox. */
    altered: async (alter: NonNullable<Hooks['alter']>) => ({
      ...env,
      CB_BASE_URL: (await forwardingTo(sandbox.url, { alter })).url,
    }),
    /** The writes since the queue was prepared. */
    sent: () => writes().slice(before),
    work: (person: Prompts, options: Partial<Options> & { readonly args?: string } = {}) => {
      const { args = '', ...more } = options;
      const clock: Clock = options.clock ?? virtualClock();
      const line = `tickets work --log log.csv --max-wait 0 ${args}`;
      return cb(line, { env, columns: 80, person, ...more, clock });
    },
  };
}

/** Opens support tickets on refundable sales until there are enough. */
async function openTickets(client: Client, least: number): Promise<void> {
  const open = await waitingTickets(client);
  if (open.length >= least) return;
  const taken = new Set(open.map(({ receipt }) => receipt));
  const sales = await refundableSales(client, { role: 'VENDOR' });
  const usable = sales.filter(({ receipt }) => !taken.has(receipt));
  for (const { receipt } of usable.slice(0, least - open.length)) {
    const reason = 'ticket.type.tech_support.4';
    await client.call(tickets.create, { receipt: receipt ?? '', type: 'tech', reason });
  }
}

/** The sales of one item that can be refunded, the newest first. */
async function refundableSales(client: Client, filter: { role?: 'VENDOR'; vendor?: string }) {
  const year = { startDate: '2025-03-19', endDate: '2026-03-18', type: 'SALE' } as const;
  const sales = await listed(client.pages(orders.list, { ...year, ...filter }));
  return sales.filter(
    ({ customerRefundableState, lineItemData }) =>
      customerRefundableState === 'REFUNDABLE' && lineItemData?.length === 1,
  );
}

export async function waitingTickets(client: Client) {
  const filter = { status: ['open', 'reopened'] } as never;
  return listed(client.pages(tickets.list, filter));
}

/** The receipt of the newest one-time sale of a single item by a vendor. */
export async function newestSale(client: Client, vendor: string, currency?: string) {
  const sales = await refundableSales(client, { vendor });
  const sale = sales
    .filter((one) => currency === undefined || one.currency === currency)
    .find(({ lineItemData }) => !lineItemData?.[0]?.recurring);
  if (!sale?.receipt) throw new Error(`${vendor} sold nothing of the kind`);
  return sale.receipt;
}

interface OneTicket {
  readonly receipt?: string;
  /** Its newest sale gets the ticket. */
  readonly vendor?: string;
  readonly orders?: number;
  /** Of the ticket. */
  readonly reason?: `ticket.type.tech_support.${4 | 10}`;
}

/** A refundable sale with a support ticket, alone in the queue. */
export async function oneTicket(options: OneTicket = {}) {
  const { receipt: named, vendor, reason = 'ticket.type.tech_support.4' } = options;
  const at = await servedQueue(options);
  const receipt = named ?? (vendor ? await newestSale(at.client, vendor) : 'DIGITAL1');
  await at.client.call(tickets.create, { receipt, type: 'tech', reason });
  const before = at.sent().length;
  const args = `--receipt ${receipt}`;
  return { ...at, receipt, args, sent: () => at.sent().slice(before) };
}
