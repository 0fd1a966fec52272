/** The JSON of the wire: every number keeps the digits as sent. */
import { parse } from 'lossless-json';

/**
 * A number outside quotes that a double would not give back as written.
 * The service quotes its numbers, so this hardly ever matches, and a match
 * inside a text costs time only.
 */
const delicateNumber = /[:[,\s]-?(\d+[.eE]|\d{16})/;

/** Parses a body; throws a SyntaxError when it is not one JSON document. */
export function parseJson(body: string): unknown {
  return delicateNumber.test(body) ? parse(body) : JSON.parse(body);
}
