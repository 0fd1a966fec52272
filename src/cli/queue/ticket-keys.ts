/** The keys of a ticket's screen: which are shown, and what each does. */
import { type ActionName, actionNames, whyNot } from '../../workflows/queue/possible-actions.ts';
import type { TicketDetails } from '../../workflows/queue/ticket-details.ts';
import type { KeyChoice } from '../prompts/key-prompt.ts';
import { whyBlocked } from './look-again.ts';
import type { Line } from './screen.ts';
import { idOf, subjectKey, type WorkContext } from './work-context.ts';

const actionKeys: Readonly<Record<ActionName, string>> = {
  refund: 'f',
  cancel: 'c',
  reply: 'r',
  close: 'x',
  reopen: 'o',
  return: 'a',
};

const names: Readonly<Record<ActionName, string>> = {
  refund: 'refund',
  cancel: 'cancel',
  reply: 'reply',
  close: 'close',
  reopen: 'reopen',
  return: 'returned',
};

export function actionOf(key: string): ActionName | undefined {
  return actionNames.find((name) => actionKeys[name] === key);
}

/** Why an action is not possible now; undefined if nothing is known to prevent it. */
export function whyImpossible(
  context: WorkContext,
  details: TicketDetails,
  action: ActionName,
): string | undefined {
  return whyBlocked(context, details) ?? whyNot(action, details, context.done.refunded);
}

/** All keys work, but only those that can succeed are shown; the others say why they can't. */
export function ticketKeys(context: WorkContext, details: TicketDetails): KeyChoice[] {
  const { done } = context;
  const shownIf = (isShown: boolean, key: string, name: string) =>
    isShown ? { key, name } : { key };
  const isUnknown = done.unknown.has(subjectKey(details));
  const hasActed = done.records.some(({ ticketId }) => ticketId === idOf(details));
  return [
    ...actionNames.map((name) =>
      shownIf(whyImpossible(context, details, name) === undefined, actionKeys[name], names[name]),
    ),
    shownIf(done.undo.has(idOf(details)), 'u', 'undo'),
    shownIf(isUnknown, 'l', 'look again'),
    { key: 's', name: hasActed ? 'next' : 'skip' },
    { key: 'b', name: 'back' },
    { key: 'd', name: 'order' },
    // The screen says so where there is more.
    { key: 'm' },
    { key: 'q', name: 'quit' },
    { key: '?', name: 'help' },
  ];
}

/** The keys while a ticket can't be read. */
export const failureKeys: readonly KeyChoice[] = [
  { key: 't', name: 'try again' },
  { key: 's', name: 'skip' },
  { key: 'b', name: 'back' },
  { key: 'q', name: 'quit' },
];

const help: readonly (readonly [key: string, text: string])[] = [
  ['f', 'Refund the order: in full, a percentage, or an amount.'],
  ['c', 'Cancel: ends a subscription; refunds a one-time sale.'],
  ['r', 'Reply to the customer with a saved reply or your own text.'],
  ['x', 'Close the ticket. Closing a refund ticket cancels the refund.'],
  ['o', 'Reopen a closed ticket, with a comment.'],
  ['a', 'Acknowledge that the product was returned, which completes the refund.'],
  ['u', 'Undo: reopen what you closed, or close what you reopened.'],
  ['l', 'Look again for a write whose outcome is unknown.'],
  ['s', 'Go to the next ticket and leave this one as it is.'],
  ['b', 'Go back to the ticket before.'],
  ['d', 'Show the order: all transactions with their details.'],
  ['m', 'Show the whole conversation, and all other orders and tickets.'],
  ['q', 'Quit and show what was done.'],
];

/** Why each key that is not shown can't be used now follows its description. */
export function helpLines(context: WorkContext, details: TicketDetails): Line[] {
  return help.flatMap(([key, text]) => {
    const action = actionOf(key);
    const why = action && whyImpossible(context, details, action);
    return [
      { text: `  ${key}  ${text}` },
      ...(why ? [{ text: `     Not now: ${why}`, color: 'dim' as const }] : []),
    ];
  });
}
