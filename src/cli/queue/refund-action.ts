/** Asks how much to refund and why. A plain full refund is three keys: full, the reason, and yes. */
import { tickets } from '../../operations/tickets.ts';
import { fittingValues } from '../../operations/validate.ts';
import { refundablePayments } from '../../workflows/queue/possible-actions.ts';
import { itemOf, type TicketDetails } from '../../workflows/queue/ticket-details.ts';
import { amountsInWords } from '../../workflows/refund/effects.ts';
import { hasEnded } from '../../workflows/refund/refundable.ts';
import type { Subject } from '../../workflows/refund/sale.ts';
import {
  type Decision,
  type MoneyTicket,
  problemWithAmount,
  quoteRefund,
  type RefundType,
  refundsMoney,
  ticketArguments,
} from '../../workflows/refund/ticket.ts';
import type { Amounts, LineItem, Transaction } from '../../workflows/safe-write/reads.ts';
import { money } from '../../workflows/safe-write/sentence.ts';
import { problemWith } from '../flags/values.ts';
import { paymentLine } from '../refund/sale.ts';
import type { Proposal } from './confirm-action.ts';
import { draw, wrapped } from './screen.ts';
import { notify, type WorkContext } from './work-context.ts';

const digits = '1234567890';

interface Part {
  readonly refundType: RefundType;
  readonly refundAmount?: string;
  readonly amounts: Amounts;
}

/** Undefined if the person gave up or the service refuses; a notice then says why. */
export async function proposeRefund(
  context: WorkContext,
  details: TicketDetails,
): Promise<Proposal | undefined> {
  const payment = await askPayment(context, details);
  const subject = payment && (await askSubject(context, { ...details, payment }));
  if (!subject) return undefined;
  const full = await quote(context, subject, { refundType: 'FULL' });
  if (typeof full === 'string') return void notify(context, `Not possible: ${full}`);
  const part = await askPart(context, subject, full);
  if (!part) return undefined;
  const retains = await askToKeep(context, subject);
  if (retains === undefined) return undefined;
  const reason = await askReason(context, subject, 'rfnd', details);
  if (!reason) return undefined;
  const { refundType, refundAmount, amounts } = part;
  const args = ticketArguments(subject, {
    ...{ type: 'rfnd', reason, refundType },
    ...(refundAmount && { refundAmount }),
    ...(retains && { retainSubscription: true }),
  });
  const { customerAmount, customerCurrency } = amounts;
  return {
    ...{ name: 'refund', operation: tickets.create, args },
    amount: customerAmount ?? undefined,
    currency: customerCurrency ?? undefined,
  };
}

/** A cancellation of a one-time sale is a refund, which the confirmation says. */
export async function proposeCancellation(
  context: WorkContext,
  details: TicketDetails,
): Promise<Proposal | undefined> {
  const subject = await askSubject(context, details);
  if (!subject) return undefined;
  const full = refundsMoney('cncl', subject)
    ? await quote(context, subject, { refundType: 'FULL' })
    : undefined;
  if (typeof full === 'string') return void notify(context, `Not possible: ${full}`);
  const reason = await askReason(context, subject, 'cncl', details);
  if (!reason) return undefined;
  const args = ticketArguments(subject, { type: 'cncl', reason });
  return {
    ...{ name: 'cancel', operation: tickets.create, args },
    amount: full?.customerAmount ?? undefined,
    currency: full?.customerCurrency ?? undefined,
  };
}

/** The payment of the ticket; asks if another payment of a subscription can be refunded too, or only that. */
async function askPayment(
  context: WorkContext,
  details: TicketDetails,
): Promise<Transaction | undefined> {
  const payments = refundablePayments(details, context.done.refunded);
  const [only] = payments;
  if (payments.length === 1 && only?.receipt === details.payment?.receipt) return only;
  const lines = payments.map(paymentLine);
  const at = await askLine(context, 'Which payment do you want to refund?', lines);
  return at === undefined ? undefined : payments[at];
}

/** The item of the ticket; asks if the order has several and the ticket names none. */
async function askSubject(
  context: WorkContext,
  details: TicketDetails,
): Promise<Subject | undefined> {
  const { sale, payment } = details;
  const item = itemOf(details) ?? (await askItem(context, payment?.lineItemData ?? []));
  return sale && payment && item ? { sale, payment, item } : undefined;
}

async function askItem(
  context: WorkContext,
  items: readonly LineItem[],
): Promise<LineItem | undefined> {
  const lines = items.map(({ itemNo, productTitle }) => [itemNo, productTitle].join('  '));
  const at = await askLine(context, 'Which item?', lines);
  return at === undefined ? undefined : items[at];
}

