/** Seeds tickets of the past year and a few open ones, starting with the fixed tickets of the examples. */
import { addDays } from '../../dates/day.ts';
import { instantOf, pacificDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { VENDORS } from '../request/keys.ts';
import {
  addLandmarkTickets,
  addPastTickets,
  enablePartialRefunds,
} from '../store/tickets/ticket-seed.ts';
import { WITHOUT_PARTIAL_REFUNDS } from './partial-refunds.ts';
import type { SeedPlan } from './story.ts';

const HOUR = 3600;
const NOON = 12 * HOUR;

/** The tickets 1001 to 1005, on fixed receipts. */
function landmarksOf(now: number) {
  const noon = (daysAgo: number) => instantOf(addDays(pacificDay(now), -daysAgo), NOON);
  const asked = now - 5 * HOUR;
  return [
    {
      receipt: 'TICKET01',
      type: 'REFUND',
      reason: 'ticket.type.refund.2',
      opened: asked,
      settles: asked + 24 * HOUR,
      comment: 'It is not what I had in mind.',
    },
    {
      receipt: 'DIGITAL1',
      type: 'TECH_SUPPORT',
      reason: 'ticket.type.tech_support.2',
      opened: noon(2),
      closed: noon(1),
      comment: 'The download stops half way.',
    },
    {
      receipt: 'MONTHLY1',
      type: 'TECH_SUPPORT',
      reason: 'ticket.type.tech_support.1',
      opened: noon(5),
      comment: 'I cannot log in.',
    },
    {
      receipt: 'RETURN01',
      type: 'REFUND',
      reason: 'ticket.type.refund.returned',
      opened: noon(2),
      comment: 'I am sending it back.',
    },
    {
      receipt: 'UPSELL01',
      type: 'TECH_SUPPORT',
      reason: 'ticket.type.tech_support.3',
      opened: noon(8),
      closed: noon(7),
      reopened: noon(1),
      comment: 'The link in the mail does not work.',
    },
  ] as const;
}

export function seedTickets(db: Database, { now }: SeedPlan): void {
  enablePartialRefunds(
    db,
    VENDORS.filter((vendor) => vendor !== WITHOUT_PARTIAL_REFUNDS),
  );
  addLandmarkTickets(db, landmarksOf(now));
  addPastTickets(db, now);
}
