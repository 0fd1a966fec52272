/** The steps after the sale is found: item, action, amount, and reason. */
import { tickets } from '../../operations/tickets.ts';
import { fittingValues } from '../../operations/validate.ts';
import { hasEnded } from '../../workflows/refund/refundable.ts';
import { problemWith } from '../flags/values.ts';
import { askAction } from './action-step.ts';
import { askAmount, type Refusals } from './amount-step.ts';
import { cardOf, itemLine } from './sale.ts';
import { back, type Draft, type Step, skip, subjectOf } from './steps.ts';
import { askChoice, askText, sayWrapped, type WizardContext } from './wizard-context.ts';

export function ticketSteps(context: WizardContext): Step[] {
  const refusals: Refusals = new Map();
  return [
    showCard(context),
    askItem(context),
    askAction(context, refusals),
    askAmount(context, refusals),
    askToKeep(context),
    askReason(context),
    askComment(context),
  ];
}

function showCard(context: WizardContext): Step {
  return async ({ sale, payment }) => {
    if (!sale || !payment) return skip;
    const card = cardOf(sale, payment);
    const widest = Math.max(...card.map(([label]) => label.length));
    context.messages.say('');
    for (const [label, text] of card) {
      sayWrapped(context, text, `  ${label.padEnd(widest)}  `);
    }
    return skip;
  };
}

function askItem(context: WizardContext): Step {
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
    const itemNo = await askChoice(context, 'Which item?', choices);
    const item = items.find((one) => one.itemNo === itemNo);
    return item ? { ...draft, item } : back;
  };
}

function askToKeep(context: WizardContext): Step {
  return async (draft) => {
    const { item } = subjectOf(draft);
    if (draft.type !== 'rfnd' || !item.recurring || hasEnded(item)) return skip;
    const keeps = await askChoice(context, 'What do you want to do with the subscription?', [
      { value: 'end', name: 'End it: no further payments' },
      { value: 'keep', name: 'Keep it: the next payment is charged on schedule' },
    ]);
    return keeps === back
      ? back
      : { ...draft, ...(keeps === 'keep' && { retainSubscription: true }) };
  };
}

function askReason(context: WizardContext): Step {
  return async (draft) => {
    const { type } = draft;
    if (type === undefined) return skip;
    const receipt = subjectOf(draft).payment.receipt ?? '';
    const reasons = fittingValues(tickets.create, 'reason', { receipt, type }, context.today);
    const choices = reasons.map(([value, meaning]) => ({ value, name: meaning }));
    const last = context.lastReason(type);
    const selected = choices.some(({ value }) => value === last) ? last : undefined;
    const reason = await askChoice(context, 'What is the reason?', choices, { selected });
    return reason === back ? back : { ...draft, reason: reason as NonNullable<Draft['reason']> };
  };
}

/** The maximum length of a comment, URL-encoded: ClickBank accepts requests of up to 2,000 characters. */
const longestComment = 1500;

function askComment(context: WizardContext): Step {
  // Going back to this question shows the text again, to be edited.
  let typed = '';
  return async (draft) => {
    const { commentOn } = draft;
    const question =
      commentOn === undefined
        ? 'Comment on the ticket, optional'
        : `Comment to add to ticket ${commentOn}`;
    const problemOf = (answer: string) => {
      if (answer === '' && commentOn === undefined) return undefined;
      const isLong = encodeURIComponent(answer).length > longestComment;
      const problem = problemWith(tickets.create.params.comment, answer, context.today);
      return problem ?? (isLong ? 'The comment is too long.' : undefined);
    };
    const comment = await askText(context, question, problemOf, typed);
    if (comment === back) return back;
    typed = comment;
    return comment === '' ? { ...draft } : { ...draft, comment };
  };
}
