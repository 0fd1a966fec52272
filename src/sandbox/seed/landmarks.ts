/** The fixed receipts and tickets of every seed, which the examples in the help use. */
import { addDays, addMonths, instantOf, pacificDay } from '../../dates/day.ts';
import type { Database } from '../../storage/sqlite.ts';
import { AFFILIATES, VENDORS } from '../http/keys.ts';
import { CHARGEBACK_FEE } from '../services/money.ts';
import { insertRow } from '../store/statements.ts';
import type { TicketType } from '../store/ticket.ts';
import { findByReceipt, findLinesOf } from '../store/transaction.ts';
import type { Customer } from './customer.ts';
import { productOf } from './products.ts';
import type { Story } from './purchase.ts';

const NOON = 12 * 3600;
const DAY = 86_400;

const CUSTOMER: Customer = {
  taxPercent: 0,
  currency: 'USD',
  language: 'EN',
  firstName: 'Ada',
  lastName: 'Sample',
  fullName: 'Ada Sample',
  email: 'ada.sample@example.com',
  phone: '+1-208-555-0100',
  address1: '12 Orchard Lane',
  address2: null,
  city: 'Boise',
  county: 'Ada',
  state: 'ID',
  country: 'US',
  postalCode: '83702',
};

const NOBODY: Customer = {
  ...CUSTOMER,
  ...{ firstName: null, lastName: null, fullName: null, email: null },
  ...{ state: null, country: null, postalCode: null },
};

const EXTRAS: Story['extras'] = {
  declinedConsent: 0,
  contactInfo: '[]',
  vendorVariables: '[]',
  commonTracking: null,
  affiliateTracking: null,
};

/** A fixed receipt, without the ID of its parent purchase. A fee takes the place of its sale. */
interface Landmark extends Omit<Story, 'upsellOf'> {
  readonly upsellOfReceipt?: string;
  readonly fee?: number;
}

function landmark(
  receipt: string,
  day: string,
  skus: readonly string[],
  { type = 'STANDARD', ...particulars }: Partial<Landmark> & { readonly type?: string } = {},
): Landmark {
  return {
    receipt,
    items: skus.map((sku) => ({ product: productOf(sku), type, quantity: 1 })),
    at: instantOf(day, NOON),
    customer: CUSTOMER,
    affiliate: AFFILIATES[0],
    trackingId: 'spring',
    paymentMethod: 'VISA',
    test: false,
    extras: EXTRAS,
    ...particulars,
  };
}

/** The fixed receipts on a Pacific day; upsells follow their parent. */
export function landmarksOf(today: string): Landmark[] {
  const ago = (days: number) => addDays(today, -days);
  // The start of a subscription whose next payment is about `days` ahead, also in short months.
  const since = (months: number, days: number) => addMonths(addDays(today, days), -months);
  const isDirect = { affiliate: null, trackingId: null };
  const isTest = { test: true, affiliate: null, paymentMethod: 'TEST_PAYMENT' };
  const upsell = (seconds: number) => ({
    ...{ type: 'UPSELL', upsellOfReceipt: 'UPSELL01', trackingId: null },
    at: instantOf(ago(9), NOON + seconds),
  });
  return [
    landmark('MONTHLY1', since(4, 8), ['CLUB-M']),
    landmark('CANCEL01', since(2, -5), ['CLUB-M'], { canceledAt: instantOf(ago(20), NOON) }),
    landmark('LIMITED1', since(3, 12), ['PLAN-6'], { affiliate: null }),
    landmark('SHIPBOX1', since(2, 15), ['CLUB-BOX-M']),
    landmark('CART0003', ago(6), ['KIT-01', 'KIT-02', 'KIT-03'], { type: 'CART' }),
    landmark('UPSELL01', ago(9), ['GUIDE-01'], { type: 'ORIGINAL' }),
    landmark('UPSELL02', ago(9), ['KIT-01'], upsell(70)),
    landmark('UPSELL03', ago(9), ['KIT-02'], upsell(130)),
    landmark('DIGITAL1', ago(3), ['GUIDE-01']),
    landmark('PARCEL01', ago(2), ['TROWEL'], isDirect),
    landmark('TICKET01', ago(4), ['GUIDE-01']),
    landmark('RETURN01', ago(11), ['TROWEL'], isDirect),
    landmark('PARCEL02', ago(2), ['TROWEL', 'GLOVES', 'KIT-01'], { type: 'CART' }),
    landmark('REFUND01', ago(25), ['GUIDE-01'], { reversal: { type: 'RFND', after: 5 * DAY } }),
    landmark('CHARGE01', ago(50), ['GUIDE-01'], { reversal: { type: 'CGBK', after: 15 * DAY } }),
    landmark('TESTSL01', ago(12), ['GUIDE-01'], isTest),
    landmark('TESTFEE1', ago(200), ['GUIDE-01'], {
      ...isTest,
      ...{ trackingId: null, customer: NOBODY, fee: CHARGEBACK_FEE },
    }),
  ];
}

