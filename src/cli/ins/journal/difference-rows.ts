/** The rows that `cb ins reconcile` shows. */
import type { Difference } from '../../../ins/reconcile/compare.ts';
import {
  decimal,
  headed,
  integer,
  naming,
  nillable,
  resource,
  text,
} from '../../../operations/resource.ts';
import type { Row } from '../../../output/rows/rows.ts';
import { amountValue } from './event-rows.ts';

export const differenceResource = resource(
  'difference',
  ['problem', 'type', 'receipt', 'time', 'amount', 'eventAmount', 'eventId', 'replay'],
  {
    problem: text,
    type: text,
    receipt: naming('receipt', text),
    time: text,
    amount: headed('Order amount', nillable(decimal)),
    eventAmount: headed('Event amount', nillable(decimal)),
    eventId: headed('Event', nillable(integer)),
    replay: nillable(text),
  },
  { noun: 'difference' },
);

/** `replay` is the result of sending the event that was reconstructed. */
export function differenceRow(
  { problem, type, receipt, time, amount, eventAmount, eventId }: Difference,
  replay: string | undefined,
): Row {
  const amounts = { amount: amountValue(amount), eventAmount: amountValue(eventAmount) };
  return { problem, type, receipt, time, ...amounts, eventId, replay: replay ?? null };
}
