/** How each changing operation is looked after: what to look at before, and how to tell afterwards. */
import type { Api } from '../api/client.ts';
import type { Arguments, Operation } from '../operations/operation.ts';
import { orders } from '../operations/orders.ts';
import { products } from '../operations/products.ts';
import { notices, notices2, notices3 } from '../operations/shipping.ts';
import { tickets } from '../operations/tickets.ts';
import { failureFrom } from './failure.ts';

/** JSON. What was there before a write, by which a lost answer can be told later. */
export type Mark =
  | string
  | number
  | boolean
  | null
  | readonly Mark[]
  | { readonly [name: string]: Mark };

export interface Seen {
  /** An equal thing that is there already, in words. */
  readonly same?: string;
  readonly mark: Mark;
}

/** Whether a write was done; undefined where nobody can tell. */
export type Told =
  | { readonly done: true; readonly reply?: unknown }
  | { readonly done: false }
  | undefined;

/** How an operation is looked after. */
export interface Care {
  look(api: Api, args: Arguments): Promise<Seen>;
  tell(api: Api, args: Arguments, mark: Mark): Promise<Told>;
}

type Args = Readonly<Record<string, string | number | boolean | undefined>>;
type Fields = Readonly<Record<string, unknown>>;

/** The service's words for the kinds of tickets that are asked for in others. */
const kinds: Readonly<Record<string, string>> = {
  rfnd: 'REFUND',
  cncl: 'CANCEL',
  tech: 'TECH_SUPPORT',
};

/** A key may write without reading: then nothing is seen, and nothing can be told. */
async function unlessRefused<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const { status } = failureFrom(error);
    if (status === 403 || status === 404 || status === 400) return undefined;
    throw error;
  }
}

async function ticketsOf(api: Api, receipt: string): Promise<Fields[]> {
  const found: Fields[] = [];
  for await (const { rows } of api.pages(tickets.list, { receipt })) {
    // For a subscription the service answers the tickets of its rebills too.
    for (const row of rows) if (row.receipt === receipt) found.push(row);
  }
  return found;
}

const createTicket: Care = {
  async look(api, args) {
    const { receipt, type } = args as Args;
    const found = await unlessRefused(() => ticketsOf(api, String(receipt)));
    if (!found) return { mark: null };
    const kind = kinds[String(type)];
    const open = found.find((one) => one.type === kind && one.status !== 'CLOSED');
    return {
      ...(open && { same: `${receipt} has an open ${kind} ticket already: ${open.ticketid}` }),
      mark: found.map(({ ticketid }) => String(ticketid)),
    };
  },
  async tell(api, args, mark) {
    const { receipt, type } = args as Args;
    if (!Array.isArray(mark)) return undefined;
    const found = await ticketsOf(api, String(receipt));
    const reply = found.find(
      (one) => one.type === kinds[String(type)] && !mark.includes(String(one.ticketid)),
    );
    return reply ? { done: true, reply } : { done: false };
  },
};

/** A ticket before and after; `changed` tells from both whether the write was done. */
function ticketAction(changed: (now: Fields, args: Args, before: Fields) => boolean): Care {
  const read = async (api: Api, args: Arguments) =>
    (await api.call(tickets.get, { id: String((args as Args).id) })) as Fields;
  return {
    async look(api, args) {
      const ticket = await unlessRefused(() => read(api, args));
      if (!ticket) return { mark: null };
      const { status, type } = ticket;
      return { mark: { status: String(status), type: String(type), log: logOf(ticket).length } };
    },
    async tell(api, args, mark) {
      if (mark === null || typeof mark !== 'object') return undefined;
      const ticket = await read(api, args);
      return changed(ticket, args as Args, mark as Fields)
        ? { done: true, reply: ticket }
        : { done: false };
    },
  };
}

function logOf(ticket: Fields): readonly Fields[] {
  return (ticket.comments as readonly Fields[] | undefined) ?? [];
}

/** What was written into the log since. */
function added(now: Fields, before: Fields): readonly Fields[] {
  const log = logOf(now);
  return log.length > Number(before.log) ? log : [];
}

