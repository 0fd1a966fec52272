/**
 * How far an export to a file has come, in a file beside the part that is written: where `--resume`
 * continues. It is replaced as a whole, so after a crash it is the last one or the one before.
 */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { parse } from 'lossless-json';
import { toJson } from '../../output/json-text.ts';
import type { Row, Value } from '../../output/rows.ts';
import { writeAtomic } from '../../storage/atomic-file.ts';
import { siblingPath } from '../../storage/path.ts';
import type { SeenRows } from '../../workflows/incremental-export/account-run.ts';
import { usage } from '../failure.ts';

/** What an export knows of its own progress. */
export interface Progress {
  /** SHA-256 of what was asked and how it is written. */
  readonly settings: string;
  /** Service and API key of each account. */
  readonly fingerprints: readonly string[];
  /** The day that words like `today` are counted from, and the service's day, on every run. */
  readonly day: string;
  readonly serviceDay: string;
  /** Days in a window, for each account; null for a period that is not cut by them. */
  readonly windowDays: readonly (number | null)[];
  /** Accounts that are done, and windows of the next one. */
  readonly account: number;
  readonly windows: number;
  /** The last window of the last account is done. */
  readonly isComplete: boolean;
  readonly rows: number;
  /** The first page that had rows: it decided the columns. */
  readonly first: readonly Row[] | null;
  /** What `--since-last` keeps of the rows written so far, for each account. */
  readonly seen: readonly SeenRows[];
}

export interface Checkpoint extends Progress {
  readonly version: 2;
  /** Bytes of the part that stand for the progress, and their SHA-256. */
  readonly bytes: number;
  readonly sha256: string;
  /** The part was whole and only had to get its name. */
  readonly isWhole: boolean;
}

/** Returns undefined if no file exists. Throws a usage failure if the file is damaged or has another version. */
export async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw usage(`Cannot read ${path} (${cause.code}).`, { cause });
  });
  if (text === undefined) return undefined;
  try {
    return parsed(text);
  } catch (cause) {
    throw usage(`${path} can't be used: ${(cause as Error).message}.`, {
      hint: 'Omit --resume to start over.',
      cause,
    });
  }
}

const firstMark = ',\n"first":';
const checksumMark = ',\n"checksum":';

/** The first page is a line of its own, since its numbers keep their digits; the checksum is the last one. */
function parsed(text: string): Checkpoint {
  if (/^\{"version":1\b/.test(text)) throw new Error('an older version of cb wrote it');
  const end = text.lastIndexOf(checksumMark);
  const body = text.slice(0, Math.max(0, end));
  if (text !== withChecksum(body)) throw new Error('it is damaged (wrong checksum)');
  const { first: _, checksum, ...others } = JSON.parse(text) as Checkpoint & { checksum: string };
  if (others.version !== 2) throw new Error(`it has the unknown version ${others.version}`);
  const first = body.slice(body.indexOf(firstMark) + firstMark.length);
  return { ...others, first: parse(first) as Row[] | null };
}

function withChecksum(body: string): string {
  const checksum = createHash('sha256').update(body).digest('hex');
  return `${body}${checksumMark}"${checksum}"\n}\n`;
}

export async function writeCheckpoint(path: string, state: Checkpoint): Promise<void> {
  const { first, ...others } = state;
  const head = JSON.stringify(others).slice(0, -1);
  const text = withChecksum(`${head}${firstMark}${toJson(first as Value)}`);
  await writeAtomic(path, text, { mode: 0o600, draft: draftOf(path) });
}

function draftOf(path: string): string {
  return siblingPath(path, '.next');
}

export async function removeCheckpoint(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(draftOf(path), { force: true });
}

/** Equal for exports that ask the same and write it the same way. */
export function hashOfSettings(settings: unknown): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex');
}
