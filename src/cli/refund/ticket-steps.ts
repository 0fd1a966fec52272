/** The steps after the sale is found: what kind of ticket, how much, why. */
import { tickets } from '../../operations/tickets.ts';
import type { Choice } from '../prompts.ts';
import { parseValue } from '../values.ts';
import { askAmount } from './amount-step.ts';
import { choose, type Desk, tellWrapped, write } from './desk.ts';
import { type Draft, hasEnded, subjectOf } from './draft.ts';
import { cancelEffect, refundEffect } from './effect.ts';
import { cardOf, itemLine } from './sale.ts';
import { back, type Step, skip } from './walk.ts';

export function ticketSteps(desk: Desk): Step<Draft>[] {
  return [
    showCard(desk),
    askItem(desk),
    askType(desk),
    askAmount(desk),
    askToKeep(desk),
    askReason(desk),
    askComment(desk),
  ];
}

function showCard(desk: Desk): Step<Draft> {
  return async ({ sale, payment }) => {
    if (!sale || !payment) return skip;
    const card = cardOf(sale, payment);
    const widest = Math.max(...card.map(([label]) => label.length));
    desk.messages.say('');
    for (const [label, text] of card) {
      tellWrapped(desk, text, `  ${label.padEnd(widest)}  `);
    }
    return skip;
  };
}

function askItem(desk: Desk): Step<Draft> {
  return async (draft) => {
    const { payment } = draft;
    const items = payment?.lineItemData ?? [];
    const [only] = items;
    if (only && items.length === 1) return { silently: { ...draft, item: only } };
    const choices = items.map((item) => ({
      value: item.itemNo ?? '',
      name: payment ? itemLine(item, payment) : '',
      short: item.itemNo ?? '',
    }));
    const itemNo = await choose(desk, 'Which item', choices);
    const item = items.find((one) => one.itemNo === itemNo);
    return item ? { ...draft, item } : back;
  };
}

function askType(desk: Desk): Step<Draft> {
  return async (draft) => {
    const { item } = subjectOf(draft);
    desk.messages.say('');
    tellWrapped(desk, refundEffect(draft));
    tellWrapped(desk, cancelEffect(draft));
    const choices: Choice[] = [{ value: 'rfnd', name: 'Refund' }];
    if (!item.recurring) choices.push({ value: 'cncl', name: 'Cancellation, which refunds too' });
    else if (!hasEnded(item)) {
      choices.push({ value: 'cncl', name: 'Cancellation: no more payments, no refund' });
    }
    const type = await choose(desk, 'What shall be done', choices);
    return type === back ? back : { ...draft, type: type as 'rfnd' | 'cncl' };
  };
}

function askToKeep(desk: Desk): Step<Draft> {
  return async (draft) => {
    const { item } = subjectOf(draft);
    if (draft.type !== 'rfnd' || !item.recurring || hasEnded(item)) return skip;
    const keeps = await choose(desk, 'The subscription', [
      { value: 'end', name: 'End it: no more payments' },
      { value: 'keep', name: 'Keep it: the next payment is taken as planned' },
    ]);
    return keeps === back ? back : { ...draft, keeps: keeps === 'keep' };
  };
}

/** The reasons that the catalogue's own rules take for this kind of ticket. */
function reasonsOf(receipt: string, type: 'rfnd' | 'cncl', today: string): Choice[] {
  type Reason = NonNullable<(typeof tickets.create.params.reason)['is']>;
  const { check, params } = tickets.create;
  const fits = (reason: string) =>
    !check?.({ receipt, type, reason: reason as Reason }, today).some(
      (remark) => remark && remark.param === 'reason',
    );
  return Object.entries(params.reason.values ?? {})
    .filter(([value]) => fits(value))
    .map(([value, meaning]) => ({ value, name: meaning }));
}

function askReason(desk: Desk): Step<Draft> {
  return async (draft) => {
    const { payment } = subjectOf(draft);
    const choices = reasonsOf(payment.receipt ?? '', draft.type ?? 'rfnd', desk.today);
    const reason = await choose(desk, 'Why', choices);
    return reason === back ? back : { ...draft, reason };
  };
}

/** Encoded, so that the whole request stays below the 2,000 characters that the service takes. */
const longestComment = 1500;

function askComment(desk: Desk): Step<Draft> {
  return async (draft) => {
    const comment = await write(desk, 'Comment on the ticket, or nothing', (answer) => {
      if (answer === '') return undefined;
      const { comment: param } = tickets.create.params;
      const parsed = parseValue(param, answer, desk.today);
      if ('problem' in parsed) return parsed.problem;
      const isLong = encodeURIComponent(answer).length > longestComment;
      return isLong ? 'is too long for the service' : undefined;
    });
    if (comment === back) return back;
    return comment === '' ? { ...draft } : { ...draft, comment };
  };
}
