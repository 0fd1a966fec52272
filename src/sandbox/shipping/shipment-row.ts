/** Converts payments with physical items to the rows of the three shipping services (section 4.6). */
import { vendorVariablesOf } from '../orders/order-row.ts';
import type { Shipment } from '../store/orders/shipment.ts';
import { type LineItem, lineAmounts, linesOf } from '../store/orders/transaction.ts';

/** Returns the physical items of a payment; `lines` are all lines of its purchase. */
export function physicalLines(payment: Shipment, lines: readonly LineItem[]): readonly LineItem[] {
  return linesOf(payment, lines).filter((line) => line.shippable === 1);
}

const isTest = ({ type }: Shipment) => type.startsWith('TEST_');

/** A refund can apply to one line of a cart; a chargeback applies to all lines. */
function flagsOf(payment: Shipment, { id }: LineItem) {
  const { refundPending, pendingLineId, reversed } = payment;
  const refundedLines: readonly number[] = JSON.parse(payment.refundedLines);
  return {
    isRefundPending: refundPending === 1 && (pendingLineId ?? id) === id,
    hasBeenRefunded: reversed === 'RFND' || refundedLines.includes(id),
    hasBeenChargebacked: reversed === 'CGBK',
  };
}

/** A row of the first generation. The contents of `orderDetails` are not documented. */
export function itemRow(payment: Shipment, line: LineItem) {
  return {
    ...payment,
    firstname: payment.firstName,
    lastname: payment.lastName,
    addr1: payment.address1,
    addr2: payment.address2,
    zip: payment.postalCode,
    orderDate: payment.time,
    displayName: line.title,
    productNo: line.itemNo,
    orderDetails: null,
    site: payment.vendor,
    isTestTransaction: isTest(payment),
    ...flagsOf(payment, line),
  };
}

function lineRow(payment: Shipment, line: LineItem) {
  const { customerCents, vendorCents } = lineAmounts(payment, line);
  return {
    ...line,
    productTitle: line.title,
    customerAmount: customerCents,
    accountAmount: vendorCents,
    shippingMethod: line.shippingProfile,
    ...flagsOf(payment, line),
  };
}

/** A row of the later generations; the second one omits the phone number. */
export function shipmentRow(payment: Shipment, items: readonly LineItem[]) {
  return {
    ...payment,
    transactionTime: payment.time,
    phoneNumber: payment.phone,
    isTestTransaction: isTest(payment),
    vendorVariables: vendorVariablesOf(payment),
    lineItemShipData: items.map((line) => lineRow(payment, line)),
  };
}
