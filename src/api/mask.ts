/** Redacts secrets, such as API keys, in everything that leaves the client. */
import type { Answer } from './transport.ts';

/** What stands in the place of a secret. */
export const placeholder = '(the key)';

/** A shorter secret can't be told from other text, and a shorter encoded form could be any word. */
const shortestSecret = 4;
const shortestForm = 8;

/** Returns the text without secrets. */
export type Mask = (text: string) => string;

/**
 * Redacts each secret as it is, in upper or lower case, and its percent-encoded, base64 and hexadecimal
 * forms, also where JSON or XML writes them with escapes. Pieces of a secret are not looked for. Secrets are
 * printable ASCII; they are read when the first text comes.
 */
export function maskOf(secrets: () => readonly string[]): Mask {
  let pattern: RegExp | undefined;
  return (text) => {
    pattern ??= patternOf(secrets());
    const plain = withoutEscapes(text);
    const redacted = plain.replace(pattern, placeholder);
    if (redacted !== plain) return redacted;
    // As it came; a secret may itself look like an escape.
    return plain === text ? text : text.replace(pattern, placeholder);
  };
}

/** The answer with its headers and its body redacted. */
export function maskedAnswer<A extends Answer>(answer: A, mask: Mask): A {
  const { text } = answer.body;
  const masked = mask(text);
  const body = masked === text ? answer.body : { text: masked };
  return { ...answer, headers: maskedHeaders(answer.headers, mask), body };
}

export function maskedHeaders(headers: Answer['headers'], mask: Mask): Answer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
}

function patternOf(secrets: readonly string[]): RegExp {
  // A developer key and an API key are sent as one, with a colon between them.
  const parts = secrets.flatMap((secret) => [secret, ...secret.split(':')]);
  const forms = parts
    .filter(({ length }) => length >= shortestSecret)
    .flatMap((part) => [part, ...encodedForms(part)]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  // Without secrets it matches nothing.
  return new RegExp(longestFirst.map(escaped).join('|') || '(?!)', 'gi');
}

function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((lead) => base64After(lead, bytes));
  const forms = [
    encodeURIComponent(secret),
    hex.replace(/../g, '%$&'),
    hex,
    ...base64,
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  ];
  return forms.filter(({ length }) => length >= shortestForm);
}

/** The characters that encode the bytes alone, wherever they stand in what is encoded. */
function base64After(lead: number, bytes: Buffer): string {
  const packed = Buffer.concat([Buffer.alloc(lead), bytes])
    .toString('base64')
    .replace(/=+$/, '');
  const end = (lead + bytes.length) % 3 === 0 ? packed.length : packed.length - 1;
  return packed.slice(Math.ceil((lead * 8) / 6), end);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * The same JSON or XML document with as few escapes as it can have: no escaped character that could stand for
 * itself, no CDATA sections, comments or processing instructions inside a text.
 */
function withoutEscapes(text: string): string {
  let plain = text;
  if (plain.includes('\\')) {
    plain = plain.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (whole, hex?: string, one?: string) =>
      one === '/'
        ? one
        : plainCharacter(whole, hex === undefined ? undefined : Number.parseInt(hex, 16)),
    );
  }
  if (/<[!?]/.test(plain)) plain = withoutSections(plain);
  if (plain.includes('&#')) {
    plain = plain.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (whole, hex?: string, digits?: string) =>
      plainCharacter(whole, hex ? Number.parseInt(hex, 16) : Number(digits)),
    );
  }
  return plain;
}

/** How the sections end that may stand in the middle of a text. */
const sectionEnds: Readonly<Record<string, string>> = {
  '<!--': '-->',
  '<?': '?>',
  '<![CDATA[': ']]>',
};

/** In one pass, as a parser reads them: a section may hold what looks like the start of another one. */
function withoutSections(text: string): string {
  const opener = /<!--|<\?|<!\[CDATA\[/g;
  const unclosed = new Set<string>();
  let rest = '';
  let end = 0;
  for (let found = opener.exec(text); found; found = opener.exec(text)) {
    const [open] = found;
    const ending = sectionEnds[open] ?? '';
    const close = unclosed.has(open) ? -1 : text.indexOf(ending, opener.lastIndex);
    if (close < 0) {
      unclosed.add(open);
      continue;
    }
    rest += text.slice(end, found.index) + plainSection(open, text.slice(opener.lastIndex, close));
    end = close + ending.length;
    opener.lastIndex = end;
  }
  return rest + text.slice(end);
}

/** What a section adds to the text around it. The XML declaration is part of the document. */
function plainSection(open: string, content: string): string {
  if (open === '<?' && /^xml\s/.test(content)) return `<?${content}?>`;
  if (open !== '<![CDATA[') return '';
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A printable character that neither JSON nor XML gives a meaning to; otherwise the escape as written. */
function plainCharacter(written: string, code: number | undefined): string {
  const character = typeof code === 'number' && code < 128 ? String.fromCharCode(code) : '';
  return /^[!#-%(-;=?-[\]-~]$/.test(character) ? character : written;
}
