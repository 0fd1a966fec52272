/** What to do about a payment: refund, cancel, or deal with the tickets that are open. */
import type { Choice } from '../prompts.ts';
import { type Refusals, subjectKey } from './amount-step.ts';
import { type Draft, hasEnded, subjectOf, type Ticket } from './draft.ts';
import { cancelEffect, refundEffect } from './effect.ts';
import { isOpen, obstacleToItem } from './refundable.ts';
import { dayOf, ticketLine } from './sale.ts';
import { back, type Step } from './steps.ts';
import { askChoice, tellWrapped, type WizardContext } from './wizard-context.ts';

/** Offers only what can succeed, and says why a refund can't. */
export function askAction(context: WizardContext, refusals: Refusals): Step<Draft> {
  return async (draft) => {
    const { sale, payment, item } = subjectOf(draft);
    const obstacle = refusals.get(subjectKey(draft)) ?? obstacleToItem(sale, payment, item)?.clause;
    const open = (sale.tickets ?? []).filter(isOpen);
    tellEffects(context, draft, obstacle);
    const choices = [...ticketChoices(draft, obstacle), ...open.flatMap(openTicketChoices)];
    if (choices.length === 0) tellWrapped(context, 'Nothing else can be done about this payment.');
    for (;;) {
      const chosen = await askChoice(context, 'What do you want to do?', choices);
      if (chosen === back) return back;
      if (chosen === 'rfnd' || chosen === 'cncl') return { ...draft, type: chosen };
      const [verb, id] = chosen.split(' ');
      const ticket = open.find((one) => idOf(one) === id);
      if (verb === 'comment') return { ...draft, commentOn: id ?? '' };
      if (ticket) showTicket(context, ticket);
    }
  };
}

function tellEffects(context: WizardContext, draft: Draft, obstacle: string | undefined): void {
  const { payment, item } = subjectOf(draft);
  context.messages.say('');
  if (obstacle === undefined) tellWrapped(context, refundEffect(draft));
  else tellWrapped(context, `${payment.receipt} can't be refunded: ${obstacle}.`);
  // A cancellation of a one-time sale is a refund.
  if (obstacle === undefined || item.recurring) tellWrapped(context, cancelEffect(draft));
}

function ticketChoices(draft: Draft, obstacle: string | undefined): Choice[] {
  const { item } = subjectOf(draft);
  const choices: Choice[] = [];
  if (obstacle === undefined) choices.push({ value: 'rfnd', name: 'Refund' });
  if (item.recurring && !hasEnded(item)) {
    choices.push({ value: 'cncl', name: 'Cancel the subscription: no more payments, no refund' });
  }
  if (!item.recurring && obstacle === undefined) {
    choices.push({ value: 'cncl', name: 'Cancel the order, which refunds it too' });
  }
  return choices;
}

function idOf({ ticketid }: Ticket): string {
  return String(ticketid ?? '');
}

function openTicketChoices(ticket: Ticket): Choice[] {
  const id = idOf(ticket);
  return [
    { value: `show ${id}`, name: `Show ticket ${id}`, short: `show ticket ${id}` },
    { value: `comment ${id}`, name: `Add a comment to ticket ${id}`, short: `comment on ${id}` },
  ];
}

function showTicket(context: WizardContext, ticket: Ticket): void {
  context.messages.say('');
  tellWrapped(context, `Ticket ${ticketLine(ticket)}`);
  for (const { date, commentRole, action, comment } of ticket.comments ?? []) {
    const words = [dayOf(date), commentRole, action].filter(Boolean).join(' ');
    tellWrapped(context, `${words}${comment ? `: ${comment}` : ''}`, '  ');
  }
}
