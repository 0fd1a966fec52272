/** Keeps secrets, such as the key, out of what leaves the client. */

import type { Body } from './body.ts';
import type { Answer } from './transport.ts';

/** What stands in the place of a secret. */
const stand = '(the key)';

/** A piece of a secret tells nothing of it while it is shorter than so many characters. */
const tellingLength = 8;

/** Parts of a secret that are shorter than this could be any word. */
const shortestPart = 4;

/** Gives back what it is given without secrets. */
export interface Hide {
  text(text: string): string;
  body(body: Body): Body;
}

export interface Mask {
  /** Hides all when a secret stands somewhere whole, as it is, in capitals or in small letters: for every page. */
  readonly quick: Hide;
  /** Also hides pieces of secrets, and their forms in base64, hexadecimal and URLs: slow. */
  readonly thorough: Hide;
}

/**
 * Secrets are of visible ASCII; those of three characters and less can't be told from other text. They
 * are looked at when the first text comes.
 */
export function maskOf(secrets: () => readonly string[]): Mask {
  let known: string[] | undefined;
  let whole: readonly Whole[] | undefined;
  let pieces: Pieces | undefined;
  const parts = () => {
    known ??= partsOf(secrets());
    return known;
  };
  const thorough = (text: string) => {
    pieces ??= piecesOf(parts());
    return hidden(text, pieces);
  };
  const wholes = () => {
    whole ??= wholeFormsOf(parts());
    return whole;
  };
  const isIn = (text: string) => wholes().some((form) => text.includes(form.text));
  return {
    quick: {
      text: (text) => (isIn(text) ? thorough(text) : text),
      body(body) {
        const { utf8 } = body;
        const isThere = utf8 ? wholes().some(({ bytes }) => utf8.includes(bytes)) : isIn(body.text);
        return isThere ? { text: thorough(body.text) } : body;
      },
    },
    thorough: {
      text: thorough,
      body: (body) => ({ text: thorough(body.text) }),
    },
  };
}

/** A secret as it may stand somewhere. */
interface Whole {
  readonly text: string;
  readonly bytes: Buffer;
}

/** To look for three texts takes a tenth of the time of a pattern in any case. */
function wholeFormsOf(parts: readonly string[]): Whole[] {
  const forms = parts.flatMap((part) => [part, part.toUpperCase(), part.toLowerCase()]);
  return [...new Set(forms)].map((text) => ({ text, bytes: Buffer.from(text) }));
}

function partsOf(secrets: readonly string[]): string[] {
  const all = secrets.flatMap((secret) => [secret, ...secret.split(':')]);
  return [...new Set(all)].filter(({ length }) => length >= shortestPart);
}

/** The answer with its headers and its body gone through. */
export function maskedAnswer<A extends Answer>(answer: A, hide: Hide): A {
  return { ...answer, headers: maskedHeaders(answer.headers, hide), body: hide.body(answer.body) };
}

export function maskedHeaders(headers: Answer['headers'], hide: Hide): Answer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, hide.text(value)]),
  );
}

/** How a server may give back what it was sent. In base64 the start of it depends on what is before. */
function formsOf(secret: string): string[] {
  const bytes = [...Buffer.from(secret)];
  const before = ['', '?', '??'].map((lead, i) => {
    const packed = Buffer.from(lead + secret).toString('base64');
    return packed.slice(i === 0 ? 0 : i + 1).replace(/.?={1,2}$/, '');
  });
  const hex = bytes.map((byte) => byte.toString(16));
  return [
    secret,
    encodeURIComponent(secret),
    ...before,
    ...before.map((packed) => packed.replaceAll('+', '-').replaceAll('/', '_')),
    hex.join(''),
    hex.map((digits) => `%${digits}`).join(''),
  ];
}

/** What is looked for, in lower case. */
interface Pieces {
  readonly byLength: ReadonlyMap<number, ReadonlySet<string>>;
  /** 1 where a piece begins with characters of this sum: few places of a text are looked at closer. */
  readonly beginnings: Uint8Array;
}

function piecesOf(parts: readonly string[]): Pieces {
  const byLength = new Map<number, Set<string>>();
  const beginnings = new Uint8Array(2 ** 16);
  for (const piece of parts.flatMap(cutUp)) {
    const known = byLength.get(piece.length) ?? new Set();
    byLength.set(piece.length, known.add(piece));
    beginnings[sumAt(piece, 0)] = 1;
  }
  return { byLength, beginnings };
}

/** The whole, and what tells something of it; a piece of letters alone could be a word. */
function cutUp(part: string): string[] {
  const whole = part.toLowerCase();
  const isWord = (piece: string) => /^[a-z]+$/.test(piece) && whole.includes(piece);
  const pieces = formsOf(part).flatMap((form) => runsOf(form.toLowerCase()));
  return [whole, ...pieces.filter((piece) => !isWord(piece))];
}

function runsOf(form: string): string[] {
  const starts = [...Array(Math.max(0, form.length - tellingLength + 1)).keys()];
  return starts.map((at) => form.slice(at, at + tellingLength));
}

/** Of three characters, the same in upper and lower case. */
function sumAt(text: string, at: number): number {
  const sum = (letterAt(text, at) * 37 + letterAt(text, at + 1)) * 37 + letterAt(text, at + 2);
  return sum & 0xffff;
}

function letterAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90 ? code + 32 : code;
}

type Range = readonly [from: number, to: number];

/** Where pieces stand, in order; those that touch are one. */
function coverOf(text: string, { byLength, beginnings }: Pieces): Range[] {
  const covered: Range[] = [];
  for (let at = 0; at + shortestPart <= text.length; at++) {
    if (beginnings[sumAt(text, at)] === 0) continue;
    for (const [length, known] of byLength) {
      if (known.has(text.slice(at, at + length).toLowerCase())) cover(covered, at, at + length);
    }
  }
  return covered;
}

function cover(covered: Range[], from: number, to: number): void {
  const last = covered.at(-1);
  if (!last || last[1] < from) covered.push([from, to]);
  else covered[covered.length - 1] = [last[0], Math.max(last[1], to)];
}

function hidden(text: string, pieces: Pieces): string {
  let shown = '';
  let end = 0;
  for (const [from, to] of coverOf(text, pieces)) {
    shown += text.slice(end, from) + stand;
    end = to;
  }
  return shown + text.slice(end);
}
