/**
 * How far an export to a file has come, in a file of its own beside the part that is written: what
 * `--resume` goes on from. Written whole and renamed, so it is either the last one or the one before.
 */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { parse } from 'lossless-json';
import { toJson } from '../../output/json-text.ts';
import type { Row, Value } from '../../output/rows.ts';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { siblingPath } from '../../storage/path.ts';
import { usage } from '../failure.ts';

export interface Checkpoint {
  readonly version: 1;
  /** SHA-256 of what was asked and how it is written. */
  readonly settings: string;
  /** The day that words like `today` are counted from, and the service's day, on every run. */
  readonly day: string;
  readonly serviceDay: string;
  /** Days in a window, for each account; null for a period that is not cut by them. */
  readonly windowDays: readonly (number | null)[];
  /** Accounts that are done, and windows of the next one. */
  readonly account: number;
  readonly windows: number;
  readonly rows: number;
  /** Bytes of the part that stand for them. */
  readonly bytes: number;
  /** The first page that had rows: it decided the columns. */
  readonly first: readonly Row[] | null;
  /** What `--since-last` keeps of the rows written so far, for each account. */
  readonly seen: readonly (readonly string[])[];
}

/** Undefined where there is none. Throws a usage failure for a file that is no checkpoint. */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw usage(`${path} can't be read (${cause.code})`, { cause });
  });
  if (text === undefined) return undefined;
  try {
    const { first, ...others } = JSON.parse(text) as Checkpoint;
    if (others.version !== 1) throw new Error(`version ${others.version}`);
    return { ...others, first: first && (parse(toText(text)) as Row[]) };
  } catch (cause) {
    throw usage(`${path} is not a checkpoint of cb: ${(cause as Error).message}`, {
      hint: 'leave --resume away to begin again',
      cause,
    });
  }
}

/** The first page is a line of its own, since its numbers keep their digits. */
function toText(text: string): string {
  return text.slice(text.indexOf('\n"first":') + '\n"first":'.length, text.lastIndexOf('\n'));
}

export async function writeCheckpoint(path: string, state: Checkpoint): Promise<void> {
  const { first, ...others } = state;
  const head = JSON.stringify(others).slice(0, -1);
  const text = `${head},\n"first":${toJson(first as Value)}\n}`;
  await writeAtomic(path, text, { mode: 0o600, draft: draftOf(path) });
}

function draftOf(path: string): string {
  return siblingPath(path, '.next');
}

export async function removeCheckpoint(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(draftOf(path), { force: true });
}

/** The same for what is the same to the service and in the file. */
export function fingerprint(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}
