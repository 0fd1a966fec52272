/** Asks how much to refund, and shows the resulting amount before anything is sent. */
import { tickets } from '../../operations/tickets.ts';
import { amountsInWords } from '../../workflows/refund/effects.ts';
import {
  problemWithAmount,
  quoteRefund,
  type RefundType,
  refundsMoney,
} from '../../workflows/refund/ticket.ts';
import type { Amounts } from '../../workflows/safe-write/reads.ts';
import { money } from '../../workflows/safe-write/sentence.ts';
import { problemWith } from '../flags/values.ts';
import { type Back, back, type Draft, type Step, skip, subjectOf } from './steps.ts';
import { askChoice, askText, backKey, sayWrapped, type WizardContext } from './wizard-context.ts';

/** Why the service refuses a refund of an item, by `subjectKey`. */
export type Refusals = Map<string, string>;

export function subjectKey(draft: Draft): string {
  const { payment, item } = subjectOf(draft);
  return `${payment.receipt} ${item.itemNo}`;
}

/**
 * Reads the full amount first: it is the maximum of any other amount, and if ClickBank refuses it, no refund can
 * succeed. The reason is then added to `refusals`, and the person chooses another action.
 */
export function askAmount(context: WizardContext, refusals: Refusals): Step {
  const onlyInFull = new Set<unknown>();
  return async (draft) => {
    const { type } = draft;
    if (type === undefined || !refundsMoney(type, subjectOf(draft))) return skip;
    const full = await quote(context, draft, 'FULL');
    if ('refused' in full) {
      refusals.set(subjectKey(draft), full.refused.replace(/\.$/, ''));
      return back;
    }
    return type === 'cncl' ? skip : askExtent(context, draft, full.amounts, onlyInFull);
  };
}

/** After a refused amount, the initially selected choice never refunds more. */
async function askExtent(
  context: WizardContext,
  draft: Draft,
  full: Amounts,
  onlyInFull: Set<unknown>,
): Promise<Draft | Back> {
  const { vendor } = subjectOf(draft).payment;
  let selected: string | undefined;
  for (;;) {
    const all = extents(full);
    const choices = onlyInFull.has(vendor) ? all.slice(0, 1) : all;
    const question = `How much do you want to refund${atMost(full)}?`;
    const refundType = await askChoice(context, question, choices, { selected });
    if (refundType === back) return back;
    const part =
      refundType === 'FULL'
        ? { refundAmount: '', amounts: full }
        : await askPart(context, draft, full, refundType);
    if (part === 'only in full') {
      onlyInFull.add(vendor);
      selected = backKey;
    } else if (part === back) selected = refundType;
    else {
      sayWrapped(context, `ClickBank would refund ${amountsInWords(part.amounts)}.`);
      const { refundAmount } = part;
      return { ...draft, refundType, ...(refundAmount && { refundAmount }) };
    }
  }
}

function extents(full: Amounts): { readonly value: RefundType; readonly name: string }[] {
  const most = money(full.customerAmount, full.customerCurrency);
  return [
    { value: 'FULL', name: `Full remaining amount${most && ` (${most})`}` },
    { value: 'PARTIAL_PERCENT', name: 'A percentage' },
    { value: 'PARTIAL_AMOUNT', name: 'An amount' },
  ];
}

/** Asks until the service accepts the amount. */
async function askPart(
  context: WizardContext,
  draft: Draft,
  full: Amounts,
  refundType: RefundType,
): Promise<{ refundAmount: string; amounts: Amounts } | Back | 'only in full'> {
  const { today } = context;
  const receipt = subjectOf(draft).payment.receipt ?? '';
  for (;;) {
    const refundAmount = await askText(context, question(full, refundType), (answer) => {
      const { refundAmount: param } = tickets.refundAmounts.params;
      return (
        problemWith(param, answer, today) ??
        problemWithAmount(receipt, { refundType, refundAmount: answer }, full, today)
      );
    });
    if (refundAmount === back) return back;
    const quoted = await quote(context, draft, refundType, refundAmount);
    if ('amounts' in quoted) return { refundAmount, amounts: quoted.amounts };
    sayWrapped(context, `${refundAmount} was not accepted: ${quoted.refused}`);
    if (quoted.status === 403) return 'only in full';
  }
}

function question(full: Amounts, refundType: RefundType): string {
  const { customerAmount, customerCurrency } = full;
  const most = money(customerAmount, customerCurrency);
  if (refundType === 'PARTIAL_PERCENT') {
    return `Percentage to refund, 1 to 80${most && ` (at most ${most})`}`;
  }
  return `Amount to refund in ${customerCurrency ?? "the customer's currency"}${atMost(full)}`;
}

function atMost({ customerAmount, customerCurrency }: Amounts): string {
  const most = money(customerAmount, customerCurrency);
  return most && `, at most ${most}`;
}

async function quote(
  { client }: WizardContext,
  draft: Draft,
  refundType: RefundType,
  refundAmount?: string,
) {
  const looked = await quoteRefund(client, subjectOf(draft), { refundType, refundAmount });
  if (looked.state === 'found') return { amounts: looked.value };
  if (looked.state === 'refused') return { refused: looked.message, status: looked.status };
  return { refused: 'This key may not read refund amounts.', status: undefined };
}
