/** xml: the response as received, with the pages of a list joined into one document. */
import { XMLBuilder, XMLParser } from 'fast-xml-parser';
import { OutputError } from './errors.ts';
import type { Writer } from './render-options.ts';

/** A node of fast-xml-parser in document order: its name with its children or text, and `:@` with its attributes. */
interface XmlNode {
  readonly ':@'?: Attributes;
  readonly [name: string]: string | readonly XmlNode[] | Attributes | undefined;
}

type Attributes = Readonly<Record<string, string>>;

interface Page {
  readonly body: string;
  /** The name of the root; undefined for a body that is not XML or has a DOCTYPE. */
  readonly root: string | undefined;
  readonly attributes: Attributes;
  readonly children: readonly XmlNode[];
}

const options = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  cdataPropName: '#cdata',
  commentPropName: '#comment',
  processEntities: false,
};
const parser = new XMLParser({
  ...options,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
});
const builder = new XMLBuilder({
  ...options,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  attributeValueProcessor: (_, value) => String(value).replaceAll('"', '&quot;'),
});

/**
 * Joins the pages of a list into one well-formed document: the first page with content as received, and the
 * content of the other roots before its end tag. A single body passes through unchanged, whatever it is;
 * `null`, an empty body and a root without content add nothing. When a later page is not XML or has another
 * root (an OutputError), or the pages break off, the end closes the document.
 */
export function open(): Writer {
  let blank = '';
  let first: Page | undefined;
  let tail: string | undefined;
  return {
    add(_, body) {
      // ClickBank may answer an empty list with `null`, as in JSON.
      if (['', 'null'].includes(body.trim())) {
        blank ||= body;
        return '';
      }
      const page = readPage(body);
      if (first) requireSameRoot(first, page);
      if (first && tail !== undefined) return builder.build(childrenWithin(first, page));
      first = page;
      if (page.children.length === 0) return '';
      const end = body.lastIndexOf('</');
      tail = body.slice(end);
      return body.slice(0, end);
    },
    end: (isBroken) => (isBroken ? [tail ?? ''] : [tail ?? first?.body ?? blank, '\n']),
  };
}

function readPage(body: string): Page {
  const nodes = parse(body);
  const root = nodes.find((node) => isElement(nameOf(node)));
  const name = root && nameOf(root);
  const children = name === undefined ? undefined : root?.[name];
  return {
    body,
    root: name,
    attributes: root?.[':@'] ?? {},
    children: Array.isArray(children) ? children : [],
  };
}

function parse(body: string): readonly XmlNode[] {
  if (body.includes('<!DOCTYPE')) return [];
  try {
    return parser.parse(body.replace(/^\ufeff/, ''), true);
  } catch {
    return [];
  }
}

function nameOf(node: XmlNode): string {
  return Object.keys(node).find((key) => key !== ':@') ?? '';
}

/** True unless the node is text, CDATA, a comment or an instruction. */
function isElement(name: string): boolean {
  return !name.startsWith('#') && !name.startsWith('?');
}

function requireSameRoot(first: Page, { root }: Page): void {
  if (root !== undefined && root === first.root) return;
  const [one, other] = [first.root, root].map((name) =>
    name === undefined ? 'a page that is not XML' : `a page of <${name}>`,
  );
  const message = `Pages can't be joined into one XML document: ${one} is followed by ${other}.`;
  const hint = 'To see a response as received, use --raw --page 1.';
  throw new OutputError('failed', message, hint);
}

/** Namespaces that only the root of this page declared are added to its children. */
function childrenWithin(first: Page, { attributes, children }: Page): readonly XmlNode[] {
  const hidden = first.attributes['@xmlns'] && !attributes['@xmlns'] ? { '@xmlns': '' } : {};
  const declared = Object.entries(attributes).filter(
    ([name, value]) => name.startsWith('@xmlns') && first.attributes[name] !== value,
  );
  const needed = { ...Object.fromEntries(declared), ...hidden };
  return children.map((child) =>
    isElement(nameOf(child)) ? { ...child, ':@': { ...needed, ...child[':@'] } } : child,
  );
}
