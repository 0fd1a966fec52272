/**
 * API keys on this machine: named profiles in one private file, each bound to its base URL.
 * A plain-text file that only its owner can read, like those of other service command lines; a key
 * may be in the keychain of the system instead, and then only where to find it is in the file.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../client/errors.ts';
import { codeOf } from '../storage/error-code.ts';
import { makePrivateFolder, type Owner, readPrivate } from './private-file.ts';

/** The key is in `key`, or in the keychain under the name that `keychain` is. */
export interface Profile {
  readonly baseUrl: string;
  readonly key?: string;
  readonly keychain?: string;
  /** Only those that were set. */
  readonly settings?: Settings;
}

/** An object as it was read from the file: a person may have written it. */
export type Untrusted = Readonly<Record<string, unknown>>;
export type Settings = Untrusted;

/** What changes something reads the file anew and waits its turn, so that no process undoes another's. */
export interface Profiles {
  readonly file: string;
  names(): readonly string[];
  /** The name of the profile that is used when none is named. */
  current(): string | undefined;
  /** Throws an ApiError where what is stored by that name is no profile. */
  get(name: string): Profile | undefined;
  /**
   * The first profile saved becomes the current one; a new key leaves the settings as they are. Returns
   * what was stored before.
   */
  save(name: string, profile: Omit<Profile, 'settings'>): Promise<Untrusted | undefined>;
  /** Sets one setting of an existing profile, or with undefined forgets it. */
  adjust(name: string, setting: string, value: unknown): Promise<void>;
  use(name: string): Promise<void>;
  /** Returns what was removed; undefined if there is no such profile. */
  remove(name: string): Promise<Untrusted | undefined>;
  /** The command line that an alias stands for; undefined if there is no such alias. */
  alias(name: string): string | undefined;
  aliasNames(): readonly string[];
  /** Stores what an alias stands for; with undefined, deletes the alias. */
  setAlias(name: string, line: string | undefined): Promise<void>;
}

export interface Place extends Owner {
  readonly folder: string;
  /** Keeps other processes out until what it resolves to is called. */
  lock(path: string): Promise<() => Promise<void>>;
}

interface Stored {
  readonly current?: string;
  readonly profiles: Untrusted;
  /** Command lines by the name that stands for each. */
  readonly aliases?: Untrusted;
}

/** Reads the profiles in a folder; no file is written before something is changed. */
export function openProfiles(place: Place): Profiles {
  const file = join(place.folder, 'config.json');
  let stored = read(file, place);
  /** Returns the profile as it was. */
  const change = async (name: string, alter: (before: Stored) => Stored) => {
    makePrivateFolder(place.folder, place);
    const unlock = await place.lock(file);
    try {
      const before = read(file, place);
      const after = alter(before);
      await write(place.folder, after);
      stored = after;
      return recordIn(before.profiles, name);
    } finally {
      await unlock();
    }
  };
  return {
    file,
    names: () => Object.keys(stored.profiles).sort(),
    current: () => stored.current,
    get: (name) => profileIn(file, stored, name),
    save: (name, profile) => change(name, (before) => saved(before, name, profile)),
    adjust: async (name, setting, value) => {
      await change(name, (before) => adjusted(before, name, setting, value));
    },
    use: async (name) => {
      await change(name, (before) => ({ ...before, current: name }));
    },
    remove: (name) => change(name, (before) => without(before, name)),
    alias: (name) => aliasIn(stored, name),
    aliasNames: () => {
      const names = Object.keys(stored.aliases ?? {}).sort();
      return names.filter((name) => aliasIn(stored, name) !== undefined);
    },
    setAlias: async (name, line) => {
      await change(name, (before) => withAlias(before, name, line));
    },
  };
}

function aliasIn({ aliases = {} }: Stored, name: string): string | undefined {
  const line = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  return typeof line === 'string' ? line : undefined;
}

function withAlias(before: Stored, name: string, line: string | undefined): Stored {
  const { [name]: _, ...others } = before.aliases ?? {};
  return { ...before, aliases: line === undefined ? others : { ...others, [name]: line } };
}

function saved(before: Stored, name: string, profile: Profile): Stored {
  const { current, profiles } = before;
  const settings = recordIn(profiles, name)?.settings;
  const kept = settings === undefined ? profile : { ...profile, settings };
  return { ...before, current: current ?? name, profiles: { ...profiles, [name]: kept } };
}

function adjusted(before: Stored, name: string, setting: string, value: unknown): Stored {
  const profile = recordIn(before.profiles, name);
  if (!profile) return before;
  const { [setting]: _, ...others } = recordIn(profile, 'settings') ?? {};
  const settings = value === undefined ? others : { ...others, [setting]: value };
  return { ...before, profiles: { ...before.profiles, [name]: { ...profile, settings } } };
}

function without({ current, profiles, ...rest }: Stored, name: string): Stored {
  const { [name]: _, ...others } = profiles;
  const stays = current !== undefined && current !== name;
  return { ...rest, ...(stays && { current }), profiles: others };
}

/** A damaged file is reported, never replaced: it may hold the only copy of a key. */
function read(file: string, owner: Owner): Stored {
  const text = readPrivate(file, owner);
  if (text === undefined) return { profiles: {} };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The error itself would quote the text, and with it a key.
  }
  const { current, profiles = {}, aliases } = isRecord(json) ? json : { profiles: null };
  if (isRecord(profiles)) {
    return {
      profiles,
      ...(typeof current === 'string' && { current }),
      ...(isRecord(aliases) && { aliases }),
    };
  }
  throw new ApiError('key', `the file with the profiles can't be read: ${file} is damaged`, {
    hint: 'mend its JSON, or move it away and run `cb login` again',
  });
}

function profileIn(file: string, { profiles }: Stored, name: string): Profile | undefined {
  if (!Object.hasOwn(profiles, name)) return undefined;
  const found = recordIn(profiles, name);
  if (isProfile(found)) return found;
  throw new ApiError('key', `profile '${name}' in ${file} has no base URL or no key`, {
    hint: `store it again with \`cb login --profile ${name}\``,
  });
}

export function isProfile(found: unknown): found is Profile {
  if (!isRecord(found)) return false;
  return typeof found.baseUrl === 'string' && typeof (found.keychain ?? found.key) === 'string';
}

/** Whole or not at all, through a file of its own beside it. */
async function write(folder: string, stored: Stored): Promise<void> {
  clearCutWrites(folder);
  try {
    const { default: Conf } = await import('conf');
    const conf = new Conf<Record<string, unknown>>({
      projectName: 'clickbank-cli',
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
    });
    conf.store = { ...stored };
  } catch (cause) {
    const code = codeOf(cause);
    const why = `${folder}/config.json can't be written (${code ?? 'unknown reason'})`;
    throw new ApiError('key', why, { hint: 'what was stored before is as it was' });
  }
}

/** What a process that was killed in the middle left behind holds keys too. */
function clearCutWrites(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^config\.json\.tmp-/.test(name)) rmSync(join(folder, name), { force: true });
  }
}

function recordIn(record: Untrusted, name: string): Untrusted | undefined {
  const found = Object.hasOwn(record, name) ? record[name] : undefined;
  return isRecord(found) ? found : undefined;
}

export function isRecord(value: unknown): value is Untrusted {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
