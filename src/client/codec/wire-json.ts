/** Parses the JSON of responses; every number keeps the digits as sent. */
import { parse } from 'lossless-json';

/**
 * A number outside quotes that a double would not reproduce as written: with a fraction, an exponent, or more
 * than 15 digits, or -0. It must stand where a value can begin and end, so that texts rarely
 * match; a false match, such as `a, 1.5, b`, only costs time.
 */
const inexactNumber =
  /[:,[]\s*(?:-0|-?(?:\d{16,}|\d+(?=[.eE])(?:\.\d+)?(?:[eE][+-]?\d+)?))\s*[,\]}]/;

const onlyNumber = /^\s*-?\d/;

/** The number of keys in all objects of a value. It may be nested deeper than the call stack allows. */
function keysIn(document: unknown): number {
  const left = [document];
  let count = 0;
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    const values: readonly unknown[] = Object.values(value as object);
    if (!Array.isArray(value)) count += values.length;
    for (const one of values) if (typeof one === 'object' && one !== null) left.push(one);
  }
  return count;
}

/** The number of quotes that a colon follows: each key of a document ends like this, and some texts do. */
function keyEndsIn(body: string): number {
  let count = 0;
  for (let colon = body.indexOf(':'); colon !== -1; colon = body.indexOf(':', colon + 1)) {
    let end = colon - 1;
    while (' \t\r\n'.includes(body[end] ?? '"')) end -= 1;
    if (body[end] === '"') count += 1;
  }
  return count;
}

/**
 * Parses a body; throws a SyntaxError if it is not one JSON document, or if an object has two equal keys with different
 * values, of which JSON.parse would keep the last one. The service quotes its numbers, so that JSON.parse loses nothing.
 * A document with an inexact number, or with more keys than JSON.parse returned, is parsed by the slower lossless-json,
 * which rejects such keys and whose numbers are LosslessNumber objects.
 */
export function parseJson(body: string): unknown {
  if (inexactNumber.test(body) || onlyNumber.test(body)) return parse(body);
  const document: unknown = JSON.parse(body);
  const keys = typeof document === 'object' && document !== null ? keysIn(document) : 0;
  return keyEndsIn(body) === keys ? document : parse(body);
}
