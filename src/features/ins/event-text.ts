/** The JSON of an event: from the text that was decrypted to a typed event, and back. */
import { isLosslessNumber, LosslessNumber, stringify } from 'lossless-json';
import { parseJson } from '../../client/codec/wire-json.ts';
import type { NotificationEvent } from './event.ts';

/** Numbers that a double would not reproduce as written are LosslessNumber objects of lossless-json. */
export type ExactObject = { readonly [field: string]: unknown };

/** The kind of a field. `free`: an object whose names other people choose. A list has the shape of its elements. */
export type Kind = 'text' | 'decimal' | 'integer' | 'boolean' | 'free' | Shape | readonly [Kind];

export interface Shape {
  readonly [field: string]: Kind;
}

function all(kind: Kind, names: string): Shape {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind] as const));
}

const contact: Shape = {
  ...all('text', 'firstName lastName fullName email phoneNumber'),
  address: all('text', 'address1 address2 city county state postalCode country'),
};

const lineItem: Shape = {
  ...all('text', 'itemNo productTitle lineItemType downloadUrl'),
  ...all('boolean', 'shippable recurring shippingLiable'),
  ...all('decimal', 'accountAmount productPrice productDiscount taxAmount shippingAmount'),
  affiliatePayout: 'decimal',
  quantity: 'integer',
  paymentPlan: {
    ...all('text', 'rebillStatus rebillFrequency nextPaymentDate'),
    rebillAmount: 'decimal',
    ...all('integer', 'paymentsProcessed paymentsRemaining'),
  },
};

/** The kinds of the fields of an event, as `event.ts` types them, in the order in which the service sends them. */
export const eventShape: Shape = {
  ...all('text', 'transactionTime receipt transactionType vendor affiliate role'),
  totalAccountAmount: 'decimal',
  paymentMethod: 'text',
  ...all('decimal', 'totalOrderAmount totalTaxAmount totalShippingAmount'),
  ...all('text', 'currency orderLanguage'),
  trackingCodes: ['text'],
  lineItems: [lineItem],
  customer: { shipping: contact, billing: contact },
  upsell: {
    ...all('text', 'upsellOriginalReceipt upsellSession upsellPath'),
    upsellFlowId: 'integer',
  },
  hopfeedClickId: 'text',
  ...all('integer', 'version attemptCount'),
  vendorVariables: 'free',
  commonTrackingParameters: all('text', 'clickTimestamp clickId deviceType extclid'),
  affiliateTrackingParameters: {
    ...all('text', 'affSub1 affSub2 affSub3 affSub4 affSub5 trafficType trafficSource'),
    ...all('text', 'offer campaign adgroup ad creative'),
  },
};

/** Whether a field with this kind is a list, given by its only element. */
export function isListKind(kind: Kind | undefined): kind is readonly [Kind] {
  return Array.isArray(kind);
}

export function isShape(kind: Kind | undefined): kind is Shape {
  return typeof kind === 'object' && !isListKind(kind);
}

const deepest = 100;

export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns undefined if the text is not a JSON object, or is nested too deeply. */
export function parseEvent(text: string): ExactObject | undefined {
  // Some programs pad with zero bytes and leave them at the end.
  const document = text.replace(/[\0-\x20]+$/, '');
  try {
    const json = parseJson(document);
    return isPlainObject(json) && !isTooDeep(json) ? json : undefined;
  } catch {
    // The message of the parser would quote the event.
    return undefined;
  }
}

/** Types the known fields and keeps the others: an unknown number that a double would change becomes a text. */
export function typedEvent(exact: ExactObject): NotificationEvent {
  return typed(exact, eventShape) as NotificationEvent;
}

/** The JSON of an event; decimals that are texts of digits become numbers with these digits. */
export function eventText(event: object): string {
  return stringify(exactEvent(event)) ?? '';
}

/** A copy without absent fields, at any depth, and with exact decimals. */
export function exactEvent(event: object): ExactObject {
  return exactly(event, eventShape) as ExactObject;
}

function typed(value: unknown, kind: Kind | undefined): unknown {
  if (isListKind(kind) && !Array.isArray(value)) return typed([value], kind);
  if (Array.isArray(value) || isPlainObject(value)) return mapped(value, kind, typed);
  const isNumber = typeof value === 'number' || isLosslessNumber(value);
  const text = isNumber ? String(value) : value;
  if (typeof text !== 'string') return value;
  if (kind === 'text' || kind === 'decimal') return text;
  if (kind === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  if (!isNumber && kind !== 'integer') return text;
  // `6.0` is an integer where one is expected. An unknown number keeps its digits, if need be as a text.
  const digits = kind === 'integer' ? text.replace(/\.0+$/, '') : text;
  return jsonNumber.test(digits) && String(Number(digits)) === digits ? Number(digits) : text;
}

function exactly(value: unknown, kind: Kind | undefined): unknown {
  if (Array.isArray(value) || isPlainObject(value)) return mapped(value, kind, exactly);
  const isDigits = kind === 'decimal' && typeof value === 'string' && jsonNumber.test(value);
  return isDigits ? new LosslessNumber(value) : value;
}

/** Leaves out null, which stands for a missing field, and `__proto__`, which no object may have. */
function mapped(
  value: unknown[] | ExactObject,
  kind: Kind | undefined,
  map: (value: unknown, kind: Kind | undefined) => unknown,
): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => map(one, isListKind(kind) ? kind[0] : undefined));
  }
  const fields = Object.entries(value)
    .filter(([name, field]) => name !== '__proto__' && field !== null && field !== undefined)
    .map(([name, field]) => [name, map(field, isShape(kind) ? kind[name] : undefined)] as const);
  return Object.fromEntries(fields);
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (depth > deepest) return true;
  if (!Array.isArray(value) && !isPlainObject(value)) return false;
  return Object.values(value).some((below) => isTooDeep(below, depth + 1));
}

export function isPlainObject(value: unknown): value is ExactObject {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !isLosslessNumber(value);
}
