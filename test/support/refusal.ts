/** Checks usage errors: exit code 2 before anything is sent. */
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

/** An error without its line breaks: what happened, then what to do. */
export function asOneLine(err: string): string {
  return err.replaceAll(/\s+/g, ' ');
}
