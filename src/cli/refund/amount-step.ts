/** How much to refund, with what that comes to before anything is sent. */
import { tickets } from '../../operations/tickets.ts';
import { failureFrom } from '../failure.ts';
import { parseValue } from '../values.ts';
import { choose, type Desk, tellWrapped, write } from './desk.ts';
import { type Amounts, type Draft, subjectOf, type Transaction } from './draft.ts';
import { amountsInWords } from './effect.ts';
import { type Back, back, type Step, skip } from './walk.ts';

type RefundType = NonNullable<Draft['refundType']>;

interface Extent {
  readonly refundType: RefundType;
  readonly refundAmount?: string;
}

/** A refund in full, in percent or of an amount; a cancellation that refunds, in full. */
export function askAmount(desk: Desk): Step<Draft> {
  /** Vendors of which the service said that they may not refund in part. */
  const onlyInFull = new Set<unknown>();
  return async (draft) => {
    const { item, payment } = subjectOf(draft);
    if (draft.type !== 'rfnd') return item.recurring ? skip : withAll(desk, draft);
    for (;;) {
      const extent = await askExtent(desk, draft, !onlyInFull.has(payment.vendor));
      if (extent === back) return back;
      const amounts = await ask(desk, draft, extent);
      if (typeof amounts === 'object') {
        tellWrapped(desk, `The service would refund ${amountsInWords(amounts)}.`);
        return { ...draft, ...extent, amounts };
      }
      if (amounts === 403 && extent.refundType !== 'FULL') onlyInFull.add(payment.vendor);
    }
  };
}

async function withAll(desk: Desk, draft: Draft) {
  const amounts = await ask(desk, draft, { refundType: 'FULL' });
  return typeof amounts === 'object' ? { silently: { ...draft, amounts } } : back;
}

const extents = [
  { value: 'FULL', name: 'All that is left of it' },
  { value: 'PARTIAL_PERCENT', name: 'A percentage' },
  { value: 'PARTIAL_AMOUNT', name: 'An amount' },
];

async function askExtent(desk: Desk, draft: Draft, mayBePartial: boolean): Promise<Extent | Back> {
  const choices = mayBePartial ? extents : extents.slice(0, 1);
  for (;;) {
    const chosen = await choose(desk, 'How much', choices);
    if (chosen === back) return back;
    const refundType = chosen as RefundType;
    if (refundType === 'FULL') return { refundType };
    const refundAmount = await write(desk, question(draft, refundType), (answer) =>
      problemWith(draft, { refundType, refundAmount: answer }, desk.today),
    );
    if (refundAmount !== back) return { refundType, refundAmount };
  }
}

function question(draft: Draft, refundType: RefundType): string {
  if (refundType === 'PARTIAL_PERCENT') return 'Percent, 1 to 80';
  return `Amount in ${subjectOf(draft).payment.currency ?? "the customer's currency"}`;
}

/** What the rules of the catalogue say against it. */
function problemWith(draft: Draft, extent: Extent, today: string): string | undefined {
  const { check, params } = tickets.refundAmounts;
  const { refundAmount = '' } = extent;
  const parsed = parseValue(params.refundAmount, refundAmount, today);
  if ('problem' in parsed) return parsed.problem;
  const { receipt = '' } = subjectOf(draft).payment;
  const args = { receipt: receipt ?? '', ...extent, refundAmount };
  const remark = check?.(args, today).find((one) => one && one.weight === 'problem');
  return remark ? remark.says : undefined;
}

/** The amounts, or the status of a refusal, which is told. */
async function ask(desk: Desk, draft: Draft, extent: Extent): Promise<Amounts | number> {
  const { payment, item } = subjectOf(draft);
  try {
    return await desk.api.call(tickets.refundAmounts, {
      receipt: payment.receipt ?? '',
      refundType: extent.refundType,
      // Needed by the specification also for a full refund, of which it decides nothing.
      refundAmount: extent.refundAmount ?? item.customerAmount?.value ?? '0',
      ...skuOf(payment, item.itemNo),
    });
  } catch (error) {
    const { status, message } = failureFrom(error);
    if (status !== 400 && status !== 403) throw error;
    tellWrapped(desk, message);
    return status;
  }
}

/** The item is named only where the payment was for several. */
export function skuOf(payment: Transaction, itemNo: string | null | undefined) {
  return (payment.lineItemData ?? []).length > 1 && itemNo ? { sku: itemNo } : {};
}
