/** Redacts secrets, such as API keys, in everything that leaves the client. */
import type { Headers } from './connections.ts';

export const placeholder = '(the key)';

/** Shorter secrets or encoded forms could match ordinary text. */
const shortestSecret = 4;
const shortestForm = 8;

export type Redact = (text: string) => string;

/**
 * Redacts each secret as it is or without its fixed prefix, in upper or lower case, and its percent-encoded, base64 and
 * hexadecimal forms, also when JSON or XML escapes them. Other parts of a secret are not redacted. Secrets are
 * printable ASCII; they are read when the first text arrives.
 */
export function redactorFor(secrets: () => readonly string[]): Redact {
  let plain: RegExp | undefined;
  let escaped: RegExp | undefined;
  return (text) => {
    plain ??= patternOf(secrets(), literal, '');
    const mayBeEscaped = escapes.test(text) || secrets().some((secret) => /["\\&<>]/.test(secret));
    if (!mayBeEscaped) return text.replace(plain, placeholder);
    escaped ??= patternOf(secrets(), anyForm, `(?:${markup}){0,20}`);
    return text.replace(
      escaped,
      (found) => placeholder + (found.match(sectionEdge) ?? []).join(''),
    );
  };
}

/** Unnecessary escapes, and sections within a text: few responses have any. */
const escapes = /\\(?:u00[2-7]|\/)|&#|<!|<\?(?!xml\s)/i;

/** Kept when a secret spans them, so that sections stay balanced. */
const sectionEdge = /<!\[CDATA\[|\]\]>/g;

export function redactHeaders(headers: Headers, redact: Redact): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));
}

function patternOf(
  secrets: readonly string[],
  write: (character: string) => string,
  between: string,
): RegExp {
  // A developer key and an API key are sent as one, with a colon between them.
  const keys = secrets.flatMap((secret) => [secret, ...secret.split(':')]);
  const parts = [
    ...keys,
    // What is secret of a key.
    ...keys
      .map((key) => key.replace(/^(?:API|DEV)-/i, ''))
      .filter(({ length }) => length >= shortestForm),
  ];
  const forms = parts
    .filter(({ length }) => length >= shortestSecret)
    .flatMap((part) => [part, ...encodedForms(part)]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const patterns = longestFirst.map((form) => [...form].map(write).join(between));
  // Checking the first character avoids trying every escaped form at most positions.
  const first = longestFirst.map((form) => literal(form.charAt(0))).join('');
  const start = between && `(?=[${first}\\\\&])`;
  // Without secrets, the pattern matches nothing.
  return new RegExp(`${start}(?:${patterns.join('|') || '(?!)'})`, 'gi');
}

function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  // The base64 characters that depend on these bytes only, at each of the three alignments.
  const base64 = [0, 1, 2].map((lead) => {
    const packed = Buffer.from('\0'.repeat(lead) + secret)
      .toString('base64')
      .replace(/=+$/, '');
    const end = (lead + bytes.length) % 3 === 0 ? packed.length : packed.length - 1;
    return packed.slice(Math.ceil((lead * 8) / 6), end);
  });
  const forms = [
    ...[
      encodeURIComponent(secret),
      // As programs encode that leave only letters and digits: a hyphen is `%2D`.
      secret.replaceAll(
        /[^A-Za-z0-9]/g,
        (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
      ),
      hex.replace(/../g, '%$&'),
      hex,
      ...base64,
    ],
    ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return forms.filter(({ length }) => length >= shortestForm);
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}

/** What XML allows between two characters of a text: bounded and unambiguous, so that a search takes linear time. */
const markup = String.raw`<!\[CDATA\[|\]\]>|<!--(?:(?!-->)[^]){0,200}-->|<\?(?:(?!\?>)[^]){0,200}\?>`;

const named: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };

/** A pattern for a character in every form that JSON or XML allows. */
function anyForm(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, '0');
  const name = named[character];
  const forms = [
    ...[literal(character), `\\\\u00${hex}`, `&#0*${code};`, `&#x0*${hex};`],
    ...(/[\\/"]/.test(character) ? [`\\\\${literal(character)}`] : []),
    ...(name ? [`&${name};`] : []),
  ];
  return `(?:${forms.join('|')})`;
}
