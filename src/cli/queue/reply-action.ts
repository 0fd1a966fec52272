/** Replies to a customer: chooses a saved reply or asks for a text, which can be edited before it is sent. */
import { requestFor, urlOf } from '../../client/http/request.ts';
import { tickets } from '../../operations/tickets.ts';
import {
  fillReply,
  openPlaceholders,
  type ReplyValues,
} from '../../workflows/queue/saved-replies.ts';
import { itemOf, type TicketDetails } from '../../workflows/queue/ticket-details.ts';
import { customerOf, money, titlesOf } from '../../workflows/safe-write/sentence.ts';
import { problemWith } from '../flags/values.ts';
import type { Proposal } from './confirm-action.ts';
import { draw, wrapped } from './screen.ts';
import { idOf, sentenceOf, type WorkContext } from './work-context.ts';

/** Undefined if the person gave up. */
export async function proposeReply(
  context: WorkContext,
  details: TicketDetails,
): Promise<Proposal | undefined> {
  const chosen = await chooseText(context);
  if (chosen === undefined) return undefined;
  const { text, missing } = fillReply(chosen, valuesFor(details));
  if (chosen === '') return edit(context, details, '');
  if (missing.length > 0) {
    const names = missing.map((name) => `{${name}}`).join(', ');
    draw(context, wrapped(context, `${names} has no value for this ticket. Edit the text.`));
    return edit(context, details, text);
  }
  const problem = problemOf(context, details, text);
  if (problem === undefined) return proposalOf(context, details, text);
  draw(context, wrapped(context, problem));
  return edit(context, details, text);
}

export function valuesFor(details: TicketDetails): ReplyValues {
  const { ticket, payment } = details;
  const { customerFirstName, customerLastName, email, receipt } = ticket;
  const item = itemOf(details);
  const items = item ? [item] : (payment?.lineItemData ?? []);
  const values = {
    firstName: customerFirstName,
    lastName: customerLastName,
    fullName: customerOf(ticket) || payment?.fullName,
    email,
    receipt,
    product: titlesOf(items).join(', '),
    amount: money(payment?.totalOrderAmount, payment?.currency),
    ticketId: idOf(details),
  };
  const present = Object.entries(values).filter(([, value]) => value);
  return Object.fromEntries(present) as ReplyValues;
}

const digits = '123456789';

/** The text of a saved reply; empty to type one; undefined to go back. */
async function chooseText({ prompts, replies }: WorkContext): Promise<string | undefined> {
  const names = [...replies.keys()];
  if (names.length === 0) return '';
  const key = await prompts.key('Which reply?', [
    ...names.slice(0, digits.length).map((name, i) => ({ key: digits[i] ?? '', name })),
    ...(names.length > digits.length ? [{ key: 'm', name: 'more replies' }] : []),
    { key: 't', name: 'type one' },
    { key: 'escape', name: 'back' },
  ]);
  if (key === 'escape') return undefined;
  if (key === 't') return '';
  const name =
    key === 'm'
      ? await prompts.select(
          'Which reply?',
          names.map((value) => ({ value, name: value })),
        )
      : names[digits.indexOf(key)];
  return replies.get(name ?? '') ?? '';
}

/** An empty text goes back. */
async function edit(
  context: WorkContext,
  details: TicketDetails,
  before: string,
): Promise<Proposal | undefined> {
  const typed = await context.prompts.input(
    'Reply (empty: back):',
    (answer) => problemOf(context, details, answer.trim()),
    before,
  );
  const text = typed.trim();
  return text === '' ? undefined : proposalOf(context, details, text);
}

function proposalOf(context: WorkContext, details: TicketDetails, text: string): Proposal {
  return {
    ...{ name: 'reply', operation: tickets.comment, args: { id: idOf(details), comment: text } },
    edit: () => edit(context, details, text),
  };
}

/** What is wrong with a text; an empty one means that nothing is sent. */
function problemOf(
  { baseUrl, today }: WorkContext,
  details: TicketDetails,
  comment: string,
): string | undefined {
  if (comment === '') return undefined;
  const [open] = openPlaceholders(comment);
  if (open !== undefined) return `Replace {${open}}, which has no value for this ticket.`;
  try {
    urlOf(baseUrl, requestFor(tickets.comment, { id: idOf(details), comment }));
  } catch (error) {
    return sentenceOf(error);
  }
  return problemWith(tickets.comment.params.comment, comment, today);
}
