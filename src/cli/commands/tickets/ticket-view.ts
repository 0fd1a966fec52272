/** How tickets are shown to people: how old they are, when they expire, and what was said last. */

import { serviceZone } from '../../../dates/pacific.ts';
import { ageText, dueText } from '../../../dates/relative.ts';
import type { Arguments } from '../../../operations/operation.ts';
import { tickets } from '../../../operations/tickets.ts';
import type { DerivedField, Row, Value } from '../../../output/rows/rows.ts';
import { itemsOf, joined } from '../../display/texts.ts';
import type { View, ViewFacts } from '../../display/view.ts';

const wanted = ['status', 'receipt', 'refundAmount'];
const more = ['openedDate', 'refundType', 'email', 'expirationDate'];

const needed = [...['ticketid', 'expiresIn', 'type', 'age', 'customer', 'lastMessage', 'product']];

const shown = [
  ...['ticketid', 'type', 'age', 'expiresIn', 'status', 'receipt', 'customer', 'product'],
  ...['refundAmount', 'refundType', 'lastMessage', 'openedDate', 'expirationDate', 'email'],
];

/** The ages are those at the service, whose clock may differ from the one of this machine. */
export function ticketView(_: Arguments, facts: Partial<ViewFacts> = {}): View {
  const { now = () => new Date(), zone = serviceZone } = facts;
  return {
    resource: tickets.list.returns.resource,
    derived: { ...timesFor(now, zone), ...texts },
    columns: () => ({ shown, needed, wanted, more, headings: { ticketid: 'ID' } }),
  };
}

function timesFor(now: () => Date, zone: string): Readonly<Record<string, DerivedField>> {
  return {
    age: {
      kind: 'text',
      from: ({ openedDate }) => {
        const opened = momentOf(openedDate);
        return opened === undefined ? undefined : ageText(now().getTime() - opened);
      },
      // The youngest first, as for any other number.
      order: ({ openedDate }) => negative(momentOf(openedDate)),
    },
    expiresIn: {
      kind: 'text',
      from: (row) => {
        const due = dueAt(row);
        return due === undefined ? undefined : dueText(new Date(due), now(), zone);
      },
      order: dueAt,
    },
  };
}

const texts: Readonly<Record<string, DerivedField>> = {
  customer: {
    kind: 'text',
    least: 10,
    from: ({ customerFirstName, customerLastName, email }) =>
      joined([customerFirstName, customerLastName]) ?? email,
  },
  /** The rows have no title. */
  product: { kind: 'text', names: 'sku', from: ({ productItemNo }) => productItemNo },
  lastMessage: { kind: 'text', from: lastMessage },
};

function momentOf(time: Value): number | undefined {
  const moment = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

function negative(number: number | undefined): number | undefined {
  return number === undefined ? undefined : 0 - number;
}

/** A closed ticket no longer expires. */
function dueAt({ status, expirationDate }: Row): number | undefined {
  return status === 'CLOSED' ? undefined : momentOf(expirationDate);
}

/** The latest comment with text, after `You:` if the vendor wrote it. */
function lastMessage({ comments }: Row): string | undefined {
  const written = itemsOf(comments).filter(({ comment }) => joined([comment]) !== undefined);
  const last = written.reduce<Row | undefined>(
    (latest, one) =>
      latest && (momentOf(latest.date) ?? 0) > (momentOf(one.date) ?? 0) ? latest : one,
    undefined,
  );
  if (!last) return undefined;
  return last.commentRole === 'VENDOR' ? `You: ${String(last.comment)}` : String(last.comment);
}
