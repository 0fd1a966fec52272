/** Where a parcel goes, in one line. */
import type { Consignment } from './store/shipment.ts';

type Address = Omit<Consignment, 'txnId' | 'lineItemId' | 'type' | 'time'>;

/** Null where nothing is known of the customer. */
export function addressOf(address: Address): string | null {
  const { fullName, address1, address2, city, state, postalCode, country } = address;
  const place = [city, state, postalCode].filter(Boolean).join(' ');
  const parts = [fullName, address1, address2, place, country].filter(Boolean);
  return parts.length ? parts.join(', ') : null;
}
