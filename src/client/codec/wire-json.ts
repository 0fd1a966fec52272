/** The JSON of the wire: every number keeps the digits as sent. */
import { parse } from 'lossless-json';

/**
 * A number outside quotes that a double would not give back as written: with a fraction, an exponent or more
 * than 15 digits, or -0. It stands where a value may begin and where one may end, so that texts hardly ever
 * match; one that does, such as `a, 1.5, b`, costs time only.
 */
const inexactNumber =
  /[:,[]\s*(?:-0|-?(?:\d{16,}|\d+(?=[.eE])(?:\.\d+)?(?:[eE][+-]?\d+)?))\s*[,\]}]/;

/** The document is a number. */
const onlyNumber = /^\s*-?\d/;

/**
 * Parses a body; throws a SyntaxError when it is not one JSON document. The service quotes its numbers, so
 * that JSON.parse loses nothing; a document with an inexact number is parsed by the slower lossless-json,
 * whose numbers are LosslessNumber objects.
 */
export function parseJson(body: string): unknown {
  return inexactNumber.test(body) || onlyNumber.test(body) ? parse(body) : JSON.parse(body);
}
