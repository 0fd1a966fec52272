/** Asks what to do about a payment: refund it, cancel it, or handle its open tickets. */
import { cancelEffect, refundEffect } from '../../workflows/refund/effects.ts';
import { isOpen, obstacleTo } from '../../workflows/refund/refundable.ts';
import { possibleTickets } from '../../workflows/refund/ticket.ts';
import type { Ticket } from '../../workflows/safe-write/reads.ts';
import { dayOf } from '../../workflows/safe-write/sentence.ts';
import type { Choice } from '../prompts/prompts.ts';
import { type Refusals, subjectKey } from './amount-step.ts';
import { ticketLine } from './sale.ts';
import { back, type Draft, type Step, subjectOf } from './steps.ts';
import { askChoice, sayWrapped, type WizardContext } from './wizard-context.ts';

/** Offers only actions that can succeed, and says why a refund can't. */
export function askAction(context: WizardContext, refusals: Refusals): Step {
  return async (draft) => {
    const { sale, payment, item } = subjectOf(draft);
    const obstacle = refusals.get(subjectKey(draft)) ?? obstacleTo(sale, payment, [item])?.clause;
    const open = (sale.tickets ?? []).filter(isOpen);
    showEffects(context, draft, obstacle);
    const choices = [...ticketChoices(draft, obstacle), ...open.flatMap(openTicketChoices)];
    if (choices.length === 0) sayWrapped(context, 'There are no other actions for this payment.');
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

function showEffects(context: WizardContext, draft: Draft, obstacle: string | undefined): void {
  const subject = subjectOf(draft);
  const { payment, item } = subject;
  context.messages.say('');
  if (obstacle === undefined) sayWrapped(context, refundEffect(subject));
  else sayWrapped(context, `${payment.receipt} can't be refunded: ${obstacle}.`);
  // For a one-time sale, a cancellation is a refund.
  if (obstacle === undefined || item.recurring) sayWrapped(context, cancelEffect(subject));
}

function ticketChoices(draft: Draft, obstacle: string | undefined): Choice[] {
  const subject = subjectOf(draft);
  const cancel = subject.item.recurring
    ? 'Cancel the subscription: no further payments, no refund'
    : 'Cancel the order, which also refunds it';
  const names = { rfnd: 'Refund', cncl: cancel };
  const possible = possibleTickets(subject, obstacle === undefined);
  return possible.map((value) => ({ value, name: names[value] }));
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
  sayWrapped(context, `Ticket ${ticketLine(ticket)}`);
  for (const { date, commentRole, action, comment } of ticket.comments ?? []) {
    const words = [dayOf(date), commentRole, action].filter(Boolean).join(' ');
    sayWrapped(context, `${words}${comment ? `: ${comment}` : ''}`, '  ');
  }
}