function addNotice(list: typeof notices.list | typeof notices2.list): Care {
  const read = async (api: Api, receipt: unknown) =>
    (await api.call(list as typeof notices2.list, { receipt: String(receipt) })) as Fields[];
  const like =
    ({ carrier, tracking, item }: Args) =>
    (notice: Fields) =>
      notice.carrier === carrier &&
      (notice.trackingId ?? undefined) === tracking &&
      (item === undefined || notice.itemNo === undefined || notice.itemNo === item);
  return {
    async look(api, args) {
      const { receipt, carrier, tracking } = args as Args;
      const found = await unlessRefused(() => read(api, receipt));
      if (!found) return { mark: null };
      const equal = found.filter(like(args as Args));
      const same = equal.length > 0 && tracking !== undefined;
      return {
        ...(same && { same: `${receipt} has a notice of ${carrier} ${tracking} already` }),
        mark: equal.length,
      };
    },
    async tell(api, args, mark) {
      if (typeof mark !== 'number') return undefined;
      const equal = (await read(api, (args as Args).receipt)).filter(like(args as Args));
      return equal.length > mark ? { done: true, reply: equal.at(-1) } : { done: false };
    },
  };
}

/** The subscription of a sale, as its line item shows it; `isDone` tells from before and after. */
function subscription(
  isDone: (now: Fields, args: Args, before: Fields) => boolean | undefined,
): Care {
  const read = async (api: Api, args: Arguments): Promise<Fields | undefined> => {
    const { receipt, sku, oldSku, newSku } = args as Args;
    const [sale] = await api.call(orders.get, { receipt: String(receipt) });
    const lines = (sale?.lineItemData ?? []) as readonly Fields[];
    const wanted = [sku, oldSku, newSku].filter((one) => one !== undefined);
    const line = lines.find(({ itemNo }) => wanted.includes(String(itemNo))) ?? lines[0];
    return line && { ...line, futurePayments: Number(String(line.futurePayments ?? 0)) };
  };
  return {
    async look(api, args) {
      const line = await unlessRefused(() => read(api, args));
      if (!line) return { mark: null };
      const { itemNo, status, nextPaymentDate, futurePayments, rebillAmount } = line;
      const mark = { itemNo, status, nextPaymentDate, futurePayments, rebillAmount } as Mark;
      return { mark: JSON.parse(JSON.stringify(mark)) as Mark };
    },
    async tell(api, args, mark) {
      if (mark === null || typeof mark !== 'object') return undefined;
      const line = await read(api, args);
      if (!line) return undefined;
      const done = isDone(line, args as Args, mark as Fields);
      return done === undefined ? undefined : { done };
    },
  };
}

/** So many payments to come stand for a subscription without an end. */
const endless = 999;

function isDue(line: Fields, day: unknown): boolean {
  return String(line.nextPaymentDate ?? '').startsWith(String(day));
}

/** A sale keeps the item that was sold; the terms of its subscription are those of the new one. */
function isProductChanged(now: Fields, { newSku }: Args, before: Fields): boolean {
  const text = (value: unknown) => JSON.stringify(value ?? null);
  const terms = ['nextPaymentDate', 'rebillAmount', 'futurePayments'] as const;
  return now.itemNo === newSku || terms.some((name) => text(now[name]) !== text(before[name]));
}

const deleteProduct: Care = {
  look: async () => ({ mark: null }),
  async tell(api, args): Promise<Told> {
    const { sku, site } = args as Args;
    const product = { sku: String(sku), site: String(site) };
    const found = await unlessRefused(() => api.call(products.get, product));
    return { done: found === undefined };
  },
};

const cares: ReadonlyMap<unknown, Care> = new Map<unknown, Care>([
  [tickets.create, createTicket],
  [tickets.close, ticketAction((now) => now.status === 'CLOSED')],
  [tickets.reopen, ticketAction((now) => now.status !== 'CLOSED')],
  [tickets.change, ticketAction((now, { type }) => now.type === kinds[String(type)])],
  [
    tickets.comment,
    ticketAction((now, { comment }, before) =>
      added(now, before).some((entry) => entry.comment === comment),
    ),
  ],
  [
    tickets.returned,
    ticketAction((now, _, before) =>
      added(now, before).some(({ action }) => action === 'REFUND_ACKED'),
    ),
  ],
  [notices.add, addNotice(notices.list)],
  [notices2.add, addNotice(notices2.list)],
  [notices3.add, addNotice(notices3.list)],
  [orders.pause, subscription((now, { restartDate }) => isDue(now, restartDate))],
  [orders.changeDate, subscription((now, { changeDate }) => isDue(now, changeDate))],
  [orders.reinstate, subscription(({ status }) => status === 'ACTIVE')],
  [
    orders.extend,
    subscription(({ futurePayments }, { numPeriods }, before) =>
      // An endless subscription looks the same before and after.
      before.futurePayments === endless
        ? undefined
        : futurePayments === Number(before.futurePayments) + Number(numPeriods),
    ),
  ],
  [orders.changeProduct, subscription(isProductChanged)],
  [products.delete, deleteProduct],
]);

/** Undefined where nothing can be read back: a new address, a saved product. */
export function careOf(operation: Operation): Care | undefined {
  return cares.get(operation);
}
