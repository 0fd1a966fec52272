/** Shows one ticket after the other and does what the keys say, until the person quits or the queue ends. */
import { within } from '../../../client/clock.ts';
import { ticketTypeNames } from '../../../safe-write/sentence.ts';
import { backAnswer, type KeyChoice } from '../../../shell/terminal/prompts.ts';
import { freshDetails, lookAgain, proposeAction, whyBlocked } from './confirm-action.ts';
import { type ActionName, whyNot } from './possible-actions.ts';
import { proposals, proposeUndo, typeText } from './proposals.ts';
import { clearScreen, draw, type Line, showPaged, wrapped } from './screen.ts';
import type { QueuedTicket, TicketDetails } from './ticket-details.ts';
import { moreLines, orderLines, ticketScreen } from './ticket-screen.ts';
import {
  endsSession,
  heightOf,
  idOf,
  notify,
  type QueueDetails,
  sentenceOf,
  subjectKey,
  type WorkContext,
  widthOf,
} from './work-context.ts';

/** How many of the next tickets are read in the background. */
const ahead = 2;

export async function workThrough(whole: WorkContext): Promise<void> {
  let context = whole;
  let position = 0;
  for (;;) {
    const { queue } = context;
    const key =
      position < queue.length ? await showTicket(context, position) : await askAtEnd(context);
    if (key === 'q') return;
    if (key === 's') position += 1;
    else if (key === 'b' && position > 0) position -= 1;
    else if (key === 'b') notify(context, 'This is the first ticket.');
    else if (key === '/') position = (await findTicket(context)) ?? position;
    else if (key === 'v') {
      const current = queue[position];
      context = (await filterQueue(whole)) ?? context;
      position = current ? Math.max(0, context.queue.indexOf(current)) : 0;
    }
  }
}

function askAtEnd(context: WorkContext): Promise<string> {
  clearScreen(context);
  draw(context, noticeLines(context));
  const filter = context.filter ? ` (${context.filter.toLowerCase()})` : '';
  return context.prompts.key(`This was the last ticket${filter}.`, [
    { key: 'b', name: 'back' },
    { key: '/', name: 'find' },
    { key: 'v', name: 'filter' },
    { key: 'q', name: 'quit' },
  ]);
}

/** Asks for a ticket ID, a receipt or a part of a customer's name or address; resolves to a position in the queue. */
async function findTicket(context: WorkContext): Promise<number | undefined> {
  const { prompts, queue } = context;
  const text = await typeText(prompts, 'Ticket, receipt or customer', () => undefined);
  if (text === undefined) return undefined;
  const wanted = text.toLowerCase();
  const exact = queue.findIndex(
    ({ id, receipt }) => id === wanted || receipt.toLowerCase() === wanted,
  );
  if (exact >= 0) return exact;
  const found = queue.filter((one) => searchText(one).toLowerCase().includes(wanted));
  const [only] = found;
  if (!only) {
    notify(context, `No ticket of the queue has '${text}'.`);
    return undefined;
  }
  if (found.length === 1) return queue.indexOf(only);
  const choices = found.map((one) => ({ value: one.id, name: searchText(one) }));
  const id = await prompts.select('Which ticket?', [...choices, backChoice]);
  return id === backAnswer ? undefined : queue.findIndex((one) => one.id === id);
}

function searchText({ id, receipt, type, customer }: QueuedTicket): string {
  return [id, ticketTypeNames[type] ?? type, receipt, customer].filter(Boolean).join('  ');
}

const backChoice = { value: backAnswer, name: 'Back (Esc)' };

