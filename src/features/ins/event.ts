/** The types of decrypted notifications, versions 6, 7 and 8. A field that was not sent is absent. */
import type { Decimal } from '../../operations/decimal.ts';
import type { EventType } from './event-types.ts';

/** Values by names that the vendor or the affiliate chose. */
export type Parameters = Readonly<Record<string, unknown>>;

/** New fields appear without notice, so that every object can have more than these. */
interface Extensible {
  readonly [unknown: string]: unknown;
}

/** What ClickBank knows of the click, and the parameters of the link that the customer followed. */
export interface CommonTrackingParameters extends Extensible {
  readonly clickTimestamp?: string;
  readonly clickId?: string;
  readonly deviceType?: string;
  readonly extclid?: string;
}

/** The parameters of the affiliate. */
export interface AffiliateTrackingParameters extends Extensible {
  readonly affSub1?: string;
  readonly affSub2?: string;
  readonly affSub3?: string;
  readonly affSub4?: string;
  readonly affSub5?: string;
  readonly trafficType?: string;
  readonly trafficSource?: string;
  readonly offer?: string;
  readonly campaign?: string;
  readonly adgroup?: string;
  readonly ad?: string;
  readonly creative?: string;
}

/** The rest of a subscription. */
export interface PaymentPlan extends Extensible {
  readonly rebillStatus?: string;
  readonly rebillFrequency?: string;
  readonly rebillAmount?: Decimal;
  readonly paymentsProcessed?: number;
  readonly paymentsRemaining?: number;
  readonly nextPaymentDate?: string;
}

/** A product in the order. */
export interface EventLineItem extends Extensible {
  /** The SKU. */
  readonly itemNo?: string;
  readonly productTitle?: string;
  readonly shippable?: boolean;
  readonly recurring?: boolean;
  /** What the account earns. */
  readonly accountAmount?: Decimal;
  readonly quantity?: number;
  /** ORIGINAL, BUMP, CART, STANDARD, UPSELL, or a new value. */
  readonly lineItemType?: string;
  readonly downloadUrl?: string;
  readonly productPrice?: Decimal;
  readonly productDiscount?: Decimal;
  readonly taxAmount?: Decimal;
  readonly shippingAmount?: Decimal;
  readonly shippingLiable?: boolean;
  readonly affiliatePayout?: Decimal;
  readonly paymentPlan?: PaymentPlan;
}

/** Can be an empty object. */
export interface Address extends Extensible {
  readonly address1?: string;
  readonly address2?: string;
  readonly city?: string;
  readonly county?: string;
  readonly state?: string;
  readonly postalCode?: string;
  readonly country?: string;
}

export interface Contact extends Extensible {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly fullName?: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly address?: Address;
}

export interface Customer extends Extensible {
  readonly shipping?: Contact;
  readonly billing?: Contact;
}

export interface Upsell extends Extensible {
  readonly upsellOriginalReceipt?: string;
  /** A number in recorded notifications. */
  readonly upsellFlowId?: number | string;
  readonly upsellSession?: string;
  readonly upsellPath?: string;
}

/** The fields of every version. */
interface CommonEvent extends Extensible {
  /** Pacific time: `20260218T151138-0800`, or `2026-02-18T15:11:38-08:00` in version 6. Read both in every version. */
  readonly transactionTime?: string;
  /** `MONTHLY1`; with a suffix such as `-B002` for a rebill; `********` in the test of the website. */
  readonly receipt?: string;
  /** Other types can appear without notice. */
  readonly transactionType?: EventType | (string & {});
  /** The nickname of the seller, in lower case: compare it without case. */
  readonly vendor?: string;
  /** The nickname of the affiliate, in lower case. */
  readonly affiliate?: string;
  /** The role of the account that receives the notification: VENDOR or AFFILIATE, for example. */
  readonly role?: string;
  readonly totalAccountAmount?: Decimal;
  readonly paymentMethod?: string;
  readonly totalOrderAmount?: Decimal;
  readonly totalTaxAmount?: Decimal;
  readonly totalShippingAmount?: Decimal;
  readonly currency?: string;
  readonly orderLanguage?: string;
  readonly trackingCodes?: readonly string[];
  readonly lineItems?: readonly EventLineItem[];
  readonly customer?: Customer;
  readonly upsell?: Upsell;
  readonly hopfeedClickId?: string;
  /** 1 to 5: how often the service has sent this notification. */
  readonly attemptCount?: number;
  readonly vendorVariables?: Parameters;
}

export interface EventVersion6 extends CommonEvent {
  readonly version: 6;
}

export interface EventVersion7 extends CommonEvent {
  readonly version: 7;
}

export interface EventVersion8 extends CommonEvent {
  readonly version: 8;
  readonly commonTrackingParameters?: CommonTrackingParameters;
  readonly affiliateTrackingParameters?: AffiliateTrackingParameters;
}

/**
 * A decrypted notification. `version` tells which fields it can have. Decimals are texts with the digits as sent,
 * such as `1.00`, so that no amount passes through a floating-point number.
 */
export type NotificationEvent = EventVersion6 | EventVersion7 | EventVersion8;
