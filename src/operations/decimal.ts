/** Numbers whose digits are kept. */

declare const digits: unique symbol;

/** A number as a string with the digits as sent, such as `11.90`; or other text that the service sent instead. */
export type Decimal = string & { readonly [digits]: true };
