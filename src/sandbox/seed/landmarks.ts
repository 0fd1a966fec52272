/** The fixed receipts of every seed, which the examples in the help use. */
import { addDays, addMonths } from '../../dates/day.ts';
import { instantOf } from '../../dates/pacific.ts';
import { AFFILIATES } from '../request/keys.ts';
import type { Customer } from './customer.ts';
import { productOf } from './products.ts';
import type { Extras, Item, Story } from './story.ts';

const NOON = 12 * 3600;
const DAY = 86_400;

const CUSTOMER: Customer = {
  taxPercent: 0,
  columns: {
    currency: 'USD',
    language: 'EN',
    first_name: 'Ada',
    last_name: 'Sample',
    full_name: 'Ada Sample',
    email: 'ada.sample@example.com',
    phone: '+1-208-555-0100',
    address1: '12 Orchard Lane',
    address2: null,
    city: 'Boise',
    county: 'Ada',
    state: 'ID',
    country: 'US',
    postal_code: '83702',
  },
};

const EXTRAS: Extras = {
  declined_consent: 0,
  contact_info: '[]',
  vendor_variables: '[]',
  common_tracking: null,
  affiliate_tracking: null,
};

/** A fixed receipt, without the ID of its parent purchase. */
interface Landmark extends Omit<Story, 'upsellOf'> {
  readonly upsellOfReceipt?: string;
}

type Particulars = Partial<Landmark>;

function item(sku: string, type = 'STANDARD'): Item {
  return { product: productOf(sku), type, quantity: 1 };
}

function landmark(
  receipt: string,
  day: string,
  items: readonly Item[],
  particulars: Particulars = {},
): Landmark {
  return {
    receipt,
    items,
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

/** The start of a subscription whose next payment is about `days` ahead, also in short months. */
function monthlySince(today: string, months: number, days: number): string {
  return addMonths(addDays(today, days), -months);
}

function subscriptions(today: string): Landmark[] {
  const ago = (days: number) => addDays(today, -days);
  return [
    landmark('MONTHLY1', monthlySince(today, 4, 8), [item('CLUB-M')]),
    landmark('CANCEL01', monthlySince(today, 2, -5), [item('CLUB-M')], {
      canceledAt: instantOf(ago(20), NOON),
    }),
    landmark('LIMITED1', monthlySince(today, 3, 12), [item('PLAN-6')], { affiliate: null }),
    landmark('SHIPBOX1', monthlySince(today, 2, 15), [item('CLUB-BOX-M')]),
  ];
}

function sales(today: string): Landmark[] {
  const ago = (days: number) => addDays(today, -days);
  const cart = ['KIT-01', 'KIT-02', 'KIT-03'].map((sku) => item(sku, 'CART'));
  const upsell = { upsellOfReceipt: 'UPSELL01', trackingId: null };
  const upsellDay = ago(9);
  return [
    landmark('CART0003', ago(6), cart),
    landmark('UPSELL01', upsellDay, [item('GUIDE-01', 'ORIGINAL')]),
    landmark('UPSELL02', upsellDay, [item('KIT-01', 'UPSELL')], {
      ...upsell,
      at: instantOf(upsellDay, NOON + 70),
    }),
    landmark('UPSELL03', upsellDay, [item('KIT-02', 'UPSELL')], {
      ...upsell,
      at: instantOf(upsellDay, NOON + 130),
    }),
    landmark('DIGITAL1', ago(3), [item('GUIDE-01')]),
    landmark('PARCEL01', ago(2), [item('TROWEL')], { affiliate: null, trackingId: null }),
    landmark('TICKET01', ago(4), [item('GUIDE-01')]),
    landmark('RETURN01', ago(11), [item('TROWEL')], { affiliate: null, trackingId: null }),
    landmark(
      'PARCEL02',
      ago(2),
      ['TROWEL', 'GLOVES', 'KIT-01'].map((sku) => item(sku, 'CART')),
    ),
    landmark('REFUND01', ago(25), [item('GUIDE-01')], {
      reversal: { type: 'RFND', after: 5 * DAY },
    }),
    landmark('CHARGE01', ago(50), [item('GUIDE-01')], {
      reversal: { type: 'CGBK', after: 15 * DAY },
    }),
    landmark('TESTSL01', ago(12), [item('GUIDE-01')], {
      test: true,
      affiliate: null,
      paymentMethod: 'TEST_PAYMENT',
    }),
  ];
}

/** The fixed receipts on a Pacific day; upsells follow their parent. */
export function landmarksOf(today: string): Landmark[] {
  return [...subscriptions(today), ...sales(today)];
}

/** A test fee in every seed, of an unknown customer. */
export const TEST_FEE = 'TESTFEE1';

/** The receipts reserved for fixed sales. They are the same every day. */
export function fixedReceipts(today: string): ReadonlySet<string> {
  return new Set([...landmarksOf(today).map(({ receipt }) => receipt), TEST_FEE]);
}
