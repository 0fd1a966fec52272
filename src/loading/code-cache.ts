/**
 * What V8 made of the program's files, kept between runs in one file of the user's own. It is run as it
 * stands, so it is used only where nobody but the user can have written it, and only as it was written.
 * No fault is ever told: the program runs without.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

export interface CodePlace {
  /** Holds nothing else; made when it is missing. */
  readonly folder: string;
  /** What the code was made by and for, such as v20.18.0-x64. */
  readonly runtime: string;
  /** The user's number; undefined where files have no owners, as on Windows. */
  readonly user: number | undefined;
}

export interface KeptCode {
  /** A name for each set of files whose code was added to it. */
  readonly sets: readonly string[];
  /** All files that it has code of. */
  readonly names: readonly string[];
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  /** Undefined for a file that it has no code of, or none that is whole. */
  codeOf(name: string): Buffer | undefined;
  close(): void;
}

/** The texts that the code was made of, in short: the build writes it in. */
declare const CB_BUILD: string | undefined;
const build = typeof CB_BUILD === 'string' ? CB_BUILD : 'source';

/**
 * The first line of the file, as JSON. The code of its files comes after it, in their order, each twice:
 * V8 does not look whether code is whole, and ends the process for what is not. To compare takes a tenth
 * of the time of loading what makes a sum.
 */
interface Head {
  readonly sets: readonly string[];
  readonly files: readonly (readonly [name: string, size: number])[];
}

const ending = '.code';
/** In bytes, some times what the build has files for. */
const largestHead = 64 * 1024;
/** Files of other builds, and of other versions of Node, that stay beside the newest. */
const spared = 3;

/** Undefined where there is none that can be trusted. */
export function openCode(place: CodePlace): KeptCode | undefined {
  let opened: number | undefined;
  try {
    if (!isOwn(lstatSync(place.folder), place)) return undefined;
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    opened = openSync(fileOf(place), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(opened);
    if (!stats.isFile() || !isOwn(stats, place)) throw new Error("not the user's own");
    return read(opened, stats.mtimeMs);
  } catch {
    if (opened !== undefined) closeSync(opened);
    return undefined;
  }
}

/** The user's, and writable for nobody else. */
function isOwn(stats: Stats, { user }: CodePlace): boolean {
  if (stats.isSymbolicLink()) return false;
  return user === undefined || (stats.uid === user && (stats.mode & 0o022) === 0);
}

function read(opened: number, at: number): KeptCode {
  const start = bytesAt(opened, 0, largestHead);
  const headSize = start.indexOf('\n') + 1;
  const { sets, files } = JSON.parse(start.toString('latin1', 0, headSize)) as Head;
  const parts = new Map<string, { from: number; size: number }>();
  let from = headSize;
  for (const [name, size] of files) {
    parts.set(name, { from, size });
    from += 2 * size;
  }
  return {
    sets,
    names: [...parts.keys()],
    at,
    codeOf(name) {
      const part = parts.get(name);
      if (!part) return undefined;
      const twice = bytesAt(opened, part.from, 2 * part.size);
      const code = twice.subarray(0, part.size);
      return code.equals(twice.subarray(part.size)) ? code : undefined;
    },
    close: () => closeSync(opened),
  };
}

/** Fewer where the file ends. */
function bytesAt(opened: number, from: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size);
  return bytes.subarray(0, readSync(opened, bytes, 0, size, from));
}

/** Whole or not at all. Throws where the place is not the user's own, or nothing can be written there. */
export function writeCode(
  place: CodePlace,
  sets: readonly string[],
  code: ReadonlyMap<string, Buffer>,
): void {
  const files = [...code].map(([name, bytes]) => [name, bytes.length] as const);
  const head = Buffer.from(`${JSON.stringify({ sets, files } satisfies Head)}\n`, 'latin1');
  if (head.length > largestHead) throw new Error('too many kinds of calls');
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  if (!isOwn(lstatSync(place.folder), place)) throw new Error("not the user's own");
  replace(
    fileOf(place),
    Buffer.concat([head, ...[...code.values()].flatMap((bytes) => [bytes, bytes])]),
  );
  removeOld(place);
}

/** Processes that write at once each write a file of their own, and the last one stays. */
function replace(file: string, bytes: Buffer): void {
  const part = `${file}.${Math.random().toString(36).slice(2)}`;
  try {
    writeFileSync(part, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function fileOf({ folder, runtime }: CodePlace): string {
  return join(folder, `${build}-${runtime}${ending}`);
}

/** Also what processes left behind that were stopped while they wrote. */
function removeOld(place: CodePlace): void {
  const written = fileOf(place);
  const others = readdirSync(place.folder)
    .map((name) => join(place.folder, name))
    .filter((file) => file !== written)
    .map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.at - one.at);
  for (const { file } of others.slice(spared)) rmSync(file, { force: true, recursive: true });
}
