/** Reads the file of profiles, also a damaged one that other commands reject. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseUrlFrom } from '../../client/http/origin.ts';
import { isProfile, isRecord, type Profile } from '../../profiles/credentials.ts';
import { codeOf } from '../../storage/error-code.ts';
import type { Context } from '../runtime/context.ts';
import { failureFrom } from '../runtime/failure.ts';
import { configFolder } from '../runtime/folders.ts';

export interface StoredProfile {
  readonly name: string;
  /** Undefined without a base URL or a key. */
  readonly profile: Profile | undefined;
}

/** `problem` is a clause that says why the file can't be read, without quoting it. */
export interface Stored {
  readonly folder: string;
  readonly file: string;
  readonly problem?: string;
  readonly current?: unknown;
  readonly profiles: readonly StoredProfile[];
}

/** Never throws or writes. */
export function readStored(context: Context): Stored {
  const folder = configFolder(context);
  const empty = { folder, file: join(folder, 'config.json'), profiles: [] };
  try {
    const json: unknown = JSON.parse(readFileSync(empty.file, 'utf8'));
    const { current, profiles = {} } = isRecord(json) ? json : { profiles: null };
    if (!isRecord(profiles)) return { ...empty, problem: "it has no 'profiles' object" };
    const stored = Object.entries(profiles).map(([name, value]) => {
      return { name, profile: isProfile(value) ? value : undefined };
    });
    return { ...empty, current, profiles: stored };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return empty;
    return { ...empty, problem: problemOf(error, code) };
  }
}

function problemOf(error: unknown, code: string | undefined): string {
  if (!(error instanceof SyntaxError)) return `it can't be read (${code ?? 'unknown reason'})`;
  const at = /line \d+ column \d+/.exec(error.message)?.[0];
  return at ? `it is not valid JSON at ${at}` : 'it is not valid JSON';
}

/** A normalized base URL, or the problem without quoting the text, which may be a key pasted by mistake. */
export function serviceAt(text: string): { readonly url?: string; readonly problem?: string } {
  try {
    return { url: baseUrlFrom(text) };
  } catch (error) {
    const { message } = failureFrom(error);
    return { problem: text === '' ? message : message.replaceAll(text, '…') };
  }
}