/** The receipts reserved for fixed sales. They are the same every day. */
export function fixedReceipts(today: string): ReadonlySet<string> {
  return new Set(landmarksOf(today).map(({ receipt }) => receipt));
}

/** The tickets of the examples start at 1001; all others follow. */
const FIRST_ID = 1001;

type Entry = readonly [time: number, action: 'OPENED' | 'CLOSED' | 'REOPENED', comment: string];

const STATUSES = { OPENED: 'OPEN', CLOSED: 'CLOSED', REOPENED: 'REOPENED' } as const;

/** Tickets on sales of one item, with their logs; refunds are pending. */
function fixedTickets(now: number) {
  const noon = (daysAgo: number) => instantOf(addDays(pacificDay(now), -daysAgo), NOON);
  const asked = now - 5 * 3600;
  const ticket =
    (type: TicketType, settles?: number) =>
    (receipt: string, reason: string, ...log: readonly Entry[]) =>
      ({ type, receipt, reason, settles, log }) as const;
  const help = ticket('TECH_SUPPORT');
  const refund = ticket('REFUND', asked + DAY);
  const opened = (at: number, comment: string): Entry => [at, 'OPENED', comment];
  const closed: Entry = [noon(1), 'CLOSED', 'Solved.'];
  return [
    refund('TICKET01', '2', opened(asked, 'It is not what I had in mind.')),
    help('DIGITAL1', '2', opened(noon(2), 'The download stops half way.'), closed),
    help('MONTHLY1', '1', opened(noon(5), 'I cannot log in.')),
    ticket('REFUND')('RETURN01', 'returned', opened(noon(2), 'I am sending it back.')),
    help(
      'UPSELL01',
      '3',
      opened(noon(8), 'The link in the mail does not work.'),
      [noon(7), 'CLOSED', 'Solved.'],
      [noon(1), 'REOPENED', 'It still does not work.'],
    ),
  ];
}

export function seedFixedTickets(db: Database, now: number): void {
  for (const [i, { receipt, type, reason, log, settles }] of fixedTickets(now).entries()) {
    const [sale] = findByReceipt(db, receipt, VENDORS);
    const [opened] = log;
    const [updated, action] = log.at(-1) ?? [];
    if (!sale || !opened || !updated || !action) throw new Error(`The seed has no ${receipt}.`);
    const ticketId = insertRow(db, 'ticket', {
      id: FIRST_ID + i,
      ...{ txnId: sale.id, purchaseId: sale.purchaseId, receipt, vendor: sale.vendor, type },
      lineItemId: findLinesOf(db, sale.purchaseId)[0]?.id,
      status: STATUSES[action],
      reason: `ticket.type.${type.toLowerCase()}.${reason}`,
      ...{ opened: opened[0], updated, settles },
      closed: action === 'CLOSED' ? updated : undefined,
      ...(type === 'REFUND' && { refundType: 'FULL', refundState: 'PENDING' }),
      refundCents: type === 'REFUND' ? sale.totalCents : undefined,
    });
    for (const [time, step, comment] of log) {
      const role = step === 'CLOSED' ? 'VENDOR' : 'CUSTOMER';
      insertRow(db, 'ticket_comment', { ticketId, time, action: step, role, comment });
    }
  }
}
