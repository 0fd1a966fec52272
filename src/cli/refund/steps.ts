/** Runs the questions of the wizard one after the other; a person can go back through them. */
import type { PaymentQuery, Sale, Subject } from '../../workflows/refund/sale.ts';
import type { Decision, MoneyTicket } from '../../workflows/refund/ticket.ts';
import type { LineItem, Transaction } from '../../workflows/safe-write/reads.ts';

export type SearchBy = 'receipt' | PaymentQuery['by'];

/** What the wizard knows so far. Each step returns a new one. */
export interface Draft extends Partial<Omit<Decision, 'type'>> {
  readonly searchBy?: SearchBy;
  readonly term?: string;
  /** A period in words, as `--period` takes it. */
  readonly period?: string;
  readonly sale?: Sale;
  readonly payment?: Transaction;
  readonly item?: LineItem;
  /** The ticket to open; absent where a comment is added to one that is open. */
  readonly type?: MoneyTicket;
  /** The ID of the open ticket that the comment is for. */
  readonly commentOn?: string;
}

/** What the ticket is about, for the steps behind the choice of the item; throws before it. */
export function subjectOf({ sale, payment, item }: Draft): Subject {
  if (!sale || !payment || !item) throw new Error('no item is chosen yet');
  return { sale, payment, item };
}

/** The person wants the previous question again. */
export const back = Symbol('back');
/** The question does not apply. */
export const skip = Symbol('skip');

export type Back = typeof back;

/** Returns the draft with the answer; `silently` where something was filled in without a question. */
export type Step = (
  draft: Draft,
) => Promise<Draft | Back | typeof skip | { readonly silently: Draft }>;

/**
 * Runs the steps in order. Going back repeats the last step that asked a question, with the draft as it
 * was then; at the first question it repeats that one.
 */
export async function runSteps(steps: readonly Step[]): Promise<Draft> {
  const asked: { readonly at: number; readonly draft: Draft }[] = [];
  let draft: Draft = {};
  let at = 0;
  for (let step = steps[at]; step; step = steps[at]) {
    const end = await step(draft);
    if (end === back) {
      ({ at, draft } = asked.pop() ?? { at: 0, draft: {} });
      continue;
    }
    if (end !== skip && 'silently' in end) draft = end.silently;
    else if (end !== skip) {
      asked.push({ at, draft });
      draft = end;
    }
    at += 1;
  }
  return draft;
}
