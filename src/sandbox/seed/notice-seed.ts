/** Ship notices of the sample vendors, for nearly all orders older than a few days. */
import { addDays } from '../../dates/day.ts';
import { endOf, instantOf, pacificDay } from '../../dates/pacific.ts';
import type { Database } from '../../storage/sqlite.ts';
import {
  addNotice,
  addressOf,
  type Consignment,
  findConsignments,
} from '../store/orders/shipment.ts';
import type { Pause } from '../store/store.ts';
import { type Random, randomFrom } from './random.ts';
import type { SeedPlan } from './story.ts';

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

function trackingId(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.integer(0, 9)).join('');
}

function noticeOf(random: Random, parcel: Consignment) {
  const { carrier, digits } = random.weigh(CARRIERS);
  const day = addDays(pacificDay(parcel.time), random.integer(1, WAITING_DAYS - 1));
  return {
    lineItemId: parcel.lineItemId,
    carrier,
    shipDate: instantOf(day),
    tracking: random.chance(0.9) ? trackingId(random, digits) : null,
    comments: random.chance(0.1) ? 'Left with a neighbor if nobody is home' : null,
    shippedTo: addressOf(parcel),
  };
}

/** Rebills are always shipped; of the sales, one in ten is not. */
function isShipped(random: Random, { type }: Consignment): boolean {
  return random.chance(0.9) || type.endsWith('BILL');
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
      if (isShipped(random, parcel)) addNotice(db, parcel.txnId, noticeOf(random, parcel));
      if (i % STEP === 0) await pause();
    }
    last = parcels[BATCH - 1];
  } while (last);
}
