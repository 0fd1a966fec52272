/** Parses the JSON of responses; every number keeps the digits as sent. */
import { parse } from 'lossless-json';

/**
 * A number outside quotes that a double would not reproduce as written: with a fraction, an exponent, or more
 * than 15 digits, or -0. It must stand where a value can begin and end, so that texts rarely
 * match; a false match, such as `a, 1.5, b`, only costs time.
 */
const inexactNumber =
  /[:,[]\s*(?:-0|-?(?:\d{16,}|\d+(?=[.eE])(?:\.\d+)?(?:[eE][+-]?\d+)?))\s*[,\]}]/;

/** The document is a number. */
const onlyNumber = /^\s*-?\d/;

/**
 * Parses a body; throws a SyntaxError if it is not one JSON document. The service quotes its numbers, so
 * that JSON.parse loses nothing; a document with an inexact number is parsed by the slower lossless-json,
 * whose numbers are LosslessNumber objects.
 */
export function parseJson(body: string): unknown {
  return inexactNumber.test(body) || onlyNumber.test(body) ? parse(body) : JSON.parse(body);
}
