/** Runs the questions of the wizard in order; a person can go back to earlier ones. */
import type { PaymentQuery, Sale, Subject } from '../../workflows/refund/sale.ts';
import type { Decision, MoneyTicket } from '../../workflows/refund/ticket.ts';
import type { LineItem, Transaction } from '../../workflows/safe-write/reads.ts';

export type SearchBy = 'receipt' | PaymentQuery['by'];

/** The answers so far. Each step returns a new draft. */
export interface Draft extends Partial<Omit<Decision, 'type'>> {
  readonly searchBy?: SearchBy;
  readonly term?: string;
  /** A period as `--period` accepts it. */
  readonly period?: string;
  readonly sale?: Sale;
  readonly payment?: Transaction;
  readonly item?: LineItem;
  /** The type of the ticket to create; undefined if a comment is added to an open ticket. */
  readonly type?: MoneyTicket;
  /** The ID of the open ticket to comment on. */
  readonly commentOn?: string;
}

/** Returns the sale, payment and item. Throws before an item is selected. */
export function subjectOf({ sale, payment, item }: Draft): Subject {
  if (!sale || !payment || !item) throw new Error('No item is chosen yet.');
  return { sale, payment, item };
}

/** Return to the previous question. */
export const back = Symbol('back');
/** The question does not apply. */
export const skip = Symbol('skip');

export type Back = typeof back;

/** Returns the draft with the answer; `silently` if it was filled in without a question. */
export type Step = (
  draft: Draft,
) => Promise<Draft | Back | typeof skip | { readonly silently: Draft }>;

/**
 * Runs the steps in order. Going back repeats the last step that asked a question, with the draft from
 * that time; at the first question, it repeats that one.
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
