/** The JSON of the wire: every number keeps the digits as sent. */
import { parse } from 'lossless-json';
import { BareNumber } from './wire-value.ts';

/**
 * A number outside quotes that a double would not give back as written: with a fraction, an exponent
 * or more than 15 digits, or -0. It stands where a value may begin and where one may end, so that
 * texts hardly ever match; one that does, such as `a, 1.5, b`, costs time only.
 */
const delicateNumber =
  /[:,[]\s*(?:-0|-?(?:\d{16,}|\d+(?=[.eE])(?:\.\d+)?(?:[eE][+-]?\d+)?))\s*[,\]}]/;

/** The document is a number; asked apart, as the ends of a text slow the search inside it. */
const onlyNumber = /^\s*-?\d/;

/**
 * What `read` makes of JSON: at first it may parse as fast as can be, since the service quotes its
 * numbers. When it throws a BareNumber, it parses again so that digits are kept.
 */
export function readJson<T>(read: (parseJson: (body: string) => unknown) => T): T {
  try {
    return read(JSON.parse);
  } catch (error) {
    if (error instanceof BareNumber) return read(parse);
    throw error;
  }
}

/** Parses a body; throws a SyntaxError when it is not one JSON document. */
export function parseJson(body: string): unknown {
  const isDelicate = onlyNumber.test(body) || delicateNumber.test(body);
  return isDelicate ? parse(body) : JSON.parse(body);
}
