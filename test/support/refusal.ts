/** How commands end: usage errors, with exit code 2 before anything is sent, and others. */
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { home, type Options } from './cb.ts';
import { serve } from './server.ts';

/** Runs a line that must be a usage error, and returns stderr. */
export async function refusalOf(line: string, options: Options = {}): Promise<string> {
  const { env, asked } = await serve((reply) => reply.end('null'));
  const { code, out, err } = await home().cb(line, { ...options, env });
  expect({ code, out, asked }, err).toEqual({ code: 2, out: '', asked: [] });
  return err;
}

/** The text of an error without colors and line breaks: what happened, then what to do. */
export function asOneLine(err: string): string {
  return stripVTControlCharacters(err).replaceAll(/\s+/g, ' ');
}

/** Checks how a command ended, what it wrote to stderr, as one line without colors, and what to stdout, if that is given. */
export function expectExit(
  { code, err, out }: { readonly code: number | null; readonly err: string; readonly out?: string },
  expected: number,
  says: string | RegExp,
  printed = out,
): void {
  const isText = typeof says === 'string';
  const matching = isText ? expect.stringContaining(says) : expect.stringMatching(says);
  const ended = { code: expected, err: matching, out: printed };
  expect({ code, err: asOneLine(err), out }).toEqual(ended);
}
