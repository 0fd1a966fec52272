/** Bodies that hold a single value: a count, or a text such as the SKU of a saved product. */
import { parseJson } from './wire-json.ts';
import { isMarkup, isNil, isObject, scalarText } from './wire-value.ts';
import { parseXml } from './wire-xml.ts';

/** The count in `7`, `"7"`, `{"count":7}` or `<count>7</count>`; undefined for anything else. */
export function countIn(body: string): number | undefined {
  const text = (/^\s*\d+\s*$/.test(body) ? body : onlyScalar(body))?.trim();
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The text in `NEW-01`, `"NEW-01"` or `<sku>NEW-01</sku>`; undefined for an empty body. */
export function textIn(body: string): string | undefined {
  const isQuoted = /^\s*["<]/.test(body);
  const text = (isQuoted ? onlyScalar(body) : undefined) ?? body;
  return text.trim() === '' ? undefined : text;
}

/** The one scalar of a JSON or XML document, at any depth; undefined if there is another number of them. */
function onlyScalar(body: string): string | undefined {
  try {
    const isXml = body.trimStart().startsWith('<');
    return scalarBelow(isXml ? parseXml(body.trim()).content : parseJson(body), 0);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const deepest = 3;

function scalarBelow(value: unknown, depth: number): string | undefined {
  if (isNil(value)) return undefined;
  const text = scalarText(value);
  if (text !== undefined || !isObject(value) || depth === deepest) return text;
  const [only, another] = Object.entries(value).filter(([key]) => !isMarkup(key));
  return only && !another ? scalarBelow(only[1], depth + 1) : undefined;
}
