/** Two orders and their shape, for the tests of the formats: that of the catalogue, with an object of amounts and one of unknown fields. */
import { order } from '../../src/operations/orders.ts';
import type { Shape } from '../../src/output/rows/rows.ts';
import { rows } from './support.ts';

const amounts: Shape = {
  headline: ['purchase'],
  fields: { purchase: { kind: 'decimal' }, rebill: { kind: 'decimal' } },
};

export const orderShape: Shape = {
  ...order,
  fields: {
    ...order.fields,
    commission: { kind: 'object', resource: amounts },
    trackingParameters: { kind: 'object', resource: { headline: [], fields: {} } },
  },
};

export const orders = rows(`[
  {
    "transactionTime": "2026-02-18T15:11:38-08:00", "receipt": "TSTABCD1", "transactionType": "SALE",
    "totalOrderAmount": 11.90, "currency": "USD", "fullName": "Zoë Müller", "postalCode": "01067",
    "declinedConsent": false, "commission": {"purchase": 75.0, "rebill": null},
    "vendorVariables": {"item": [{"name": "color", "value": "=blue"}]},
    "lineItemData": [
      {"itemNo": "7", "productTitle": "日本語の本", "recurring": true, "customerAmount": 10.00, "quantity": 1,
       "nextPaymentDate": "2026-03-18T15:11:38-07:00", "status": "ACTIVE"},
      {"itemNo": "8", "productTitle": "Bump", "recurring": false, "customerAmount": 1.90, "quantity": 2, "status": null}
    ],
    "trackingParameters": {"utmSource": "mail"}, "coupon": "SPRING"
  },
  {
    "transactionTime": "2026-07-01T00:05:00-07:00", "receipt": "TSTABCD1-B002", "transactionType": "RFND",
    "totalOrderAmount": -1234.50, "currency": "EUR", "fullName": "สมชาย ใจดี 👩🏽‍🚀", "postalCode": null,
    "declinedConsent": true, "lineItemData": []
  }
]`);
