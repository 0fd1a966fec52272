/** One body of XML, cut at the ends of its root; its text is never changed, only looked through. */

export interface XmlPage {
  readonly name: string;
  /** Up to the end of the root's start tag. */
  readonly head: string;
  readonly content: string;
  /** From the root's end tag. */
  readonly tail: string;
  readonly isSelfClosing: boolean;
  readonly namespaces: Namespaces;
  readonly children: readonly Child[];
}

/** `xmlns` or `xmlns:prefix`, with its value in quotes. */
type Namespaces = ReadonlyMap<string, string>;

/** A child of the root: where in the content its attributes begin, and the namespaces it declares itself. */
interface Child {
  readonly at: number;
  readonly namespaces: Namespaces;
}

interface Tag {
  readonly kind: 'start' | 'end' | 'empty';
  readonly name: string;
  readonly attributes: string;
  readonly from: number;
  readonly to: number;
}

/** Comments, CDATA and instructions are taken whole, so that tags inside them are not; without an end, they reach to that of the body. */
const markup =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<(?<close>\/?)(?<name>[^\s/>!?<]+)(?<attributes>(?:[^>"'<]|"[^"<]*"|'[^'<]*')*)>/g;

const declaration = /\s(xmlns(?::[^\s=]+)?)\s*=\s*("[^"]*"|'[^']*')/g;

/** Undefined when the body is not one whole element: truncated, text, or with a DOCTYPE, which is not for joining. */
export function splitPage(body: string): XmlPage | undefined {
  const tags = [...tagsOf(body)];
  const [root] = tags;
  const last = tags.at(-1);
  if (!root || !last || !isProlog(body.slice(0, root.from)) || !isNested(tags)) return undefined;
  const isSelfClosing = root.kind === 'empty';
  return {
    name: root.name,
    head: body.slice(0, root.to),
    content: isSelfClosing ? '' : body.slice(root.to, last.from),
    tail: isSelfClosing ? '' : body.slice(last.from),
    isSelfClosing,
    namespaces: namespacesOf(root.attributes),
    children: childrenOf(tags, root.to),
  };
}

/** The content of a page as it stands inside another root: namespaces that only its own root declared go to its children. */
export function contentWithin(root: XmlPage, { content, namespaces, children }: XmlPage): string {
  const missing = [...namespaces].filter(([name, value]) => root.namespaces.get(name) !== value);
  const isShadowed = root.namespaces.has('xmlns') && !namespaces.has('xmlns');
  const needed: [string, string][] = isShadowed ? [...missing, ['xmlns', '""']] : missing;
  if (needed.length === 0) return content;
  let text = '';
  let from = 0;
  for (const { at, namespaces: declared } of children) {
    const added = needed.filter(([name]) => !declared.has(name));
    text += content.slice(from, at) + added.map(([name, value]) => ` ${name}=${value}`).join('');
    from = at;
  }
  return text + content.slice(from);
}

function* tagsOf(body: string): Generator<Tag> {
  for (const match of body.matchAll(markup)) {
    const { name, close = '', attributes = '' } = match.groups ?? {};
    if (name === undefined) continue;
    const opening = attributes.endsWith('/') ? 'empty' : 'start';
    yield {
      kind: close === '/' ? 'end' : opening,
      name,
      attributes,
      from: match.index,
      to: match.index + match[0].length,
    };
  }
}

/** Before the root there may be a byte order mark, a declaration, instructions and comments. */
function isProlog(text: string): boolean {
  return text.replace(/^\ufeff/, '').replaceAll(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>|\s+/g, '') === '';
}

/** Every start tag has its end tag, in order, and one element holds all others. */
function isNested(tags: readonly Tag[]): boolean {
  const open: string[] = [];
  return (
    tags.every(({ kind, name }, index) => {
      if (index > 0 && open.length === 0) return false;
      if (kind === 'start') open.push(name);
      return kind !== 'end' || open.pop() === name;
    }) && open.length === 0
  );
}

function childrenOf(tags: readonly Tag[], start: number): Child[] {
  const children: Child[] = [];
  let depth = 0;
  for (const { kind, name, attributes, from } of tags) {
    if (depth === 1 && kind !== 'end') {
      const at = from + 1 + name.length - start;
      children.push({ at, namespaces: namespacesOf(attributes) });
    }
    if (kind === 'start') depth += 1;
    if (kind === 'end') depth -= 1;
  }
  return children;
}

function namespacesOf(attributes: string): Namespaces {
  return new Map(
    [...attributes.matchAll(declaration)].map(([, name = '', value = '']) => [name, value]),
  );
}