/** Lets the person choose a part of the queue, by type or age; undefined to leave it as it is. */
async function filterQueue(context: WorkContext): Promise<WorkContext | undefined> {
  const { queue, prompts, sender } = context;
  const now = sender.now().getTime();
  const day = 86_400_000;
  const parts: readonly (readonly [name: string, isIn: (one: QueuedTicket) => boolean])[] = [
    ['All tickets', () => true],
    ['Refunds', ({ type }) => type === 'REFUND'],
    ['Cancellations', ({ type }) => type === 'CANCEL'],
    ['Technical support', ({ type }) => type === 'TECH_SUPPORT'],
    ['Expiring within a day', ({ expires }) => expires !== undefined && expires < now + day],
    ['Open for more than two days', ({ opened }) => opened !== undefined && opened < now - 2 * day],
  ];
  const counted = parts.map(([name, isIn]) => ({ name, queue: queue.filter(isIn) }));
  const filled = counted.filter((part) => part.queue.length > 0);
  const chosen = await prompts.select('Which tickets?', [
    ...filled.map(({ name, queue: { length } }) => ({ value: name, name: `${name} (${length})` })),
    backChoice,
  ]);
  const part = filled.find(({ name }) => name === chosen);
  if (!part) return undefined;
  const isWhole = part.queue.length === queue.length;
  return { ...context, queue: part.queue, filter: isWhole ? undefined : part.name };
}

/** Handles the keys of one ticket; resolves to the key that leaves it. */
async function showTicket(context: WorkContext, position: number): Promise<string> {
  const { prompts, cmd } = context;
  for (;;) {
    // Reads the next tickets too, and forgets all others, so that memory stays flat.
    const ids = context.queue.slice(position, position + 1 + ahead).map(({ id }) => id);
    context.details.keep(ids);
    const details = await readTicket(context, position);
    if (!details) {
      const key = await prompts.key('', [
        { key: 't', name: 'try again' },
        { key: 's', name: 'skip' },
        { key: 'b', name: 'back' },
        { key: 'q', name: 'quit' },
      ]);
      if (key === 't') continue;
      return key;
    }
    // None if they are not read yet.
    const others = await within(context.clock, patience, () => details.others);
    const shown = ticketKeys(context, details);
    const columns = shown.reduce((sum, { name }) => sum + (name ? name.length + 4 : 0), 0);
    // One line more than the bar of keys, for the cursor.
    const room = heightOf(context) - Math.ceil(columns / widthOf(context)) - 1;
    const notices = noticeLines(context);
    clearScreen(context);
    draw(context, [
      ...ticketScreen(context, details, position, room - notices.length, others),
      ...notices,
    ]);
    const pressed = await prompts.key('', shown);
    // A key that the help lists runs from there.
    const key = pressed === '?' ? await showHelp(context, details) : pressed;
    if (['s', 'b', 'q', '/', 'v'].includes(key)) return key;
    try {
      await act(context, details, key);
    } catch (error) {
      cmd.messages.status('');
      if (endsSession(context, error)) throw error;
      notify(context, `${sentenceOf(error)} Press the key again to retry.`);
    }
  }
}

/** Undefined if the ticket can't be read; the screen then says why. */
async function readTicket(
  context: WorkContext,
  position: number,
): Promise<QueueDetails | undefined> {
  const { queue, cmd } = context;
  const id = queue[position]?.id ?? '';
  try {
    cmd.messages.status(`Reading ticket ${id} …`);
    const details = await context.details.get(id);
    cmd.messages.status('');
    return details;
  } catch (error) {
    cmd.messages.status('');
    if (endsSession(context, error)) throw error;
    clearScreen(context);
    draw(context, [
      { text: `${position + 1} of ${queue.length}   Ticket ${id}`, color: 'cyan' },
      ...noticeLines(context),
      ...wrapped(context, `The ticket can't be read: ${sentenceOf(error)}`),
    ]);
    return undefined;
  }
}

/** Milliseconds to wait for what is usually there already, since it was read in the background. */
const patience = 1000;

/** Takes the notices, so that each is shown once. */
function noticeLines(context: WorkContext): Line[] {
  const texts = context.done.notices.splice(0);
  return texts.flatMap((text) => wrapped(context, text, { color: 'green' }));
}

