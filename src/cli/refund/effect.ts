/** What a ticket does to a receipt, in words (section 3 of the specification). */
import { type Amounts, type Draft, hasEnded, type LineItem, subjectOf } from './draft.ts';
import { dayOf, money } from './sale.ts';

/** The receipt, or the item of it where it was paid for several. */
function whatOf(draft: Draft): string {
  const { payment, item } = subjectOf(draft);
  const isOneOfSeveral = (payment.lineItemData ?? []).length > 1;
  return isOneOfSeveral ? `${item.itemNo} of ${payment.receipt}` : `${payment.receipt}`;
}

/** What a refund ticket does. */
export function refundEffect(draft: Draft): string {
  const { item } = subjectOf(draft);
  return [
    `A refund pays back ${whatOf(draft)}`,
    subscriptionEffect(item),
    item.shippable
      ? ', once the item is returned and you acknowledge that with cb tickets returned'
      : '',
    '.',
  ].join('');
}

function subscriptionEffect(item: LineItem): string {
  if (!item.recurring) return '';
  if (hasEnded(item)) return '; its subscription has already ended';
  return ' and ends future billing, unless you keep the subscription';
}

/** What a cancellation does. */
export function cancelEffect(draft: Draft): string {
  const { item } = subjectOf(draft);
  if (!item.recurring) {
    const returned = item.shippable ? ', once the item is returned' : '';
    return `A cancellation refunds ${whatOf(draft)} in full${returned}, because it is not a subscription.`;
  }
  if (hasEnded(item)) return 'There is nothing to cancel: the subscription has already ended.';
  const next = item.nextPaymentDate ? ` (next payment ${dayOf(item.nextPaymentDate)})` : '';
  return `A cancellation only ends future billing${next}; it refunds nothing.`;
}

/** What is about to happen: to which order, how much money, and of which account. */
export function plannedEffect(draft: Draft): string {
  if (draft.commentOn !== undefined) {
    return `Adds a comment to ticket ${draft.commentOn}. No money moves.`;
  }
  const { item, payment } = subjectOf(draft);
  const customer = payment.fullName ? ` of ${payment.fullName}` : '';
  const refunds = draft.type === 'rfnd' || !item.recurring;
  if (!refunds) return `Ends future billing of ${whatOf(draft)}${customer} and refunds nothing.`;
  const isOpen = item.recurring && !hasEnded(item);
  const billing = draft.keeps ? '; the subscription continues' : '; future billing ends';
  const returned = item.shippable ? ', once the item is returned' : '';
  const amount = draft.amounts ? amountsInWords(draft.amounts) : 'the full remaining amount';
  const parties = `${payment.fullName ? ` to ${payment.fullName}` : ''}${payment.vendor ? ` from ${payment.vendor}` : ''}`;
  return `Refunds ${amount} for ${whatOf(draft)}${parties}${returned}${isOpen ? billing : ''}. This can't be undone.`;
}

/** What the customer gets, and the same in dollars and in the product's currency where these differ. */
export function amountsInWords(amounts: Amounts): string {
  const { customerAmount, customerCurrency, usdAmount, productAmount, productCurrency } = amounts;
  const customer = money(customerAmount, customerCurrency);
  const others = [
    usdAmount && money(usdAmount, 'USD'),
    productAmount && money(productAmount, productCurrency),
  ].filter((text) => text && text !== customer);
  const equal = [...new Set(others)];
  return equal.length > 0 ? `${customer} (${equal.join(', ')})` : customer;
}
