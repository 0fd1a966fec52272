/** The file with the profiles as it lies there, read without the code that would refuse it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { configFolder } from '../folders.ts';
import { type Service, serviceAt } from './forms.ts';

/** A profile as somebody may have written it. */
export interface StoredProfile {
  readonly name: string;
  /** Missing where no base URL is stored. */
  readonly service?: Service;
  readonly key: unknown;
  /** The name under which the keychain has the key instead. */
  readonly keychain: unknown;
  readonly settings: unknown;
}

/** `problem` tells why nothing could be read, never with a piece of the file. */
export interface Stored {
  readonly folder: string;
  readonly file: string;
  readonly state: 'missing' | 'faulty' | 'read';
  readonly problem?: string;
  readonly current?: unknown;
  readonly profiles: readonly StoredProfile[];
}

/** Reads the file and makes nothing; never throws. */
export async function readStored(context: Context): Promise<Stored> {
  const folder = configFolder(context);
  const place = { folder, file: join(folder, 'config.json'), profiles: [] };
  try {
    return { ...place, ...(await contentOf(JSON.parse(readFileSync(place.file, 'utf8')))) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ...place, state: 'missing' };
    return { ...place, state: 'faulty', problem: problemOf(error, code) };
  }
}

function problemOf(error: unknown, code: string | undefined): string {
  if (!(error instanceof SyntaxError)) return `it can't be read (${code ?? 'unknown reason'})`;
  const at = /line \d+ column \d+/.exec(error.message)?.[0];
  return at ? `it is not JSON, from ${at} on` : 'it is not JSON';
}

type Content = Pick<Stored, 'state' | 'problem' | 'current' | 'profiles'>;

async function contentOf(json: unknown): Promise<Content> {
  const { current, profiles = {} } = isRecord(json) ? json : { profiles: null };
  if (!isRecord(profiles)) {
    return { state: 'faulty', problem: 'it holds no object with profiles', profiles: [] };
  }
  const named = Object.entries(profiles).map(([name, profile]) => profileOf(name, profile));
  return { state: 'read', current, profiles: await Promise.all(named) };
}

async function profileOf(name: string, profile: unknown): Promise<StoredProfile> {
  const { baseUrl, key, keychain, settings } = isRecord(profile) ? profile : {};
  const service = typeof baseUrl === 'string' ? { service: await serviceAt(baseUrl) } : {};
  return { name, ...service, key, keychain, settings };
}

/** An object with names, as JSON has them. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
