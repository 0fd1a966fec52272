/** Two orders and their shape, for the tests of the formats. */
import type { Shape } from '../../src/output/rows/rows.ts';
import { rows } from './support.ts';

const item = {
  headline: ['itemNo', 'productTitle', 'customerAmount', 'status'],
  fields: {
    itemNo: { kind: 'text' },
    productTitle: { kind: 'text' },
    recurring: { kind: 'boolean' },
    customerAmount: { kind: 'decimal' },
    quantity: { kind: 'integer' },
    nextPaymentDate: { kind: 'time' },
    status: { kind: 'text' },
  },
} satisfies Shape;

/** The shape of an order: scalars, an object, an object with a list, a list of objects, an object of unknown fields. */
export const orderShape: Shape = {
  headline: ['receipt', 'transactionTime', 'transactionType', 'totalOrderAmount', 'fullName'],
  fields: {
    transactionTime: { kind: 'time' },
    receipt: { kind: 'text' },
    transactionType: { kind: 'text' },
    totalOrderAmount: { kind: 'decimal' },
    currency: { kind: 'text' },
    fullName: { kind: 'text' },
    postalCode: { kind: 'text' },
    declinedConsent: { kind: 'boolean' },
    commission: {
      kind: 'object',
      resource: {
        headline: ['purchase'],
        fields: { purchase: { kind: 'decimal' }, rebill: { kind: 'decimal' } },
      },
    },
    vendorVariables: {
      kind: 'object',
      resource: {
        headline: [],
        fields: {
          item: {
            kind: 'list',
            resource: {
              headline: ['name', 'value'],
              fields: { name: { kind: 'text' }, value: { kind: 'text' } },
            },
          },
        },
      },
    },
    lineItemData: { kind: 'list', resource: item },
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
