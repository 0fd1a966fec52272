/** A payment with something to ship, as the three generations of shipping tell it (section 4.6). */

import { pacificTime } from '../dates/pacific.ts';
import type { Row } from '../operations/resource.ts';
import type { shipping, shipping2, shipping3 } from '../operations/shipping.ts';
import type { Sent } from './handlers.ts';
import { moneyText } from './money.ts';
import { lineCents, vendorVariablesOf } from './order-answer.ts';
import type { Shipment } from './store/shipment.ts';
import type { LineItem } from './store/transaction.ts';

/** What is sent of each generation. */
export type Shipment1 = Sent<Row<typeof shipping.list.returns.resource>>;
export type Shipment2 = Sent<Row<typeof shipping2.list.returns.resource>>;
export type Shipment3 = Sent<Row<typeof shipping3.list.returns.resource>>;

/** An item to ship, with the name of its product's shipping profile. */
export interface PhysicalItem {
  readonly line: LineItem;
  readonly profile: string | null;
}

/** The physical items of a payment; `lines` are all of its purchase. */
export function physicalLines(payment: Shipment, lines: readonly LineItem[]): readonly LineItem[] {
  return lines.filter(
    (line) =>
      line.shippable === 1 &&
      (payment.lineItemId === null ? line.replaces === null : line.id === payment.lineItemId),
  );
}

const isTest = ({ type }: Shipment) => type.startsWith('TEST_');

/** A line of a cart may go back by itself; a chargeback takes all of them. */
function flagsOf(payment: Shipment, { id }: LineItem) {
  const { refundPending, pendingLineId, reversed } = payment;
  const refundedLines = JSON.parse(payment.refundedLines) as number[];
  return {
    isRefundPending: refundPending === 1 && (pendingLineId ?? id) === id,
    hasBeenRefunded: reversed === 'RFND' || refundedLines.includes(id),
    hasBeenChargebacked: reversed === 'CGBK',
  };
}

/** Nothing is known of `orderDetails` but its name. */
export function answerShipment1(payment: Shipment, { line }: PhysicalItem): Shipment1 {
  return {
    receipt: payment.receipt,
    firstname: payment.firstName,
    lastname: payment.lastName,
    email: payment.email,
    addr1: payment.address1,
    addr2: payment.address2,
    city: payment.city,
    state: payment.state,
    country: payment.country,
    zip: payment.postalCode,
    orderDate: pacificTime(payment.time),
    displayName: line.title,
    productNo: line.itemNo,
    orderDetails: null,
    site: payment.vendor,
    isTestTransaction: isTest(payment),
    ...flagsOf(payment, line),
  };
}

function answerItem(payment: Shipment, { line, profile }: PhysicalItem) {
  const cents = lineCents(payment, line, 'VENDOR');
  return {
    itemNo: line.itemNo,
    productTitle: line.title,
    customerAmount: moneyText(cents.customer),
    accountAmount: moneyText(cents.account),
    quantity: line.quantity,
    shippingMethod: profile,
    ...flagsOf(payment, line),
  };
}

export function answerShipment2(payment: Shipment, items: readonly PhysicalItem[]): Shipment2 {
  const { receipt, firstName, lastName, email, address1, address2, city, state } = payment;
  const { country, postalCode, fullName, vendor } = payment;
  return {
    ...{ receipt, firstName, lastName, email, address1, address2, city, state },
    ...{ country, postalCode, fullName, vendor },
    transactionTime: pacificTime(payment.time),
    isTestTransaction: isTest(payment),
    vendorVariables: vendorVariablesOf(payment),
    lineItemShipData: items.map((item) => answerItem(payment, item)),
  };
}

export function answerShipment3(payment: Shipment, items: readonly PhysicalItem[]): Shipment3 {
  return { ...answerShipment2(payment, items), phoneNumber: payment.phone };
}
