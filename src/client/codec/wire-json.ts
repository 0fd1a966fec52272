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

/** Whether an object of a valid document has two equal keys, of which JSON.parse keeps the last one only. */
function hasEqualKeys(body: string): boolean {
  const outer: (Set<string> | undefined)[] = [];
  // The keys of the current object; undefined in an array.
  let keys: Set<string> | undefined;
  for (let i = 0; i < body.length; i++) {
    const character = body[i];
    if (character === '{' || character === '[') {
      outer.push(keys);
      keys = character === '{' ? new Set() : undefined;
    } else if (character === '}' || character === ']') {
      keys = outer.pop();
    } else if (character === '"') {
      const start = i++;
      while (body[i] !== '"') i += body[i] === '\\' ? 2 : 1;
      let next = i + 1;
      while (' \t\r\n'.includes(body[next] ?? '.')) next++;
      if (!keys || body[next] !== ':') continue;
      const text = body.slice(start, i + 1);
      const key: string = text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
      if (keys.has(key)) return true;
      keys.add(key);
    }
  }
  return false;
}

/**
 * Parses a body; throws a SyntaxError if it is not one JSON document, or if an object has two equal keys with different
 * values. The service quotes its numbers, so that JSON.parse loses nothing; a document with an inexact number or
 * with equal keys is parsed by the slower lossless-json, whose numbers are LosslessNumber objects.
 */
export function parseJson(body: string): unknown {
  if (inexactNumber.test(body) || onlyNumber.test(body)) return parse(body);
  const document: unknown = JSON.parse(body);
  return hasEqualKeys(body) ? parse(body) : document;
}
