/**
 * The dialog about money: which payment, which item, how much, what becomes of the subscription, and why. The refund
 * wizard asks with lists, the ticket queue with keys; the questions, checks and warnings are the same.
 */

import type { Client } from '../../../client/client.ts';
import type { Day } from '../../../dates/day.ts';
import { reasonsOf, tickets } from '../../../operations/tickets.ts';
import type { PlannedWrite } from '../../../safe-write/confirmation.ts';
import {
  type Amounts,
  type LineItem,
  openReader,
  type RefundExtent,
  type Transaction,
} from '../../../safe-write/reads.ts';
import { hasEnded } from '../../../safe-write/refundable.ts';
import { money } from '../../../safe-write/sentence.ts';
import { problemIn, problemWith, readArguments } from '../../../shell/options/values.ts';
import type { Choice, KeyChoice, Prompts } from '../../../shell/terminal/prompts.ts';
import {
  amountsInWords,
  cancelEffect,
  itemLine,
  type MoneyTicket,
  paymentsOf,
  rebillLines,
  refundEffect,
  refundsMoney,
  type Sale,
  type Subject,
  type TicketArguments,
} from './refund.ts';

type RefundType = RefundExtent['refundType'];

/** The answers so far. Each step returns a new draft. */
export interface Draft extends Partial<Omit<TicketArguments, 'receipt' | 'sku' | 'type'>> {
  readonly searchBy?: 'receipt' | 'email' | 'lastName';
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
  readonly amounts?: Amounts;
  /** What was confirmed. */
  readonly plan?: PlannedWrite;
}

/** Returns the sale, payment and item. Throws before an item is selected. */
export function subjectOf({ sale, payment, item }: Draft): Subject {
  if (!sale || !payment || !item) throw new Error('No item is chosen yet.');
  return { sale, payment, item };
}

export function isRefund(draft: Draft): boolean {
  return draft.type !== undefined && refundsMoney(draft.type, subjectOf(draft));
}

/** Return to the previous question. */
export const back = Symbol('back');

export type Back = typeof back;

/** Returns the draft with the answer, `silently` if it was filled in without a question; undefined if it does not apply. */
export type Step = (
  draft: Draft,
) => Promise<Draft | Back | undefined | { readonly silently: Draft }>;

/** Runs the steps. Going back repeats the last one that asked, with its draft; returns `back` if there is none. */
export async function runSteps(steps: readonly Step[], start: Draft = {}): Promise<Draft | Back> {
  const asked: { readonly at: number; readonly draft: Draft }[] = [];
  let draft = start;
  let at = 0;
  for (let step = steps[at]; step; step = steps[at]) {
    const end = await step(draft);
    if (end === back) {
      const last = asked.pop();
      if (!last) return back;
      ({ at, draft } = last);
      continue;
    }
    if (end && 'silently' in end) draft = end.silently;
    else if (end) {
      asked.push({ at, draft });
      draft = end;
    }
    at += 1;
  }
  return draft;
}

export interface DialogChoice<T extends string = string> extends Choice {
  readonly value: T;
  /** The key in the queue, and the word beside it; choices without keys are lines with digits. */
  readonly key?: readonly [key: string, word: string];
}

/** How a person is asked; every question can be left with `back`. */
export interface Dialog {
  readonly client: Client;
  readonly today: Day;
  /** The reason in the words of the ticket. */
  readonly ticketReason?: string | undefined;
  /** The reason that was chosen last for a type of ticket; undefined if none is known. */
  lastReason?(type: MoneyTicket): Promise<string | undefined>;
  say(text: string): void;
  /** Says why nothing can be refunded, if no later question does. */
  refuse?(sentence: string): void;
  /** `selected` is the value of the initially selected choice, or `back`; default: the first choice. */
  choose<T extends string>(
    question: string,
    choices: readonly DialogChoice<T>[],
    options?: { readonly selected?: string | Back | undefined; readonly isFirst?: boolean },
  ): Promise<T | Back>;
  /** `check` returns what is wrong with an answer; `initial` is text to edit. */
  type(
    question: string,
    check: (answer: string) => string | undefined,
    initial?: string,
  ): Promise<string | Back>;
}

/** Asks for one of several; the one that was chosen before is selected. */
function chooser<T>(dialog: Dialog, question: string, idOf: (one: T) => string) {
  let selected: string | undefined;
  return async (all: readonly T[], names: readonly string[]): Promise<T | Back> => {
    const ids = all.map(idOf);
    const choices = ids.map((value, i) => ({ value, name: names[i] ?? '', short: value }));
    const chosen = await dialog.choose(question, choices, { selected });
    if (chosen === back) return back;
    selected = chosen;
    return all[ids.indexOf(chosen)] ?? back;
  };
}

/**
 * Asks for a payment of the subscription: each is refunded separately. Newest first, with whether it is refundable.
 * `expected` is the receipt that a ticket is about; cb asks about any other, even if it is the only choice.
 */
