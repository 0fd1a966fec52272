/**
 * Converts XML responses to the form of the JSON: an element is a text or an
 * object, repeated elements are an array, an attribute is `@name`, text beside attributes is `$`.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '$',
  removeNSPrefix: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Digits and spaces stay as sent.
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  maxNestedTags: 100,
  // Only predefined entities are decoded, below: a document can't define its own.
  processEntities: false,
  tagValueProcessor: (_name, value) => decodeEntities(value),
  attributeValueProcessor: (_name, value) => decodeEntities(value),
});

export interface XmlRoot {
  readonly name: string;
  readonly content: unknown;
}

/** Parses a body; throws if it is not one complete XML document without DOCTYPE. */
export function parseXml(body: string): XmlRoot {
  if (/<!DOCTYPE/i.test(body)) throw new SyntaxError('it contains a DOCTYPE');
  for (const part of body.split('<')) {
    const isLong = !part.startsWith('!') && part.indexOf('>') > longestTag;
    if (isLong || part.length > longestText) {
      throw new SyntaxError('it contains a tag or a text that is too long');
    }
  }
  const valid = XMLValidator.validate(body);
  if (valid !== true) throw new SyntaxError(valid.err.msg);
  const document: Record<string, unknown> = parser.parse(body);
  const [name, ...others] = Object.keys(document).filter((key) => key !== '$');
  if (name === undefined || others.length > 0)
    throw new SyntaxError('it does not have a single root element');
  return { name, content: document[name] };
}

/** In characters; far more than the service sends. The parser takes long, and up to 70 bytes for each character. */
const longestTag = 65_536;
const longestText = 1_048_576;

const predefined: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, digits, name) => {
    if (name !== undefined) return predefined[name] ?? whole;
    const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
