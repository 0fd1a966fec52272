/** Reconstructs the event that never came for a transaction. */
import { eventText } from '../event-text.ts';
import type { EventType } from '../event-types.ts';
import { journaledEvent, type NewEvent } from '../journal/journaled-event.ts';
import { encryptNotification } from '../notification.ts';
import type { OrderRow } from '../samples/order-event.ts';
import { eventOf } from '../samples/sample-event.ts';

/** Without a secret, the event can only be forwarded decrypted. `row` has a compared type. */
export function reconstructedEvent(row: OrderRow, now: Date, secret: string | undefined): NewEvent {
  const isReturnedCheck = row.transactionType === 'CGBK' && row.paytmentMethod === 'CHECK';
  const type = isReturnedCheck ? 'INSF' : (row.transactionType as EventType);
  const exact = eventOf(type, { now, from: [row] });
  const text = eventText(exact);
  const body = secret === undefined ? null : encryptNotification(text, secret);
  return journaledEvent({ exact, text, body, receivedAt: now.getTime(), isReconstructed: true });
}
