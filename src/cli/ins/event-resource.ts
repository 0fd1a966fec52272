/** The columns of events. */
import {
  alike,
  decimal,
  headed,
  integer,
  naming,
  object,
  resource,
  text,
  texts,
} from '../../operations/resource.ts';

const address = resource(
  'address',
  [],
  alike(text, 'address1', 'address2', 'city', 'county', 'state', 'postalCode', 'country'),
);

const contact = resource('contact', ['fullName', 'email'], {
  ...alike(text, 'firstName', 'lastName', 'fullName', 'email', 'phoneNumber'),
  address: object(address),
});

export const eventResource = resource(
  'event',
  ['transactionTime', 'transactionType', 'receipt', 'totalOrderAmount', 'currency', 'vendor'],
  {
    transactionTime: headed('Time', text),
    receipt: naming('receipt', text),
    transactionType: headed('Type', text),
    ...alike(text, 'vendor', 'affiliate', 'role'),
    totalAccountAmount: headed('You earn', decimal),
    paymentMethod: text,
    totalOrderAmount: headed('Amount', decimal),
    ...alike(decimal, 'totalTaxAmount', 'totalShippingAmount'),
    ...alike(text, 'currency', 'orderLanguage'),
    trackingCodes: texts,
    lineItems: texts,
    customer: object(
      resource('customer', [], { shipping: object(contact), billing: object(contact) }),
    ),
    hopfeedClickId: text,
    version: integer,
    attemptCount: integer,
  },
  { noun: 'event' },
);
