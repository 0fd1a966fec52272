/** The log of all calls: one JSON object a line, in a private file that is replaced when it is large. */
import { appendFile, chmod, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../storage/files.ts';
import { acquireLock } from '../../storage/lock.ts';
import type { Processes } from '../../storage/lock-owner.ts';

/** Two files of at most this many bytes, apart from the last entry, are kept. */
const largestFile = 4 * 1024 * 1024;

/** Longer texts in an entry are cut. */
const longestText = 2000;

/** Of a longer entry, the arguments are left out: an agent can send any number of them. */
const longestEntry = 64 * 1024;

interface LogPlace {
  readonly folder: string;
  readonly processes: Processes;
  now(): Date;
  redact(text: string): string;
}

type Entry = Readonly<Record<string, unknown>>;

/** Opens the log of one session; `facts` are in each of its entries. A new file is begun after `largest` bytes. */
export function openCallLog(place: LogPlace, facts: Entry, largest = largestFile) {
  const { folder, now, redact, processes } = place;
  const [older, file] = filesIn(folder);
  const isFull = async () => ((await stat(file).catch(() => undefined))?.size ?? 0) >= largest;
  return {
    /** Appends an entry. Throws file system errors. */
    async add(entry: Entry) {
      makeFolder(folder);
      if (await isFull()) {
        // The lock keeps two processes from replacing the older file twice.
        const lock = await acquireLock(file, { processes, command: 'mcp', patience: 5000 });
        try {
          if (await isFull()) {
            await rename(file, older);
            await chmod(older, 0o600);
          }
        } finally {
          lock.release();
        }
      }
      const line = lineOf({ time: now().toISOString(), ...facts, ...entry });
      // One write, so that the lines of several processes do not mix.
      await appendFile(file, `${redact(line)}\n`, { mode: 0o600 });
    },
  };
}

/** The entries, the oldest first. A line that is cut short is left out. */
export async function readCallLog(folder: string): Promise<Entry[]> {
  const reads = filesIn(folder).map((file) =>
    readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return '';
    }),
  );
  const lines = (await Promise.all(reads)).flatMap((text) => text.split('\n'));
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry];
    } catch {
      return [];
    }
  });
}

function filesIn(folder: string): readonly [older: string, current: string] {
  return [join(folder, 'calls.1.ndjson'), join(folder, 'calls.ndjson')];
}

function lineOf(entry: Entry): string {
  const shortened = (_: string, value: unknown) =>
    typeof value === 'string' && value.length > longestText
      ? `${value.slice(0, longestText)}…`
      : value;
  const line = JSON.stringify(entry, shortened);
  if (line.length <= longestEntry) return line;
  return JSON.stringify({ ...entry, arguments: '(too long for the log)' }, shortened);
}
