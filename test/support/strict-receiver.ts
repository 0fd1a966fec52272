/** A receiver with strict types, as programs in Go or C# have it: it refuses an event with any field it does not expect. */
import { decrypted, receive } from '../sandbox/notifications/receiver.ts';

type Check = (value: unknown) => string | undefined;
type Fields = Readonly<Record<string, Check | Optional>>;
interface Optional {
  readonly optional: Check;
}

const optional = (check: Check): Optional => ({ optional: check });

const is =
  (what: string, fits: (value: unknown) => boolean): Check =>
  (value) =>
    fits(value) ? undefined : `: ${JSON.stringify(value)} is not ${what}`;

const matching = (what: string, pattern: RegExp) =>
  is(what, (value) => typeof value === 'string' && pattern.test(value));

const text = is('a text', (value) => typeof value === 'string');
const number = is('a number', (value) => typeof value === 'number');
const integer = is('an integer', Number.isInteger);
const boolean = is('a boolean', (value) => typeof value === 'boolean');
const nickname = matching('a nickname in lower case', /^[a-z\d]+$/);

const listOf =
  (check: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return ': not a list';
    return value.map((one, at) => prefixed(`.${at}`, check(one))).find((problem) => problem);
  };

const record: Check = (value) => objectOf(Object.keys(Object(value)), () => text)(value);

const prefixed = (path: string, problem: string | undefined) =>
  problem === undefined ? undefined : path + problem;

function objectOf(
  names: readonly string[],
  checkOf: (name: string) => Check | Optional | undefined,
): Check {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return ': no object';
    const fields = value as Readonly<Record<string, unknown>>;
    for (const name of new Set([...names, ...Object.keys(fields)])) {
      const check = checkOf(name);
      if (!check) return `.${name}: unexpected`;
      if (!Object.hasOwn(fields, name)) {
        if (typeof check === 'function') return `.${name}: missing`;
        continue;
      }
      const problem = (typeof check === 'function' ? check : check.optional)(fields[name]);
      if (problem) return `.${name}${problem}`;
    }
    return undefined;
  };
}

const object = (fields: Fields) => objectOf(Object.keys(fields), (name) => fields[name]);

const allOptional = (check: Check, names: string): Fields =>
  Object.fromEntries(names.split(' ').map((name) => [name, optional(check)]));

const person = object({
  ...allOptional(text, 'firstName lastName fullName email phoneNumber'),
  address: optional(
    object(allOptional(text, 'address1 address2 city county state postalCode country')),
  ),
});

/** Transcribed from recorded notifications: version 6 differs in its times and lacks six fields of line items. */
function eventOf(version: number): Check {
  const time =
    version === 6
      ? matching('an ISO time', /^\d{4}(-\d\d){2}T\d\d(:\d\d){2}[+-]\d\d:\d\d$/)
      : matching('a compact time', /^\d{8}T\d{6}[+-]\d{4}$/);
  const paymentPlan = object({
    rebillStatus: text,
    rebillFrequency: text,
    rebillAmount: number,
    paymentsProcessed: integer,
    paymentsRemaining: integer,
    nextPaymentDate: optional(time),
  });
  const details: Fields = {
    productPrice: number,
    productDiscount: number,
    taxAmount: number,
    shippingAmount: number,
    shippingLiable: boolean,
    affiliatePayout: number,
  };
  const lineItem = object({
    itemNo: text,
    productTitle: optional(text),
    shippable: boolean,
    recurring: boolean,
    accountAmount: number,
    quantity: integer,
    lineItemType: matching('a type of line item', /^(ORIGINAL|BUMP|CART|UPSELL|TOKEN)$/),
    downloadUrl: optional(text),
    ...(version === 6 ? {} : details),
    paymentPlan: optional(paymentPlan),
  });
  return object({
    transactionTime: time,
    receipt: text,
    transactionType: text,
    vendor: nickname,
    affiliate: optional(nickname),
    role: text,
    totalAccountAmount: number,
    paymentMethod: optional(text),
    totalOrderAmount: number,
    totalTaxAmount: number,
    totalShippingAmount: number,
    currency: text,
    orderLanguage: text,
    trackingCodes: optional(listOf(text)),
    lineItems: listOf(lineItem),
    customer: object({ shipping: optional(person), billing: person }),
    upsell: optional(
      object({
        upsellOriginalReceipt: optional(text),
        upsellFlowId: integer,
        upsellSession: text,
        upsellPath: text,
      }),
    ),
    hopfeedClickId: optional(text),
    version: is(`version ${version}`, (value) => value === version),
    attemptCount: integer,
    vendorVariables: optional(record),
    ...(version === 8
      ? {
          commonTrackingParameters: optional(record),
          affiliateTrackingParameters: optional(record),
        }
      : {}),
  });
}

/** Receives until the test ends, and answers 400 to what a strict program refuses. */
export async function receiveStrictly(version: number) {
  const refused: string[] = [];
  const check = eventOf(version);
  const receiver = await receive((_, response, body) => {
    const event = JSON.parse(decrypted(body));
    const problem = check(event);
    if (problem) refused.push(`${event.transactionType}${problem}`);
    response.writeHead(problem ? 400 : 200).end();
  });
  return { ...receiver, refused };
}
