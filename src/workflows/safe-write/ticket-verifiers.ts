/** Verifiers of the writes that create and change tickets. */
import type { Client } from '../../client/client.ts';
import { tickets } from '../../operations/tickets.ts';
import { type Fields, unlessRefused, type Values, type WriteVerifier } from './verifier.ts';

/** The types of tickets: requests and replies name them differently. */
const ticketTypes: Readonly<Record<string, string>> = {
  rfnd: 'REFUND',
  cncl: 'CANCEL',
  tech: 'TECH_SUPPORT',
};

function typeOf({ type }: Values): string | undefined {
  return ticketTypes[String(type)];
}

/** Where the service says that a request over the API opened a ticket, or does not say who did. */
const ownSources: readonly unknown[] = [undefined, null, 'API', 'UNKNOWN'];

/** The ticket is as asked for; a customer may open another one at the same moment. */
function isFrom(one: Fields, wanted: Values): boolean {
  const { refundType } = wanted;
  const isAsked = one.refundType == null || refundType === undefined;
  return (
    one.type === typeOf(wanted) &&
    isSameItem(one, wanted) &&
    ownSources.includes(one.source) &&
    (isAsked || one.refundType === refundType)
  );
}

/** A ticket of the type whose ID is new was created after the snapshot. */
export const createTicket: WriteVerifier = {
  async look(api, args: Values) {
    const receipt = String(args.receipt);
    const found = await unlessRefused(() => ticketsOf(api, receipt));
    if (!found) return undefined;
    const type = typeOf(args);
    const allOpen = found.filter((one) => one.type === type && one.status !== 'CLOSED');
    const open = allOpen.find((one) => isSameItem(one, args)) ?? allOpen[0];
    return {
      ...(open && matchOf(open, args)),
      snapshot: found.map(({ ticketid }) => String(ticketid)),
      find(wanted: Values, before) {
        if (!Array.isArray(before)) return undefined;
        const reply = found.find(
          (one) => isFrom(one, wanted) && !before.includes(String(one.ticketid)),
        );
        return reply && { reply };
      },
    };
  },
  mayMistake: (earlier: Values, later: Values) => typeOf(earlier) === typeOf(later),
};

function matchOf(open: Fields, args: Values) {
  const { receipt } = args;
  const isOtherItem = !isSameItem(open, args);
  const item = isOtherItem ? ` for ${open.productItemNo}` : '';
  const words = `${receipt} already has an open ${open.type} ticket${item} (${open.ticketid})`;
  return { existingMatch: words, isOtherItem };
}

/** False only where the ticket and the request each name an item of the order. */
function isSameItem({ productItemNo }: Fields, { sku }: Values): boolean {
  return sku === undefined || productItemNo == null || productItemNo === sku;
}

async function ticketsOf(api: Client, receipt: string): Promise<Fields[]> {
  const found: Fields[] = [];
  for await (const { rows } of api.pages(tickets.list, { receipt })) {
    // For a subscription, the service also lists the tickets of its rebills.
    for (const row of rows) if (isReceipt(row, receipt)) found.push(row);
  }
  return found;
}

function isReceipt(row: Fields, receipt: string): boolean {
  return String(row.receipt).toUpperCase() === receipt.toUpperCase();
}

interface TicketChange {
  /** The ticket is as the write leaves it; always true where only the log shows the write. */
  holds?(ticket: Fields, args: Values): boolean;
  /** An entry that the write adds to the log of the ticket. */
  logs(entry: Fields, args: Values): boolean;
}

/** The write is seen if the ticket holds what it did not hold before, or has one more log entry of it. */
function changeTicket({ holds, logs }: TicketChange): WriteVerifier {
  return {
    async look(api, args: Values) {
      const id = String(args.id);
      const ticket = await unlessRefused<Fields>(() => api.call(tickets.get, { id }));
      if (!ticket) return undefined;
      const stateFor = (values: Values) => ({
        holds: holds?.(ticket, values) ?? true,
        entries: logOf(ticket).filter((entry) => logs(entry, values)).length,
      });
      return {
        snapshot: stateFor(args),
        find(wanted: Values, before) {
          const old = before as ReturnType<typeof stateFor> | null;
          const now = stateFor(wanted);
          const isNew = old !== null && (!old.holds || now.entries > old.entries);
          return now.holds && isNew ? { reply: ticket } : undefined;
        },
      };
    },
  };
}

function logOf({ comments }: Fields): readonly Fields[] {
  return (comments as readonly Fields[] | undefined) ?? [];
}

export const closeTicket = changeTicket({
  holds: ({ status }) => status === 'CLOSED',
  logs: ({ action }) => action === 'CLOSED',
});

export const reopenTicket = changeTicket({
  holds: ({ status }) => status !== 'CLOSED',
  logs: ({ action }) => action === 'REOPENED',
});

export const changeTicketType = changeTicket({
  holds: ({ type }, args) => type === typeOf(args),
  logs: ({ action }) => action === 'CHANGED',
});

export const commentTicket = changeTicket({
  logs: ({ comment }, args) => comment === args.comment,
});

export const returnTicket = changeTicket({
  logs: ({ action }) => action === 'REFUND_ACKED',
});
