/** What became of an event, in one word. */
import type { DeliveryEntry } from './journal-queries.ts';

/** `retrying` and `failed` are what --failed selects; `kept` was not to be delivered anywhere. */
export function stateOf(deliveries: readonly DeliveryEntry[]): string {
  if (deliveries.length === 0) return 'kept';
  if (deliveries.some(({ state }) => state === 'failed')) return 'failed';
  const open = deliveries.filter(({ state }) => state === 'pending');
  if (open.length === 0) return 'delivered';
  return open.some(({ attempts }) => attempts > 0) ? 'retrying' : 'waiting';
}
