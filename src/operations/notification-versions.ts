/** The versions of instant notifications, and how the JSON of an event differs between them. */
import type { Given } from './operation.ts';

/** The versions that the service sends. */
export const eventVersions = [6, 7, 8] as const;
export type EventVersion = (typeof eventVersions)[number];

/** Fields that only version 8 has. */
const trackingParameters = ['commonTrackingParameters', 'affiliateTrackingParameters'];

/** Fields of line items that version 6 does not have. */
const detailsOfLine = [
  ...['productPrice', 'productDiscount', 'taxAmount', 'shippingAmount'],
  ...['shippingLiable', 'affiliatePayout'],
];

/** Writes an event as a version does. Its times are as in orders: `2026-02-18T15:11:38-08:00`. */
export function eventIn(version: EventVersion, event: Given): Given {
  const time = (text: unknown) => (version === 6 ? text : compactTime(String(text)));
  const lineItem = ({ paymentPlan, ...item }: Given) => {
    const { nextPaymentDate, ...plan } = (paymentPlan ?? {}) as Given;
    return {
      ...(version === 6 ? without(item, detailsOfLine) : item),
      ...(paymentPlan !== undefined && {
        paymentPlan: {
          ...plan,
          ...(nextPaymentDate ? { nextPaymentDate: time(nextPaymentDate) } : {}),
        },
      }),
    };
  };
  return {
    ...(version === 8 ? event : without(event, trackingParameters)),
    transactionTime: time(event.transactionTime),
    lineItems: (event.lineItems as readonly Given[]).map(lineItem),
  };
}

function without(fields: Given, names: readonly string[]): Given {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** `2026-02-18T15:11:38-08:00` as `20260218T151138-0800`, in versions 7 and 8; any other text as it is. */
function compactTime(time: string): string {
  const [, wall, offset] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d:\d\d)$/.exec(time) ?? [];
  if (wall === undefined || offset === undefined) return time;
  return wall.replaceAll(/[-:]/g, '') + offset.replace(':', '');
}
