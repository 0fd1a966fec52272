/** Shows one ticket after the other and does what the keys say, until the person quits or the queue ends. */

import type { KeyChoice } from '../../../shell/prompts/prompts.ts';
import { freshDetails, lookAgain, proposeAction, whyBlocked } from './confirm-action.ts';
import { type ActionName, whyNot } from './possible-actions.ts';
import { proposals, proposeUndo } from './proposals.ts';
import { clearScreen, draw, type Line, showPaged, wrapped } from './screen.ts';
import type { OtherRecords, TicketDetails } from './ticket-details.ts';
import { moreLines, orderLines, ticketScreen } from './ticket-screen.ts';
import {
  endsSession,
  heightOf,
  idOf,
  notify,
  sentenceOf,
  subjectKey,
  type WorkContext,
  widthOf,
} from './work-context.ts';

/** How many of the next tickets are read in the background. */
const ahead = 2;

export async function workThrough(context: WorkContext): Promise<void> {
  const { queue, prompts } = context;
  let position = 0;
  while (position < queue.length) {
    const key = await showTicket(context, position);
    if (key === 'q') return;
    if (key === 's') position += 1;
    else if (key === 'b' && position > 0) position -= 1;
    else if (key === 'b') notify(context, 'This is the first ticket.');
    if (position < queue.length) continue;
    clearScreen(context);
    draw(context, noticeLines(context));
    const last = await prompts.key('This was the last ticket.', [
      { key: 'b', name: 'back' },
      { key: 'q', name: 'quit' },
    ]);
    if (last === 'q') return;
    position -= 1;
  }
}

/** Handles the keys of one ticket; resolves to the key that leaves it. */
async function showTicket(context: WorkContext, position: number): Promise<string> {
  const { prompts, cmd } = context;
  for (;;) {
    // Reads the next tickets too, and forgets all others, so that memory stays flat.
    const ids = context.queue.slice(position, position + 1 + ahead).map(({ id }) => id);
    context.details.keep(ids);
    context.others.keep(ids);
    const details = await readTicket(context, position);
    if (!details) {
      const key = await prompts.key('', failureKeys);
      if (key === 't') continue;
      return key;
    }
    const others = await othersSoon(context, idOf(details));
    const shown = ticketKeys(context, details);
    const room = heightOf(context) - barHeight(context, shown);
    const notices = noticeLines(context);
    clearScreen(context);
    draw(context, [
      ...ticketScreen(context, details, { position, room: room - notices.length, others }),
      ...notices,
    ]);
    const key = await prompts.key('', shown);
    if (['s', 'b', 'q'].includes(key)) return key;
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
): Promise<TicketDetails | undefined> {
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

/** Undefined if they are not read yet. */
async function othersSoon(
  { others, clock }: WorkContext,
  id: string,
): Promise<OtherRecords | undefined> {
  const stop = new AbortController();
  const waiting = clock.sleep(patience, stop.signal).catch(() => undefined);
  try {
    return await Promise.race([others.get(id), waiting.then(() => undefined)]);
  } finally {
    stop.abort();
  }
}

/** Takes the notices, so that each is shown once. */
function noticeLines(context: WorkContext): Line[] {
  const texts = context.done.notices.splice(0);
  return texts.flatMap((text) => wrapped(context, text, { color: 'green' }));
}

/** One line more than the bar, for the cursor. */
function barHeight(context: WorkContext, keys: readonly { readonly name?: string }[]): number {
  const columns = keys.reduce((sum, { name }) => sum + (name ? name.length + 4 : 0), 0);
  return Math.ceil(columns / widthOf(context)) + 1;
}

async function act(context: WorkContext, details: TicketDetails, key: string): Promise<void> {
  if (key === '?') return showPaged(context, helpLines(context, details));
  if (key === 'd') return showPaged(context, orderLines(context, details));
  if (key === 'l') return lookAgain(context, details);
  if (key === 'm') {
    context.cmd.messages.status('Reading other orders and tickets …');
    const others = await context.others.get(idOf(details));
    context.cmd.messages.status('');
    return showPaged(context, moreLines(context, details, others));
  }
  const action = keys.find((one) => one.key === key)?.action;
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

interface QueueKey extends KeyChoice {
  readonly help: string;
  readonly action?: ActionName;
}

const keys: readonly QueueKey[] = [
  {
    ...{ key: 'f', name: 'refund', action: 'refund' },
    help: 'Refund the order: in full, a percentage, or an amount.',
  },
  {
    ...{ key: 'c', name: 'cancel', action: 'cancel' },
    help: 'Cancel: ends a subscription; refunds a one-time sale.',
  },
  {
    ...{ key: 'r', name: 'reply', action: 'reply' },
    help: 'Reply to the customer with a saved reply or your own text.',
  },
  {
    ...{ key: 'x', name: 'close', action: 'close' },
    help: 'Close the ticket. Closing a refund ticket cancels the refund.',
  },
  { key: 'o', name: 'reopen', action: 'reopen', help: 'Reopen a closed ticket, with a comment.' },
  {
    ...{ key: 'a', name: 'returned', action: 'return' },
    help: 'Acknowledge that the product was returned, which completes the refund.',
  },
  { key: 'u', name: 'undo', help: 'Undo: reopen what you closed, or close what you reopened.' },
  { key: 'l', name: 'look again', help: 'Look again for a write whose outcome is unknown.' },
  { key: 's', name: 'skip', help: 'Go to the next ticket and leave this one as it is.' },
  { key: 'b', name: 'back', help: 'Go back to the ticket before.' },
  { key: 'd', name: 'order', help: 'Show the order: all transactions with their details.' },
  // The screen says so where there is more.
  { key: 'm', help: 'Show the whole conversation, and all other orders and tickets.' },
  { key: 'q', name: 'quit', help: 'Quit and show what was done.' },
];

/** Why an action is not possible now; undefined if nothing is known to prevent it. */
function whyImpossible(
  context: WorkContext,
  details: TicketDetails,
  action: ActionName,
): string | undefined {
  return whyBlocked(context, details) ?? whyNot(action, details, context.done.refunded);
}

/** All keys work, but only those that can succeed are shown; the others say why they can't. */
function ticketKeys(context: WorkContext, details: TicketDetails): KeyChoice[] {
  const { records, undo, unknown } = context.done;
  const hasActed = records.some(({ ticketId }) => ticketId === idOf(details));
  const isShown: Readonly<Record<string, boolean>> = {
    u: undo.has(idOf(details)),
    l: unknown.has(subjectKey(details)),
  };
  const choices = keys.map(({ key, name, action }): KeyChoice => {
    const canAct = action === undefined || whyImpossible(context, details, action) === undefined;
    if (name === undefined || !canAct || isShown[key] === false) return { key };
    return { key, name: key === 's' && hasActed ? 'next' : name };
  });
  return [...choices, { key: '?', name: 'help' }];
}

/** The keys while a ticket can't be read. */
const failureKeys: readonly KeyChoice[] = [
  { key: 't', name: 'try again' },
  { key: 's', name: 'skip' },
  { key: 'b', name: 'back' },
  { key: 'q', name: 'quit' },
];

/** Why each key that is not shown can't be used now follows its description. */
function helpLines(context: WorkContext, details: TicketDetails): Line[] {
  return keys.flatMap(({ key, action, help }) => {
    const why = action && whyImpossible(context, details, action);
    return [
      { text: `  ${key}  ${help}` },
      ...(why ? [{ text: `     Not now: ${why}`, color: 'dim' as const }] : []),
    ];
  });
}