export function askPayment(
  dialog: Dialog,
  isOffered: (payment: Transaction) => boolean = () => true,
  expected?: string | null,
): Step {
  const ask = chooser(
    dialog,
    'Which payment of the subscription?',
    ({ receipt }: Transaction) => receipt ?? '',
  );
  return async (draft) => {
    const { sale } = draft;
    if (!sale || draft.payment) return undefined;
    const payments = paymentsOf(sale).filter(isOffered);
    const [only] = payments;
    if (only && payments.length === 1 && (expected ?? only.receipt) === only.receipt) {
      return { silently: { ...draft, payment: only } };
    }
    const payment = await ask(payments, rebillLines(sale, payments));
    return payment === back ? back : { ...draft, payment };
  };
}

/** Asks for the item if there are several and none has the `expected` number. */
export function askItem(dialog: Dialog, expected?: string | null): Step {
  const ask = chooser(dialog, 'Which item?', ({ itemNo }: LineItem) => itemNo ?? '');
  return async (draft) => {
    const { payment } = draft;
    const items = payment?.lineItemData ?? [];
    const known =
      items.find(({ itemNo }) => itemNo === expected) ??
      (items.length === 1 ? items[0] : undefined);
    if (known) return { silently: { ...draft, item: known } };
    const names = items.map((item) => (payment ? itemLine(item, payment) : ''));
    const item = await ask(items, names);
    return item === back ? back : { ...draft, item };
  };
}

/** Says what the ticket does to the sale, unless the person saw that when choosing it. */
export function sayEffect(dialog: Dialog): Step {
  return async (draft) => {
    dialog.say((draft.type === 'cncl' ? cancelEffect : refundEffect)(subjectOf(draft)));
    return undefined;
  };
}

/** Why the service refuses a refund of an item, by `itemKey`. */
export type Refusals = Map<string, string>;

export function itemKey(draft: Draft): string {
  const { payment, item } = subjectOf(draft);
  return `${payment.receipt} ${item.itemNo}`;
}

/** The questions after it is known whether to refund or to cancel what. */
export function refundSteps(dialog: Dialog, refusals: Refusals = new Map()): Step[] {
  return [askAmount(dialog, refusals), askToKeep(dialog), askReason(dialog)];
}

/** Reads the full amount first, the maximum of any other. If ClickBank refuses it, no refund can succeed (`refusals`). */
function askAmount(dialog: Dialog, refusals: Refusals): Step {
  const onlyInFull = new Set<unknown>();
  let before: RefundType | undefined;
  return async (draft) => {
    if (!isRefund(draft)) return undefined;
    const { receipt, vendor } = subjectOf(draft).payment;
    const full = await quote(dialog, draft, 'FULL');
    if ('refused' in full) {
      const clause = full.refused.replace(/\.$/, '');
      refusals.set(itemKey(draft), clause);
      dialog.refuse?.(`${receipt} can't be refunded: ${clause}.`);
      return back;
    }
    if (draft.type === 'cncl') return { silently: { ...draft, amounts: full.amounts } };
    const most = money(full.amounts.customerAmount, full.amounts.customerCurrency);
    const all = most && ` (${most})`;
    const choices: DialogChoice<RefundType>[] = [
      { value: 'FULL', name: `Full remaining amount${all}`, key: ['f', `full${all}`] },
      { value: 'PARTIAL_PERCENT', name: 'A percentage', key: ['p', 'percent'] },
      { value: 'PARTIAL_AMOUNT', name: 'An amount', key: ['a', 'amount'] },
    ];
    const question = `How much do you want to refund${most && `, at most ${most}`}?`;
    // After a refused amount, and for a person who went back, the initially selected choice never refunds more.
    let selected: RefundType | Back | undefined = onlyInFull.has(vendor) ? back : before;
    for (;;) {
      const offered = onlyInFull.has(vendor) ? choices.slice(0, 1) : choices;
      const refundType: RefundType | Back = await dialog.choose(question, offered, { selected });
      if (refundType === back) return back;
      before = refundType;
      const part =
        refundType === 'FULL' ? full : await askPart(dialog, draft, full.amounts, refundType);
      if (part === 'only in full') {
        onlyInFull.add(vendor);
        selected = back;
      } else if (part === back) selected = refundType;
      else {
        dialog.say(`ClickBank would refund ${amountsInWords(part.amounts)}.`);
        return { ...draft, refundType, ...part };
      }
    }
  };
}

