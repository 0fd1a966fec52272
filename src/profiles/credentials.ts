/**
 * Stores API keys on this machine: named profiles in one private file, each bound to its base URL.
 * The file is plain text that only its owner can read, as with other service command lines; a key
 * may be in the system keychain instead, and the file then contains only the name of the keychain entry.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from '../client/errors.ts';
import { shownCode } from '../storage/files.ts';
import { jsonIn, type Owner, type Place, whileLocked } from './private-file.ts';

/** The key is in `key`, in the keychain entry named by `keychain`, or what the words of `keyCommand` print. */
export interface Profile {
  readonly baseUrl: string;
  readonly key?: string;
  readonly keychain?: string;
  readonly keyCommand?: readonly string[];
  /** Contains only settings that were set. */
  readonly settings?: Settings;
}

/** An object read from the file, which a person may have edited. */
export type Untrusted = Readonly<Record<string, unknown>>;
export type Settings = Untrusted;

interface Stored {
  readonly current?: string;
  readonly profiles: Untrusted;
  /** The settings of the sandbox, which is built in and not among the profiles. */
  readonly sandbox?: Untrusted;
  /** Command lines by the name that stands for each. */
  readonly aliases?: Untrusted;
}

/** The built-in profile, optionally followed by a colon and the name of one of its keys. */
export const builtIn = /^sandbox(?::(.+))?$/;

export function isBuiltIn(profile: string): boolean {
  return builtIn.test(profile);
}

/** What a shell neither splits nor interprets. */
export const plainName = /^[A-Za-z0-9][\w.-]{0,63}$/;

export type Profiles = ReturnType<typeof openProfiles>;

/**
 * Reads the profiles in a folder. Writes no file until a profile is changed. Changes lock the file and read it again
 * first, so that concurrent changes are kept; they return the previous profile.
 */
export function openProfiles(place: Place) {
  const file = join(place.folder, 'config.json');
  let stored = read(file, place);
  const change = (name: string, alter: (before: Stored) => Stored) =>
    whileLocked(place, file, async () => {
      const before = read(file, place);
      const after = alter(before);
      await write(place.folder, after);
      stored = after;
      return recordIn(before.profiles, name);
    });
  return {
    file,
    names: (): readonly string[] => Object.keys(stored.profiles).sort(),
    current: () => stored.current,
    /** Throws an ApiError if the stored profile is invalid. */
    get: (name: string) => profileIn(file, stored, name),
    /** The settings of a profile or of the sandbox that were set. */
    settingsOf: (name: string): Settings =>
      isBuiltIn(name) ? (stored.sandbox ?? {}) : (profileIn(file, stored, name)?.settings ?? {}),
    /** The first profile saved becomes the current one; a new key keeps the settings. */
    save: (name: string, profile: Omit<Profile, 'settings'>) =>
      change(name, (before) => saved(before, name, profile)),
    /** Sets one setting of an existing profile or of the sandbox; undefined removes it. */
    adjust: (name: string, setting: string, value: unknown) =>
      change(name, (before) => adjusted(before, name, setting, value)),
    use: (name: string) => change(name, (before) => ({ ...before, current: name })),
    remove: (name: string) => change(name, (before) => without(before, name)),
    /** The command lines that aliases stand for, in the order of their names. */
    aliases: () =>
      new Map(
        Object.entries(stored.aliases ?? {})
          .filter(isText)
          .sort(),
      ),
    /** Stores what an alias stands for; with undefined, deletes the alias. */
    setAlias: (name: string, line: string | undefined) =>
      change(name, (before) => ({ ...before, aliases: changed(before.aliases, name, line) })),
  };
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

/** The record with a value under a name, or without the name for undefined. */
function changed(record: Untrusted | undefined, name: string, value: unknown): Untrusted {
  const { [name]: _, ...others } = record ?? {};
  return value === undefined ? others : { ...others, [name]: value };
}

function saved(before: Stored, name: string, profile: Profile): Stored {
  const { current, profiles } = before;
  const settings = recordIn(profiles, name)?.settings;
  const kept = settings === undefined ? profile : { ...profile, settings };
  return { ...before, current: current ?? name, profiles: { ...profiles, [name]: kept } };
}

function adjusted(before: Stored, name: string, setting: string, value: unknown): Stored {
  if (isBuiltIn(name)) return { ...before, sandbox: changed(before.sandbox, setting, value) };
  const profile = recordIn(before.profiles, name);
  if (!profile) return before;
  const settings = changed(recordIn(profile, 'settings'), setting, value);
  return { ...before, profiles: { ...before.profiles, [name]: { ...profile, settings } } };
}

function without({ current, profiles, ...rest }: Stored, name: string): Stored {
  const stays = current !== undefined && current !== name;
  return { ...rest, ...(stays && { current }), profiles: changed(profiles, name, undefined) };
}

/** A damaged file is reported, never replaced: it may hold the only copy of a key. */
function read(file: string, owner: Owner): Stored {
  const json = jsonIn(file, owner, {});
  const { current, profiles = {}, aliases, sandbox } = isRecord(json) ? json : { profiles: null };
  if (isRecord(profiles)) {
    return {
      profiles,
      ...(typeof current === 'string' && { current }),
      ...(isRecord(aliases) && { aliases }),
      ...(isRecord(sandbox) && { sandbox }),
    };
  }
  throw new ApiError('key', `The profiles can't be read: ${file} is not valid JSON.`, {
    hint: 'Fix the JSON, or move the file away and run `cb login` again.',
  });
}

function profileIn(file: string, { profiles }: Stored, name: string): Profile | undefined {
  if (!Object.hasOwn(profiles, name)) return undefined;
  const found = recordIn(profiles, name);
  if (isProfile(found)) return found;
  throw new ApiError('key', `Profile '${name}' in ${file} has no base URL or no key.`, {
    hint: `Store it again with \`cb login --profile ${name}\`.`,
  });
}

export function isProfile(found: unknown): found is Profile {
  if (!isRecord(found)) return false;
  const { baseUrl, keychain, key, keyCommand } = found;
  const isCommand =
    Array.isArray(keyCommand) &&
    keyCommand.every((word) => typeof word === 'string') &&
    !!keyCommand[0];
  return typeof baseUrl === 'string' && (isCommand || typeof (keychain ?? key) === 'string');
}

async function write(folder: string, stored: Stored): Promise<void> {
  removeDrafts(folder);
  try {
    const { default: Conf } = await import('conf');
    const conf = new Conf<Record<string, unknown>>({
      projectName: 'clickbank-cli',
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
      // The file was read before, and is replaced as a whole.
      deserialize: () => ({}),
    });
    conf.store = { ...stored };
  } catch (cause) {
    const why = `${folder}/config.json can't be written (${shownCode(cause)}).`;
    throw new ApiError('key', why, { hint: 'The stored profiles are unchanged.' });
  }
}

/** Removes drafts of killed processes, which contain keys. */
function removeDrafts(folder: string): void {
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
