/** A receiver with strict types, as programs in Go or C# have it: it refuses an event with any field it does not expect. */
import { decrypted, receive } from '../sandbox/notifications/receiver.ts';

/** Says where and what is wrong; undefined if nothing is. */
type Check = (value: unknown) => string | undefined;

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
const isoTime = matching('an ISO time', /^\d{4}(-\d\d){2}T\d\d(:\d\d){2}[+-]\d\d:\d\d$/);
const compactTime = matching('a compact time', /^\d{8}T\d{6}[+-]\d{4}$/);

const all = (value: object, check: Check) =>
  Object.entries(value)
    .map(([name, one]) => ({ name, problem: check(one) }))
    .filter(({ problem }) => problem !== undefined)
    .map(({ name, problem }) => `.${name}${problem}`)[0];

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) ? all(value, check) : ': not a list';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const record: Check = (value) => (isObject(value) ? all(value, text) : ': no object');

/** Names with a question mark may be missing. */
const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) => {
    if (!isObject(value)) return ': no object';
    const stranger = Object.keys(value).find((name) => !fields[name] && !fields[`${name}?`]);
    if (stranger !== undefined) return `.${stranger}: unexpected`;
    for (const [field, check] of Object.entries(fields)) {
      const name = field.replace('?', '');
      const problem = Object.hasOwn(value, name)
        ? check(value[name])
        : name === field && ': missing';
      if (problem) return `.${name}${problem}`;
    }
    return undefined;
  };

const optionalTexts = (names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [`${name}?`, text]));

const person = object({
  ...optionalTexts('firstName lastName fullName email phoneNumber'),
  'address?': object(optionalTexts('address1 address2 city county state postalCode country')),
});

/** Transcribed from recorded notifications: version 6 differs in its times and lacks six fields of line items. */
function eventOf(version: number): Check {
  const time = version === 6 ? isoTime : compactTime;
  const paymentPlan = object({
    ...{ rebillStatus: text, rebillFrequency: text, rebillAmount: number },
    ...{ paymentsProcessed: integer, paymentsRemaining: integer, 'nextPaymentDate?': time },
  });
  const details = {
    ...{ productPrice: number, productDiscount: number, taxAmount: number },
    ...{ shippingAmount: number, shippingLiable: boolean, affiliatePayout: number },
  };
  const lineItem = object({
    ...{ itemNo: text, 'productTitle?': text, shippable: boolean, recurring: boolean },
    ...{ accountAmount: number, quantity: integer, 'downloadUrl?': text },
    lineItemType: matching('a type of line item', /^(ORIGINAL|BUMP|CART|UPSELL|TOKEN)$/),
    ...(version === 6 ? {} : details),
    'paymentPlan?': paymentPlan,
  });
  const upsell = object({
    ...{ 'upsellOriginalReceipt?': text, upsellFlowId: integer },
    ...{ upsellSession: text, upsellPath: text },
  });
  return object({
    ...{ transactionTime: time, receipt: text, transactionType: text, role: text },
    ...{ vendor: nickname, 'affiliate?': nickname, 'paymentMethod?': text },
    ...{ totalAccountAmount: number, totalOrderAmount: number, totalTaxAmount: number },
    ...{ totalShippingAmount: number, currency: text, orderLanguage: text },
    ...{ 'trackingCodes?': listOf(text), lineItems: listOf(lineItem) },
    customer: object({ 'shipping?': person, billing: person }),
    ...{ 'upsell?': upsell, 'hopfeedClickId?': text, 'vendorVariables?': record },
    version: is(`version ${version}`, (value) => value === version),
    attemptCount: integer,
    ...(version === 8 && {
      ...{ 'commonTrackingParameters?': record, 'affiliateTrackingParameters?': record },
    }),
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
