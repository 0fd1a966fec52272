/** How much to refund, with what that comes to before anything is sent. */
import { tickets } from '../../operations/tickets.ts';
import { validate } from '../../operations/validate.ts';
import { failureFrom } from '../failure.ts';
import { type Amounts, type Draft, skuOf, subjectOf } from './draft.ts';
import { amountsInWords } from './effect.ts';
import { money } from './sale.ts';
import { type Back, back, type Step, skip } from './steps.ts';
import { askChoice, askText, backKey, tellWrapped, type WizardContext } from './wizard-context.ts';

type RefundType = NonNullable<Draft['refundType']>;

interface Extent {
  readonly refundType: RefundType;
  readonly refundAmount?: string;
}

/** What the service said against a refund of an item, by `subjectKey`. */
export type Refusals = Map<string, string>;

export function subjectKey(draft: Draft): string {
  const { payment, item } = subjectOf(draft);
  return `${payment.receipt} ${item.itemNo}`;
}

/** The service's answer about an amount: what it would refund, or why not. */
type Quote =
  | { readonly amounts: Amounts }
  | { readonly refused: string; readonly status: number | undefined };

/**
 * The full amount is read first: it is the maximum of every other one, and where the service refuses it,
 * no refund can succeed. That is noted in `refusals`, and the person chooses what else to do.
 */
export function askAmount(context: WizardContext, refusals: Refusals): Step<Draft> {
  const onlyInFull = new Set<unknown>();
  return async (draft) => {
    if (draft.type !== 'rfnd' && draft.type !== 'cncl') return skip;
    if (draft.type === 'cncl' && subjectOf(draft).item.recurring) return skip;
    const full = await quote(context, draft, { refundType: 'FULL' });
    if ('refused' in full) {
      refusals.set(subjectKey(draft), full.refused);
      return back;
    }
    const { amounts } = full;
    if (draft.type === 'cncl') return { silently: { ...draft, amounts } };
    return askExtent(context, draft, amounts, onlyInFull);
  };
}

/** After an answer that was refused, nothing that refunds more is under the cursor. */
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
    const chosen = await askChoice(context, 'How much do you want to refund?', choices, {
      selected,
    });
    if (chosen === back) return back;
    const refundType = chosen as RefundType;
    const part =
      refundType === 'FULL' ? { amounts: full } : await askPart(context, draft, full, refundType);
    if (part === 'only in full') {
      onlyInFull.add(vendor);
      selected = backKey;
    } else if (part === back) selected = chosen;
    else {
      tellWrapped(context, `ClickBank would refund ${amountsInWords(part.amounts)}.`);
      return { ...draft, refundType, ...part };
    }
  }
}

function extents(full: Amounts) {
  const most = money(full.customerAmount, full.customerCurrency);
  return [
    { value: 'FULL', name: `Full remaining amount${most && ` (${most})`}` },
    { value: 'PARTIAL_PERCENT', name: 'A percentage' },
    { value: 'PARTIAL_AMOUNT', name: 'An amount' },
  ];
}

/** Asks until the service accepts the amount; a refused one is asked for again, with the maximum. */
async function askPart(
  context: WizardContext,
  draft: Draft,
  full: Amounts,
  refundType: RefundType,
): Promise<{ refundAmount: string; amounts: Amounts } | Back | 'only in full'> {
  for (;;) {
    const refundAmount = await askText(context, question(full, refundType), (answer) =>
      problemWith(context, draft, { refundType, refundAmount: answer }, full),
    );
    if (refundAmount === back) return back;
    const quoted = await quote(context, draft, { refundType, refundAmount });
    if ('amounts' in quoted) return { refundAmount, amounts: quoted.amounts };
    tellWrapped(context, `${refundAmount} was not accepted: ${quoted.refused}`);
    if (quoted.status === 403) return 'only in full';
  }
}

function question({ customerAmount, customerCurrency }: Amounts, refundType: RefundType): string {
  const most = money(customerAmount, customerCurrency);
  if (refundType === 'PARTIAL_PERCENT') {
    return `Percentage to refund, 1 to 80${most && ` (at most ${most})`}`;
  }
  return `Amount to refund in ${customerCurrency ?? "the customer's currency"}${most && `, at most ${most}`}`;
}

/** What the rules of the catalogue, or the maximum, say against an answer. */
function problemWith(
  { today }: WizardContext,
  draft: Draft,
  extent: Required<Extent>,
  { customerAmount, customerCurrency }: Amounts,
): string | undefined {
  const { receipt } = subjectOf(draft).payment;
  const problem = validate(tickets.refundAmounts, { receipt, ...extent }, today).find(
    ({ param }) => param === 'refundAmount',
  );
  if (problem) return problem.says;
  const isTooMuch =
    extent.refundType === 'PARTIAL_AMOUNT' &&
    customerAmount &&
    Number(extent.refundAmount) > Number(customerAmount);
  return isTooMuch ? `must be at most ${money(customerAmount, customerCurrency)}` : undefined;
}

async function quote({ api }: WizardContext, draft: Draft, extent: Extent): Promise<Quote> {
  const { payment, item } = subjectOf(draft);
  try {
    const amounts = await api.call(tickets.refundAmounts, {
      receipt: payment.receipt ?? '',
      refundType: extent.refundType,
      // The specification requires it for a full refund too, where it decides nothing.
      refundAmount: extent.refundAmount ?? item.customerAmount ?? '0',
      ...skuOf(payment, item.itemNo),
    });
    return { amounts };
  } catch (error) {
    const { status, message } = failureFrom(error);
    if (status !== 400 && status !== 403) throw error;
    return { refused: message, status };
  }
}
