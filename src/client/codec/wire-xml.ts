/** Converts XML to the form of the JSON: repeated elements are an array, an attribute is `@name`, text beside it is `$`. */
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
  // Only predefined entities are decoded, below: a document can't define its own.
  processEntities: false,
  tagValueProcessor: (_name, value) => decodeEntities(value),
  attributeValueProcessor: (_name, value) => decodeEntities(value),
});

export interface XmlRoot {
  readonly name: string;
  readonly content: unknown;
}

/** In characters, of a tag or a text: the parser takes seconds and much memory for longer ones. */
const longest = 1_048_576;
const tooLong = new RegExp(`(?:^|[<>])[^<>]{${longest}}`);

/** Parses a body; throws a SyntaxError if it is not one complete XML document without DOCTYPE. */
export function parseXml(body: string): XmlRoot {
  if (/<!DOCTYPE/i.test(body)) throw new SyntaxError('it contains a DOCTYPE');
  if (tooLong.test(body)) {
    throw new SyntaxError(`it contains a tag or a text of more than ${longest} characters`);
  }
  const document = parsed(body);
  const valid = XMLValidator.validate(body);
  if (valid !== true) throw new SyntaxError(valid.err.msg);
  const [name, ...others] = Object.keys(document).filter((key) => key !== '$');
  if (name === undefined || others.length > 0)
    throw new SyntaxError('it does not have a single root element');
  return { name, content: document[name] };
}

/** First, because the parser refuses deeply nested elements at once, and the validator reads all of them. */
function parsed(body: string): Record<string, unknown> {
  try {
    return parser.parse(body);
  } catch (cause) {
    throw new SyntaxError((cause as Error).message, { cause });
  }
}

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
