/** Text that would control a terminal, hide output, or forge it, and a service that sends it. */
import { expect } from 'vitest';
import { serve } from './server.ts';

/** Control sequences, each after a letter that shows that the text was printed. */
export const hostile = [
  'a\u001b[2J\u001b[5;41m',
  'b\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007',
  'c\u001b]52;c;ZXZpbA==\u001b\\',
  'd\u001b]0;owned\u0007',
  'e\u001bP$q\u001b\\',
  'f\u001b',
  'g\u009b31m',
  'h\u009d52;c;ZXZpbA==\u009c',
  'i\u0085\u0090\u0084',
  'j\u0007',
  'k\rcb: all is well',
  'l\b\b\b',
  'm\u202egnp.exe\u202c',
  'n\u2066x\u2069\u061c\u200e\u200f',
  'o\u200bx\u200dx\u2060x\ufeffx\u00ad',
  'p\u007f\u0000',
  'q\u2028x\u2029',
  'r\u{e0001}\u{e0041}\u3164\u115f',
].join('');

/** The same, for a cell of csv. */
export const evilCell = hostile.replace(/[\r\n",\0]/g, '');

/** Allows line feeds and cb's own colors: the sixteen colors, dim, and their resets. */
const esc = '\u001b';
const own = new RegExp(`${esc}\\[(?:0|2|22|3[0-9]|39|9[0-7])m`, 'g');
const steering =
  /(?!\n|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** `parted` allows tabs between columns. */
export function expectHarmless(text: string, parted = false): void {
  const ours = text.replaceAll(own, '');
  const found = steering.exec(parted ? ours.replaceAll('\t', ' ') : ours);
  const near = found && JSON.stringify(ours.slice(Math.max(0, found.index - 60), found.index + 20));
  const code = found && `U+${found[0].codePointAt(0)?.toString(16)}`;
  expect({ code, near }).toEqual({ code: null, near: null });
}

export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'xml'];

/** The environment for a service that sends this body in every response. */
export async function hostileService(body: string, status = 200, type = 'application/json') {
  const { env } = await serve((reply) => {
    reply.writeHead(status, { 'content-type': type, 'x-hostile': 'x\tb' }).end(body);
  });
  return env;
}
