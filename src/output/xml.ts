/** xml: what the service sent, the pages of a list joined into one document. */
import { contentWithin, splitPage, type XmlPage } from './xml-page.ts';

/** Bodies that cannot be one document; the message is one line. */
export class UnjoinableXml extends Error {
  override readonly name = 'UnjoinableXml';
}

/**
 * One well-formed document out of the pages of a list: the first page as received, with the content of the
 * other roots before its end. A single body passes through untouched, whatever it is; `null`, an empty body
 * and a root without content add nothing. When a later page is not XML or has another root, or the pages
 * break off, the document is closed before the error (`UnjoinableXml`, or the one of the pages) is thrown.
 */
export async function* joinXml(bodies: AsyncIterable<string>): AsyncGenerator<string> {
  let first: XmlPage | undefined;
  let held: string | undefined;
  try {
    for await (const body of bodies) {
      if (isBlank(body)) {
        held ??= body;
        continue;
      }
      const page = splitPage(body);
      if (first) {
        yield contentWithin(first, matching(page, first));
      } else if (page && !page.isSelfClosing) {
        first = readable(page, held);
        yield page.head + page.content;
      } else {
        held = replaced(body, held);
      }
    }
  } catch (error) {
    if (first) yield first.tail;
    throw error;
  }
  yield first?.tail ?? held ?? '';
}

/** What the service answers for an empty list in JSON, it may answer here. */
function isBlank(body: string): boolean {
  const text = body.trim();
  return text === '' || text === 'null';
}

function matching(page: XmlPage | undefined, first: XmlPage): XmlPage {
  if (page?.name === first.name) return page;
  const found = page ? `<${page.name}>` : 'something that is not XML';
  throw new UnjoinableXml(`a page of <${first.name}> is followed by ${found}`);
}

/** A page with content may follow empty ones only. */
function readable(page: XmlPage, held: string | undefined): XmlPage {
  if (held === undefined || isBlank(held)) return page;
  const empty = splitPage(held);
  if (empty) matching(page, empty);
  else throw new UnjoinableXml(`something that is not XML is followed by a page of <${page.name}>`);
  return page;
}

/** Of several bodies without content one is kept: a root rather than nothing. */
function replaced(body: string, held: string | undefined): string {
  if (held === undefined || (isBlank(held) && splitPage(body))) return body;
  const page = splitPage(held);
  if (!page) throw new UnjoinableXml('a page is not XML');
  matching(splitPage(body), page);
  return held;
}
