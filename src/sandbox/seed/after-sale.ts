/**
 * Seeds what follows sales: tickets of the past year and a few open ones, starting with the fixed tickets of the
 * examples; and the ship notices of nearly all orders older than a few days.
 */
import { addDays } from '../../dates/day.ts';
import { endOf, instantOf, pacificDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import { VENDORS } from '../http/keys.ts';
import { addNotice, addressOf, type Consignment, findConsignments } from '../store/shipment.ts';
import { insertRow } from '../store/statements.ts';
import type { Pause } from '../store/store.ts';
import { addLandmark, addPastTickets, type LandmarkTicket } from '../store/ticket-seed.ts';
import { WITHOUT_PARTIAL_REFUNDS } from './purchase.ts';
import { type Random, randomFrom } from './random.ts';
import type { SeedPlan } from './story.ts';

const HOUR = 3600;
const NOON = 12 * HOUR;
/** The tickets of the examples start at 1001; all others follow. */
const FIRST_ID = 1001;

/** The tickets 1001 to 1005, on fixed receipts. */
function landmarksOf(now: number): LandmarkTicket[] {
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
  ];
}

export function seedTickets(db: Database, { now }: SeedPlan): void {
  for (const vendor of VENDORS) {
    if (vendor !== WITHOUT_PARTIAL_REFUNDS) insertRow(db, 'partial_refund_vendor', { vendor });
  }
  for (const [i, ticket] of landmarksOf(now).entries()) addLandmark(db, FIRST_ID + i, ticket);
  addPastTickets(db, now);
}

/** Orders of the last days are not shipped yet. */
const WAITING_DAYS = 3;
const BATCH = 20_000;
/** Parcels between two pauses. */
const STEP = 1000;

const CARRIERS = [
  { carrier: 'USPS', digits: 22, weight: 5 },
  { carrier: 'UPS', digits: 18, weight: 3 },
  { carrier: 'FedEx', digits: 12, weight: 2 },
  { carrier: 'DHL', digits: 10, weight: 1 },
] as const;

function noticeOf(random: Random, parcel: Consignment) {
  const { carrier, digits } = random.weigh(CARRIERS);
  const day = addDays(pacificDay(parcel.time), random.integer(1, WAITING_DAYS - 1));
  return {
    lineItemId: parcel.lineItemId,
    carrier,
    shipDate: instantOf(day),
    tracking: random.chance(0.9)
      ? Array.from({ length: digits }, () => random.integer(0, 9)).join('')
      : null,
    comments: random.chance(0.1) ? 'Left with a neighbor if nobody is home' : null,
    shippedTo: addressOf(parcel),
  };
}

export async function seedNotices(
  db: Database,
  { now, randomSeed }: SeedPlan,
  pause: Pause,
): Promise<void> {
  const random = randomFrom(randomSeed);
  const until = endOf(addDays(pacificDay(now), -WAITING_DAYS));
  let last: Consignment | undefined;
  do {
    const parcels = findConsignments(db, until, BATCH, last);
    for (const [i, parcel] of parcels.entries()) {
      // Rebills are always shipped; of the sales, one in ten is not.
      const isShipped = random.chance(0.9) || parcel.type.endsWith('BILL');
      if (isShipped) addNotice(db, parcel.txnId, noticeOf(random, parcel));
      if (i % STEP === 0) await pause();
    }
    last = parcels[BATCH - 1];
  } while (last);
}
