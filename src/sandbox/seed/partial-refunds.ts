/** Which refunds of the sample data are partial. */
import { VENDORS } from '../request/keys.ts';

/** The vendor that is not enabled for partial refunds. */
export const [, , , , WITHOUT_PARTIAL_REFUNDS] = VENDORS;

/** Of a partial refund. */
export const REFUNDED_PERCENT = 50;

/** One in this number of refunds is partial. */
const PARTIAL = 6;

/** A cart is refunded as a whole. */
export function isPartialRefund(purchaseId: number, vendor: string, items: number): boolean {
  return purchaseId % PARTIAL === 1 && items === 1 && vendor !== WITHOUT_PARTIAL_REFUNDS;
}
