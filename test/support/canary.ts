/** No key gets out: every key that a test gives to cb is looked for in all that cb writes. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Shorter ones could stand in a text by chance. */
const shortest = 7;

/** Given here or there in many tests; also looked for where no test says which keys it uses. */
export const canary = 'API-CANARY0123456789';

class LeakedKey extends Error {
  override readonly name = 'LeakedKey';
}

/** The keys of one home: those that were given to cb there, and those in its file of profiles. */
export interface Keys {
  /** What was typed, piped or set: its words that look like keys. */
  give(text: string | undefined): void;
  /** Throws a LeakedKey where one of them stands in a text. */
  refuse(text: string, where: string): void;
  /** The same for all files below a folder, but the file with the profiles. */
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
    if (found) throw new LeakedKey(`the key ${found} stands in ${where}`);
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

/** The one place that is for keys; what a killed process was about to make of it included. */
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

/** A test may have taken the folder away. */
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
