/** Searches everything that cb writes for the keys that a test uses. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Shorter keys could occur in a text by chance. */
const shortest = 7;

/** The key of many tests, which is always searched for. */
export const canary = 'API-CANARY0123456789';

class LeakedKey extends Error {
  override readonly name = 'LeakedKey';
}

/** The keys of one home: those passed to cb there, and those in its file of profiles. */
export interface Keys {
  /** Adds all words that look like keys from typed, piped, or environment text. */
  give(text: string | undefined): void;
  /** Throws a LeakedKey if a text contains one of the keys. */
  refuse(text: string, where: string): void;
  /** Checks all files below a folder, except the file of profiles. */
  refuseBelow(folder: string): void;
}

export function watchKeys(): Keys {
  const keys = new Set([canary]);
  const give = (text: string | undefined) => {
    const words = (text ?? '').match(/(?:API|DEV)-[\w:-]+/g) ?? [];
    for (const word of words) if (word.length >= shortest) keys.add(word);
  };
  const refuse = (text: string, where: string) => {
    const found = [...keys].find((key) => text.includes(key));
    if (found) throw new LeakedKey(`The key ${found} is in ${where}.`);
  };
  return {
    give,
    refuse,
    refuseBelow(folder) {
      const files = [...filesBelow(folder)];
      for (const file of files.filter(isProfiles)) give(textOf(file));
      for (const file of files) if (!isProfiles(file)) refuse(textOf(file), file);
    },
  };
}

/** Whether a file is that of the profiles, or a draft of it left by a killed process. */
function isProfiles(file: string): boolean {
  return /^config\.json(\.tmp-\w+)?$/.test(basename(file));
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Returns nothing if the test has removed the folder. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
