/** Numbers whose digits are kept. */

declare const digits: unique symbol;

/**
 * A number as a string with the digits as sent, such as `11.90`. If the service sends other text instead, this is
 * that text.
 */
export type Decimal = string & { readonly [digits]: true };
