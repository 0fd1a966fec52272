/** Describes the effects of a ticket on a receipt (section 3 of the specification). */
import type { Amounts, LineItem } from '../safe-write/reads.ts';
import { dayOf, money } from '../safe-write/sentence.ts';
import { hasEnded } from './refundable.ts';
import type { Subject } from './sale.ts';

/** The receipt, or one of its items if it has several. */
function nameOf({ payment, item }: Subject): string {
  const isOneOfSeveral = (payment.lineItemData ?? []).length > 1;
  return isOneOfSeveral ? `${item.itemNo} of ${payment.receipt}` : `${payment.receipt}`;
}

export function refundEffect(subject: Subject): string {
  const { item } = subject;
  const returned = ', once the item is returned and you acknowledge that';
  return `A refund pays back ${nameOf(subject)}${billingEffect(item)}${item.shippable ? returned : ''}.`;
}

function billingEffect(item: LineItem): string {
  if (!item.recurring) return '';
  if (hasEnded(item)) return '; its subscription has already ended';
  return ' and ends future billing, unless you keep the subscription';
}

export function cancelEffect(subject: Subject): string {
  const { item } = subject;
  if (!item.recurring) {
    const returned = item.shippable ? ', once the item is returned' : '';
    return `A cancellation refunds ${nameOf(subject)} in full${returned}, because it is not a subscription.`;
  }
  if (hasEnded(item)) return 'There is nothing to cancel: the subscription has already ended.';
  const next = item.nextPaymentDate ? ` (next payment ${dayOf(item.nextPaymentDate)})` : '';
  return `A cancellation only ends future billing${next}; it refunds nothing.`;
}

/** The customer's amount, followed by the amounts in dollars and in the product's currency if they differ. */
export function amountsInWords(amounts: Amounts): string {
  const { customerAmount, customerCurrency, usdAmount, productAmount, productCurrency } = amounts;
  const customer = money(customerAmount, customerCurrency);
  const others = [money(usdAmount, 'USD'), money(productAmount, productCurrency)];
  const different = [...new Set(others)].filter((text) => text && text !== customer);
  return different.length > 0 ? `${customer} (${different.join(', ')})` : customer;
}