/** Shows up to ten lines with a digit each; the tenth is 0. Undefined for Esc. */
async function askLine(
  context: WorkContext,
  question: string,
  lines: readonly string[],
): Promise<number | undefined> {
  const shown = lines.slice(0, digits.length);
  draw(context, [{ text: '' }, ...shown.map((line, i) => ({ text: `  ${digits[i]} ${line}` }))]);
  const key = await context.prompts.key(question, [
    ...shown.map((line, i) => ({ key: digits[i] ?? '', short: line })),
    { key: 'escape', name: 'back' },
  ]);
  return key === 'escape' ? undefined : digits.indexOf(key);
}

async function askPart(
  context: WorkContext,
  subject: Subject,
  full: Amounts,
): Promise<Part | undefined> {
  const { prompts } = context;
  const most = amountsInWords(full);
  draw(context, [{ text: '' }, ...wrapped(context, `At most ${most} can be refunded.`)]);
  const key = await prompts.key('How much do you want to refund?', [
    {
      key: 'f',
      name: `full (${money(full.customerAmount, full.customerCurrency)})`,
      short: 'full',
    },
    { key: 'p', name: 'percent' },
    { key: 'a', name: 'amount' },
    { key: 'escape', name: 'back' },
  ]);
  if (key === 'f') return { refundType: 'FULL', amounts: full };
  if (key === 'p') return askAmount(context, subject, full, 'PARTIAL_PERCENT');
  if (key === 'a') return askAmount(context, subject, full, 'PARTIAL_AMOUNT');
  return undefined;
}

const amountQuestions: Readonly<Record<string, string>> = {
  PARTIAL_PERCENT: 'Percentage to refund, 1 to 80 (empty: back):',
  PARTIAL_AMOUNT: 'Amount to refund in',
};

/** Asks until the service accepts the amount; an empty answer goes back. */
async function askAmount(
  context: WorkContext,
  subject: Subject,
  full: Amounts,
  refundType: 'PARTIAL_PERCENT' | 'PARTIAL_AMOUNT',
): Promise<Part | undefined> {
  const { prompts, today } = context;
  const receipt = subject.payment.receipt ?? '';
  const start = amountQuestions[refundType] ?? '';
  const question =
    refundType === 'PARTIAL_PERCENT' ? start : `${start} ${full.customerCurrency} (empty: back):`;
  const problemOf = (answer: string) =>
    answer === ''
      ? undefined
      : (problemWith(tickets.refundAmounts.params.refundAmount, answer, today) ??
        problemWithAmount(receipt, { refundType, refundAmount: answer }, full, today));
  for (;;) {
    const refundAmount = (await prompts.input(question, (text) => problemOf(text.trim()))).trim();
    if (refundAmount === '') return undefined;
    const amounts = await quote(context, subject, { refundType, refundAmount });
    if (typeof amounts !== 'string') return { refundType, refundAmount, amounts };
    draw(context, wrapped(context, `${refundAmount} was not accepted: ${amounts}`));
  }
}

/** Why the service refuses the amount, or the amounts that it would refund. */
async function quote(
  { client }: WorkContext,
  subject: Subject,
  extent: { readonly refundType: RefundType; readonly refundAmount?: string },
): Promise<Amounts | string> {
  const looked = await quoteRefund(client, subject, extent);
  if (looked.state === 'found') return looked.value;
  return looked.state === 'refused'
    ? looked.message
    : 'this key may not read refund amounts. Use cb tickets create.';
}

/** Whether a running subscription continues; undefined if the person gave up. */
async function askToKeep(
  { prompts }: WorkContext,
  { item }: Subject,
): Promise<boolean | undefined> {
  if (!item.recurring || hasEnded(item)) return false;
  const key = await prompts.key('What do you want to do with the subscription?', [
    { key: 'e', name: 'end it' },
    { key: 'k', name: 'keep it' },
    { key: 'escape', name: 'back' },
  ]);
  return key === 'escape' ? undefined : key === 'k';
}

/** In the order of the catalogue. */
async function askReason(
  context: WorkContext,
  { payment }: Subject,
  type: MoneyTicket,
  details: TicketDetails,
): Promise<Decision['reason'] | undefined> {
  const known = { receipt: payment.receipt ?? '', type };
  const reasons = fittingValues(tickets.create, 'reason', known, context.today);
  const isGiven = (meaning: string) => meaning === details.ticket.description;
  const lines = reasons.map(([, meaning]) =>
    isGiven(meaning) ? `${meaning} (as the ticket says)` : meaning,
  );
  const at = await askLine(context, 'What is the reason?', lines);
  return at === undefined ? undefined : (reasons[at]?.[0] as Decision['reason'] | undefined);
}
