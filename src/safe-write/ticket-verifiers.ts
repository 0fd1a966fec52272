/** Verifiers of the writes that create and change tickets. */
import { isSameId, isSameItem } from '../operations/operation.ts';
import { tickets, ticketTypes } from '../operations/tickets.ts';
import { ticketsOf } from './reads.ts';
import { type Fields, unlessRefused, type Values, type WriteVerifier } from './verifier.ts';

function typeOf({ type }: Values): string | undefined {
  return ticketTypes[String(type)];
}

/** Sources of tickets that may have been created over the API. */
const ownSources: readonly unknown[] = [undefined, null, 'API', 'UNKNOWN'];

/** Whether the ticket matches the request; a customer may open another one at the same time. */
function isFrom(one: Fields, wanted: Values): boolean {
  const { refundType } = wanted;
  const isAnyRefundType = one.refundType == null || refundType === undefined;
  return (
    one.type === typeOf(wanted) &&
    isSameItem(one.productItemNo, wanted.sku) &&
    ownSources.includes(one.source) &&
    (isAnyRefundType || one.refundType === refundType)
  );
}

/** Verifies by a ticket of the same type that was not in the snapshot. */
export const createTicket: WriteVerifier = {
  async look(client, args: Values) {
    const receipt = String(args.receipt);
    const listed = await unlessRefused(() => ticketsOf(client, receipt));
    if (!listed) return undefined;
    const found = listed.filter((one) => isSameId(one.receipt, receipt));
    const type = typeOf(args);
    const allOpen = found.filter((one) => one.type === type && one.status !== 'CLOSED');
    const open = allOpen.find((one) => isSameItem(one.productItemNo, args.sku)) ?? allOpen[0];
    return {
      ...(open && matchOf(open, args)),
      isThere: open !== undefined,
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
  refusedIfThere: /already/i,
  mayMistake: (earlier: Values, later: Values) => typeOf(earlier) === typeOf(later),
};

function matchOf(open: Fields, args: Values) {
  const { receipt } = args;
  const isOtherItem = !isSameItem(open.productItemNo, args.sku);
  const item = isOtherItem ? ` for ${open.productItemNo}` : '';
  const existingMatch = `${receipt} already has an open ${open.type} ticket${item} (${open.ticketid})`;
  return { existingMatch, isOtherItem };
}

interface TicketChange {
  /** Whether the ticket has the state after the write; always true if only the log shows the write. */
  holds?(ticket: Fields, args: Values): boolean;
  /** Whether a log entry of the ticket comes from such a write. */
  logs(entry: Fields, args: Values): boolean;
  readonly refusedIfThere?: RegExp;
}

/** Verifies by a changed state of the ticket, or by an additional log entry. */
function changeTicket({ holds, logs, refusedIfThere }: TicketChange): WriteVerifier {
  return {
    ...(refusedIfThere && { refusedIfThere }),
    async look(client, args: Values) {
      const id = String(args.id);
      const ticket = await unlessRefused<Fields>(() => client.call(tickets.get, { id }));
      if (!ticket) return undefined;
      const stateFor = (values: Values) => ({
        holds: holds?.(ticket, values) ?? true,
        entries: logOf(ticket).filter((entry) => logs(entry, values)).length,
      });
      const snapshot = stateFor(args);
      return {
        snapshot,
        isThere: holds ? snapshot.holds : snapshot.entries > 0,
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
  refusedIfThere: /already/i,
});

export const reopenTicket = changeTicket({
  holds: ({ status }) => status !== 'CLOSED',
  logs: ({ action }) => action === 'REOPENED',
  refusedIfThere: /already|not closed/i,
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
  refusedIfThere: /already|no refund/i,
});
