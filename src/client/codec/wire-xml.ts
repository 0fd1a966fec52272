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
  requireXmlLimits(body);
  const valid = XMLValidator.validate(body);
  if (valid !== true) throw new SyntaxError(valid.err.msg);
  const document = parser.parse(body) as Record<string, unknown>;
  const [name, ...others] = Object.keys(document).filter((key) => key !== '$');
  if (name === undefined || others.length > 0)
    throw new SyntaxError('it does not have a single root element');
  return { name, content: document[name] };
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

/* Limits, checked in one pass before parsing, since the parser takes quadratic time and memory. */

/** In characters. The service's own tags are far shorter. */
const longestTag = 65_536;
const deepestElement = 100;
/** The parser builds a text from single characters, at about 70 bytes of memory each. */
const longestText = 1_048_576;

/** Throws a SyntaxError for a tag or a text that is too long, or elements that are nested too deeply. */
function requireXmlLimits(body: string): void {
  let depth = 0;
  let at = body.indexOf('<');
  while (at >= 0) {
    const end = endOfMarkup(body, at);
    // The parser reports unclosed markup.
    if (end < 0) return;
    depth += depthChange(body, at, end);
    if (depth > deepestElement) {
      throw new SyntaxError(`it is nested deeper than ${deepestElement} levels`);
    }
    at = body.indexOf('<', end);
    if (at - end > longestText) {
      throw new SyntaxError(`it contains a text of more than ${longestText} characters`);
    }
  }
}

/** Sections in which the characters of tags have no meaning. */
const sections: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

/** The index after the tag or section that begins here; -1 if it has no end. */
function endOfMarkup(body: string, start: number): number {
  const section = sections.find(([opening]) => body.startsWith(opening, start));
  if (!section) return endOfTag(body, start);
  const [opening, closing] = section;
  const end = body.indexOf(closing, start + opening.length);
  return end < 0 ? -1 : end + closing.length;
}

/** A `>` inside a quoted attribute value does not end the tag. */
function endOfTag(body: string, start: number): number {
  const most = Math.min(body.length, start + longestTag);
  let quote = '';
  for (let at = start; at < most; at++) {
    const one = body[at] as string;
    if (quote !== '') quote = one === quote ? '' : quote;
    else if (one === '>') return at + 1;
    else if (one === '"' || one === "'") quote = one;
  }
  if (most === body.length) return -1;
  throw new SyntaxError(`it contains a tag of more than ${longestTag} characters`);
}

function depthChange(body: string, start: number, end: number): number {
  const second = body[start + 1];
  if (second === '/') return -1;
  if (second === '!' || second === '?') return 0;
  return body[end - 2] === '/' ? 0 : 1;
}
