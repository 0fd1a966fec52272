/** Limits on XML, checked in one pass before parsing, since the parser takes quadratic time and memory. */

/** In characters. The service's own tags are far shorter. */
const longestTag = 65_536;
const deepestElement = 100;
/** The parser builds a text from single characters, at about 70 bytes of memory each. */
const longestText = 1_048_576;

/** Throws a SyntaxError for a tag or a text that is too long, or elements that are nested too deeply. */
export function requireXmlLimits(body: string): void {
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
