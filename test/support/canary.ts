/** Searches everything that cb writes for the keys that a test uses. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Shorter keys could occur in a text by chance. */
const shortest = 7;

/** The key of many tests, which is always searched for. */
export const canary = 'API-CANARY0123456789';

class LeakedKey extends Error {
  override readonly name = 'LeakedKey';
}

export type Keys = ReturnType<typeof watchKeys>;

/** The keys of one home: those passed to cb there, and those in its file of profiles. */
export function watchKeys() {
  const keys = new Set([canary]);
  /** Adds all words that look like keys from typed, piped, or environment text. */
  const give = (text = '') => {
    const words = text.match(/(?:API|DEV)-[\w:-]+/g) ?? [];
    for (const word of words) if (word.length >= shortest) keys.add(word);
  };
  /** Throws a LeakedKey if a text contains one of the keys. */
  const refuse = (text: string, where: string) => {
    const found = [...keys].find((key) => text.includes(key));
    if (found) throw new LeakedKey(`The key ${found} is in ${where}.`);
  };
  return {
    give,
    refuse,
    /** Checks all files below a folder, except the file of profiles. */
    refuseBelow(folder: string) {
      const files = filesBelow(folder);
      // The file of profiles, and drafts of it left by a killed process.
      const isProfiles = (file: string) => /^config\.json(\.tmp-\w+)?$/.test(basename(file));
      const textOf = (file: string) => orIfRemoved('', () => readFileSync(file, 'latin1'));
      for (const file of files.filter(isProfiles)) give(textOf(file));
      for (const file of files) if (!isProfiles(file)) refuse(textOf(file), file);
    },
  };
}

function filesBelow(folder: string): string[] {
  const entries = orIfRemoved([], () => readdirSync(folder, { withFileTypes: true }));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** The test may have removed a file or folder, or made it unreadable. */
function orIfRemoved<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