async function act(context: WorkContext, details: QueueDetails, key: string): Promise<void> {
  if (key === 'escape') return;
  if (key === 'd') {
    await showPaged(context, orderLines(context, details));
    return;
  }
  if (key === 'l') return lookAgain(context, details);
  if (key === 'm') {
    context.cmd.messages.status('Reading other orders and tickets …');
    const others = await details.others;
    context.cmd.messages.status('');
    await showPaged(context, moreLines(context, details, others));
    return;
  }
  const [, , , action] = keys.find(([one]) => one === key) ?? [];
  const why = action
    ? whyImpossible(context, details, action)
    : context.done.undo.has(idOf(details))
      ? whyBlocked(context, details)
      : 'There is nothing to undo here: only closing and reopening can be undone.';
  if (why) return notify(context, why);
  const fresh = await freshDetails(context, details);
  if (!fresh) return;
  const propose = action ? proposals[action] : proposeUndo;
  const proposal = await propose(context, fresh);
  if (proposal) await proposeAction(context, fresh, proposal);
}

type QueueKey = readonly [key: string, name: string, help: string, action?: ActionName];

/** The screen says where there is more, so `m` has no name. */
const keys: readonly QueueKey[] = [
  ['f', 'refund', 'Refund the order: in full, a percentage, or an amount.', 'refund'],
  ['c', 'cancel', 'Cancel: ends a subscription; refunds a one-time sale.', 'cancel'],
  ['r', 'reply', 'Reply to the customer with a saved reply or your own text.', 'reply'],
  ['x', 'close', 'Close the ticket. Closing a refund ticket cancels the refund.', 'close'],
  ['o', 'reopen', 'Reopen a closed ticket, with a comment.', 'reopen'],
  [
    ...(['a', 'returned'] as const),
    'Confirm that the product was returned, which completes the refund.',
    'return',
  ],
  ['u', 'undo', 'Undo: reopen what you closed, or close what you reopened.'],
  ['l', 'look again', 'Look again for a write whose outcome is unknown.'],
  ['s', 'skip', 'Go to the next ticket and leave this one as it is.'],
  ['b', 'back', 'Go back to the previous ticket.'],
  ['/', 'find', 'Go to a ticket of the queue by its number, receipt or customer.'],
  ['v', 'filter', 'Show only tickets of a type or age.'],
  ['d', 'order', 'Show the order: all transactions with their details.'],
  ['m', '', 'Show the whole conversation, and all other orders and tickets.'],
  ['q', 'quit', 'Quit and show what was done.'],
];

/** Why an action is not possible now; undefined if nothing is known to prevent it. */
function whyImpossible(
  context: WorkContext,
  details: TicketDetails,
  action: ActionName,
): string | undefined {
  return whyBlocked(context, details) ?? whyNot[action](details, context.done.refunded);
}

/** All keys work, but only those that can succeed are shown; the others say why they can't. */
function ticketKeys(context: WorkContext, details: TicketDetails): KeyChoice[] {
  const { records, undo, unknown } = context.done;
  const hasActed = records.some(({ ticketId }) => ticketId === idOf(details));
  const isShown: Readonly<Record<string, boolean>> = {
    u: undo.has(idOf(details)),
    l: unknown.has(subjectKey(details)),
  };
  const choices = keys.map(([key, name, , action]): KeyChoice => {
    const canAct = action === undefined || whyImpossible(context, details, action) === undefined;
    if (name === '' || !canAct || isShown[key] === false) return { key };
    return { key, name: key === 's' && hasActed ? 'next' : name };
  });
  return [...choices, { key: '?', name: 'help' }];
}

/** Resolves to the key that the person pressed, or to `escape` to go back to the ticket. */
function showHelp(context: WorkContext, details: TicketDetails): Promise<string> {
  const lines = keys.flatMap(([key, , help, action]): Line[] => {
    const why = action && whyImpossible(context, details, action);
    return [
      { text: `  ${key}  ${help}` },
      ...(why ? [{ text: `     Unavailable: ${why}`, color: 'dim' as const }] : []),
    ];
  });
  const all = keys.map(([key]) => ({ key }));
  return showPaged(context, lines, all);
}
