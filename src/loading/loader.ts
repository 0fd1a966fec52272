/**
 * Loads the files of the built program for each other, in place of Node: with the code that V8 made of
 * them in an earlier run, where that was kept. It is a file of its own in dist/, and the first.
 */
import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { type CodePlace, type KeptCode, openCode, writeCode } from './code-cache.ts';

/** What a file asks for others with. */
type Require = (name: string) => unknown;

interface Loaded {
  readonly exports: object;
}

/** What holds from `recallCode` on. */
interface Recall {
  readonly place: CodePlace;
  readonly kept: KeptCode | undefined;
  /** Whatever was loaded since, by name. */
  readonly scripts: Map<string, Script>;
}

const day = 24 * 60 * 60 * 1000;

let recall: Recall | undefined;

/** Loads `./NAME` out of a folder that ends with a slash, and all else with `outside`, Node's own. */
export function loadFrom(folder: string, outside: Require): Require {
  // A file that asks for the loader gets the one that loaded it.
  const files = new Map<string, Loaded>([['./loader.js', { exports: { recallCode, keepCode } }]]);
  const load: Require = (name) => {
    const known = files.get(name);
    if (known) return known.exports;
    if (!name.startsWith('./')) return outside(name);
    const file: Loaded = { exports: {} };
    files.set(name, file);
    try {
      compile(folder, name.slice(2))(file.exports, load, file);
    } catch (error) {
      files.delete(name);
      throw error;
    }
    return file.exports;
  };
  return load;
}

/** The build writes each file as a function. */
function compile(folder: string, name: string) {
  const filename = folder + name;
  const cachedData = recall?.kept?.codeOf(name);
  const script = new Script(readFileSync(filename, 'utf8'), {
    filename,
    ...(cachedData && { cachedData }),
  });
  recall?.scripts.set(name, script);
  return script.runInThisContext();
}

/** What is loaded from now on is loaded with the code that was kept in a place. */
export function recallCode(place: CodePlace): void {
  recall = { place, kept: openCode(place), scripts: new Map() };
}

/**
 * Keeps what V8 has compiled until now, unless a run before this one loaded the same files: so each
 * kind of call adds what it uses, once. For a moment when nobody waits, before the flags of V8 change,
 * which are part of what it goes by.
 */
export function keepCode(): void {
  if (!recall) return;
  const { place, kept, scripts } = recall;
  recall = undefined;
  try {
    const set = nameOfSet([...scripts.keys()]);
    // Of another V8, or one with other flags; both may be in use, and are not to write in turns.
    const isForeign = [...scripts.values()].some(({ cachedDataRejected }) => cachedDataRejected);
    const isDone = kept && (isForeign ? Date.now() - kept.at < day : kept.sets.includes(set));
    const base = isForeign ? undefined : kept;
    const code = isDone ? undefined : codeOfAll(scripts, base);
    kept?.close();
    if (code) writeCode(place, [...(base?.sets ?? []), set], code);
  } catch {
    // The next run is as slow as this one, which is no reason to fail.
  }
}

/** Of the files that were loaded as they are now, of all others as it was kept. */
function codeOfAll(scripts: ReadonlyMap<string, Script>, kept: KeptCode | undefined) {
  const code = new Map<string, Buffer>();
  for (const name of kept?.names ?? []) {
    const known = scripts.has(name) ? undefined : kept?.codeOf(name);
    if (known) code.set(name, known);
  }
  for (const [name, script] of scripts) code.set(name, script.createCachedData());
  return code;
}

/** A short name for a set of files, which are named after their content. */
function nameOfSet(names: readonly string[]): string {
  let hash = 0x811c9dc5;
  for (const character of names.toSorted().join()) {
    hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  }
  return (hash >>> 0).toString(16);
}