async function askPart(
  dialog: Dialog,
  draft: Draft,
  full: Amounts,
  refundType: RefundType,
): Promise<{ refundAmount: string; amounts: Amounts } | Back | 'only in full'> {
  const { today } = dialog;
  const receipt = subjectOf(draft).payment.receipt ?? '';
  const { customerAmount, customerCurrency } = full;
  const most = money(customerAmount, customerCurrency);
  const question =
    refundType === 'PARTIAL_PERCENT'
      ? `Percentage to refund, 1 to 80${most && ` (at most ${most})`}`
      : `Amount to refund in ${customerCurrency ?? "the customer's currency"}${most && `, at most ${most}`}`;
  const operation = tickets.refundAmounts;
  const given = (answer: string) => ({ receipt, refundType, refundAmount: answer });
  for (;;) {
    const typed = await dialog.type(question, (answer) => {
      const isAmount = refundType === 'PARTIAL_AMOUNT';
      // The option would take 5% for a percentage; here, an amount was chosen.
      const wrong = isAmount && problemWith(operation.params.refundAmount, answer, today);
      const problem = wrong || problemIn(operation, given(answer), 'refundAmount', today);
      if (problem) return problem;
      const isTooMuch = isAmount && customerAmount && Number(answer) > Number(customerAmount);
      return isTooMuch ? `The amount must be at most ${most}.` : undefined;
    });
    if (typed === back) return back;
    // Without the sign of a percentage.
    const { args } = readArguments(operation, given(typed), today);
    const refundAmount = String(args.refundAmount);
    const quoted = await quote(dialog, draft, refundType, refundAmount);
    if ('amounts' in quoted) return { refundAmount, amounts: quoted.amounts };
    dialog.say(`${refundAmount} was not accepted: ${quoted.refused}`);
    if (quoted.status === 403) return 'only in full';
  }
}

/** Reads the amounts that would be refunded, or why that is refused. Sends no write. */
async function quote(
  { client }: Dialog,
  draft: Draft,
  refundType: RefundType,
  refundAmount?: string,
) {
  const { payment, item } = subjectOf(draft);
  const extent = { receipt: payment.receipt ?? '', refundType, refundAmount };
  const looked = await openReader(client).amounts({ ...extent, ...skuOf(payment, item) });
  if (looked.state === 'found') return { amounts: looked.value };
  if (looked.state === 'refused') return { refused: looked.message, status: looked.status };
  const refused = 'This key may not read refund amounts. Use cb tickets create.';
  return { refused, status: undefined };
}

function askToKeep(dialog: Dialog): Step {
  return async (draft) => {
    const { item } = subjectOf(draft);
    if (draft.type !== 'rfnd' || !item.recurring || hasEnded(item)) return undefined;
    const keep = 'Keep it: the next payment is charged on schedule';
    const keeps = await dialog.choose('What do you want to do with the subscription?', [
      { value: 'end', name: 'End it: no further payments', key: ['e', 'end it'] },
      { value: 'keep', name: keep, key: ['k', 'keep it'] },
    ]);
    if (keeps === back) return back;
    return { ...draft, ...(keeps === 'keep' && { retainSubscription: true }) };
  };
}

/** In the order of the catalogue. */
function askReason(dialog: Dialog): Step {
  return async (draft) => {
    const { type } = draft;
    if (type === undefined) return undefined;
    const choices = reasonsOf(type).map(([value, meaning]) => ({
      value,
      name: meaning === dialog.ticketReason ? `${meaning} (as the ticket says)` : meaning,
    }));
    const last = await dialog.lastReason?.(type);
    const selected = choices.find(({ value }) => value === last)?.value;
    const reason = await dialog.choose('What is the reason?', choices, { selected });
    return reason === back ? back : { ...draft, reason: reason as NonNullable<Draft['reason']> };
  };
}

/** The write that a complete draft describes. The item is named only if the payment was for several. */
export function ticketFrom(draft: Draft) {
  const { type = 'rfnd', reason, refundType, refundAmount, comment, retainSubscription } = draft;
  if (reason === undefined) throw new Error('No reason is chosen yet.');
  const { payment, item } = subjectOf(draft);
  const args = {
    ...{ receipt: payment.receipt ?? '', type, reason },
    ...(refundType && { refundType }),
    ...(refundAmount && { refundAmount }),
    ...(comment && { comment }),
    ...(retainSubscription && { retainSubscription }),
    ...skuOf(payment, item),
  };
  return { operation: tickets.create, args };
}

function skuOf({ lineItemData }: Transaction, { itemNo }: LineItem) {
  return (lineItemData ?? []).length > 1 && itemNo ? { sku: itemNo } : {};
}

/** Whether Ctrl-C or a signal has ended a prompt. */
export function isInterruption(error: unknown): boolean {
  return error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name);
}

/** Asks before a write is sent. Only y means yes, and only if it was pressed after the question appeared. Returns the key. */
export function askYes(
  prompts: Prompts,
  question: string,
  yes: string,
  more: readonly KeyChoice[] = [],
): Promise<string> {
  const choices = [
    { key: 'y', name: yes, short: 'yes' },
    ...more,
    { key: 'n', name: 'do not send', short: 'no' },
    { key: 'enter', short: 'no' },
    { key: 'escape', short: 'no' },
  ];
  return prompts.key(question, choices, { isFresh: true });
}
