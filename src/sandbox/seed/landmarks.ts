/** The fixed receipts of every seed, which the examples in the help use. */
import { addDays, addMonths } from '../../dates/day.ts';
import { instantOf } from '../../dates/pacific.ts';
import { AFFILIATES } from '../http/keys.ts';
import type { Customer } from './customer.ts';
import { productOf } from './products.ts';
import type { Extras, Story } from './story.ts';

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

const NOBODY: Customer = {
  taxPercent: 0,
  columns: {
    ...CUSTOMER.columns,
    ...{ first_name: null, last_name: null, full_name: null, email: null },
    ...{ state: null, country: null, postal_code: null },
  },
};

const EXTRAS: Extras = {
  declined_consent: 0,
  contact_info: '[]',
  vendor_variables: '[]',
  common_tracking: null,
  affiliate_tracking: null,
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
      ...{ trackingId: null, customer: NOBODY, fee: 1500 },
    }),
  ];
}

/** The receipts reserved for fixed sales. They are the same every day. */
export function fixedReceipts(today: string): ReadonlySet<string> {
  return new Set(landmarksOf(today).map(({ receipt }) => receipt));
}
