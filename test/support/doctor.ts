/** Runs cb doctor in homes with prepared profiles. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { canary } from './canary.ts';
import { type Home, home, now, type Options } from './cb.ts';
import { serve } from './server.ts';

/** The folder of the profiles, below the home. */
export const folder = '.config/clickbank-cli';

/** Writes the file of profiles as cb would, or with errors. */
export function write(made: Pick<Home, 'folder'>, content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  mkdirSync(join(made.folder, folder), { recursive: true, mode: 0o700 });
  const file = join(made.folder, folder, 'config.json');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** A file with one profile, which is current. */
export function shop(baseUrl: string, key = canary): unknown {
  return { current: 'shop', profiles: { shop: { baseUrl, key } } };
}

/** Runs cb doctor in a home with this file of profiles. */
export function doctorWith(content: unknown, flags = '', options: Options = {}) {
  const made = home();
  write(made, content);
  return doctor(made, flags, options);
}

/** Runs cb doctor; `find` finds by the name of the check. */
export async function doctor({ cb }: Home, flags = '', options: Options = {}) {
  const { code, out, err } = await cb(`doctor -o json ${flags}`, options);
  expect(out + err).not.toContain('CANARY');
  const findings: { check: string; status: string; found: string; fix: string | null }[] =
    JSON.parse(out);
  return { code, find: (check: string) => findings.find((one) => one.check === check) };
}

/** A service that returns these roles for every key, at the time of the tests. */
export function answering(text: string, minutes = 0) {
  const date = new Date(now.getTime() + minutes * 60_000).toUTCString();
  return serve((reply) => reply.writeHead(200, { date, 'content-type': 'text/plain' }).end(text));
}
