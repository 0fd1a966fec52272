/** The JSON of the wire: every number keeps the digits as sent. */
import { parse } from 'lossless-json';

/**
 * A number outside quotes that a double would not give back as written: with a fraction, an exponent
 * or more than 15 digits, or -0. It stands where a value may begin and where one may end, so that
 * texts hardly ever match; one that does, such as `a, 1.5, b`, costs time only.
 */
const delicateNumber =
  /[:,[]\s*(?:-0|-?(?:\d{16,}|\d+(?=[.eE])(?:\.\d+)?(?:[eE][+-]?\d+)?))\s*[,\]}]/;

/** The document is a number; asked apart, as the ends of a text slow the search inside it. */
const onlyNumber = /^\s*-?\d/;

/** Parses a body; throws a SyntaxError when it is not one JSON document. The service quotes its numbers. */
export function parseJson(body: string): unknown {
  const isDelicate = onlyNumber.test(body) || delicateNumber.test(body);
  return isDelicate ? parse(body) : JSON.parse(body);
}
