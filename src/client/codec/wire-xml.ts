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

/** Parses a body; throws a SyntaxError if it is not one complete XML document without DOCTYPE. */
export function parseXml(body: string): XmlRoot {
  if (/<!DOCTYPE/i.test(body)) throw new SyntaxError('it contains a DOCTYPE');
  requireShortParts(body);
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
    const { message } = cause as Error;
    // This message names a function of the parser.
    const said = message.startsWith('readTagExp') ? 'a tag has no end' : message;
    throw new SyntaxError(said, { cause });
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

/** In characters: the parser's time grows with the square of a tag, and it takes 40 times the memory of a text. */
const longestTag = 65_536;
const longestText = 1_048_576;

/** Sections in which the characters of tags have no meaning. */
const sections: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** A `>` inside a quoted attribute value does not end the tag. */
const tag = /^<(?:[^>"']|"[^"]*"|'[^']*')*>/;

/** Throws a SyntaxError for a tag or a text that is too long. The parser reports markup without an end. */
function requireShortParts(body: string): void {
  let at = 0;
  while (at >= 0) {
    const start = body.indexOf('<', at);
    if ((start < 0 ? body.length : start) - at > longestText) {
      throw new SyntaxError(`it contains a text of more than ${longestText} characters`);
    }
    at = start < 0 ? start : endOfMarkup(body, start);
  }
}

/** The index after the tag or section that begins here; -1 if it has no end. */
function endOfMarkup(body: string, start: number): number {
  const section = sections.find(([opening]) => body.startsWith(opening, start));
  if (section) {
    const [opening, closing] = section;
    const end = body.indexOf(closing, start + opening.length);
    return end < 0 ? -1 : end + closing.length;
  }
  const found = tag.exec(body.slice(start, start + longestTag));
  if (found) return start + found[0].length;
  if (start + longestTag >= body.length) return -1;
  throw new SyntaxError(`it contains a tag of more than ${longestTag} characters`);
}
