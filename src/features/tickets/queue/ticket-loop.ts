/** Shows one ticket after the other and does what the keys say, until the person quits or the queue ends. */
import type { KeyChoice } from '../../../shell/terminal/prompts.ts';
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
  type QueueDetails,
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
    const others = await othersSoon(context, details);
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

/** Undefined if they are not read yet. */
async function othersSoon(
  { clock }: WorkContext,
  { others }: QueueDetails,
): Promise<OtherRecords | undefined> {
  const stop = new AbortController();
  const waiting = clock.sleep(patience, stop.signal).catch(() => undefined);
  try {
    return await Promise.race([others, waiting.then(() => undefined)]);
  } finally {
    stop.abort();
  }
}

/** Takes the notices, so that each is shown once. */
function noticeLines(context: WorkContext): Line[] {
  const texts = context.done.notices.splice(0);
  return texts.flatMap((text) => wrapped(context, text, { color: 'green' }));
}

async function act(context: WorkContext, details: QueueDetails, key: string): Promise<void> {
  if (key === '?') return showPaged(context, helpLines(context, details));
  if (key === 'd') return showPaged(context, orderLines(context, details));
  if (key === 'l') return lookAgain(context, details);
  if (key === 'm') {
    context.cmd.messages.status('Reading other orders and tickets …');
    const others = await details.others;
    context.cmd.messages.status('');
    return showPaged(context, moreLines(context, details, others));
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
    'Acknowledge that the product was returned, which completes the refund.',
    'return',
  ],
  ['u', 'undo', 'Undo: reopen what you closed, or close what you reopened.'],
  ['l', 'look again', 'Look again for a write whose outcome is unknown.'],
  ['s', 'skip', 'Go to the next ticket and leave this one as it is.'],
  ['b', 'back', 'Go back to the ticket before.'],
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
  const choices = keys.map(([key, name, , action]): KeyChoice => {
    const canAct = action === undefined || whyImpossible(context, details, action) === undefined;
    if (name === '' || !canAct || isShown[key] === false) return { key };
    return { key, name: key === 's' && hasActed ? 'next' : name };
  });
  return [...choices, { key: '?', name: 'help' }];
}

/** Why each key that is not shown can't be used now follows its description. */
function helpLines(context: WorkContext, details: TicketDetails): Line[] {
  return keys.flatMap(([key, , help, action]) => {
    const why = action && whyImpossible(context, details, action);
    return [
      { text: `  ${key}  ${help}` },
      ...(why ? [{ text: `     Unavailable: ${why}`, color: 'dim' as const }] : []),
    ];
  });
}
