/**
 * API keys on this machine: named profiles in one private file, each bound to its base URL.
 * A plain-text file that only its owner can read, like those of other service command lines; a key
 * may be in the keychain of the system instead, and then only where to find it is in the file.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError } from './errors.ts';
import { makePrivateFolder, type Owner, readPrivate } from './private-file.ts';

/** The key is in `key`, or in the keychain under the name that `keychain` is. */
export interface Profile {
  readonly baseUrl: string;
  readonly key?: string;
  readonly keychain?: string;
  /** Only those that were set. */
  readonly settings?: Settings;
}

/** As stored: a person may have written into the file. */
export type Settings = Readonly<Record<string, unknown>>;

/** What changes something reads the file anew and waits its turn, so that no process undoes another's. */
export interface Profiles {
  readonly file: string;
  names(): readonly string[];
  /** The name of the profile that is used when none is named. */
  current(): string | undefined;
  /** Throws an ApiError where what is stored by that name is no profile. */
  get(name: string): Profile | undefined;
  /**
   * The first profile saved becomes the current one; a new key leaves the settings as they are. Gives
   * what was stored before.
   */
  save(name: string, profile: Omit<Profile, 'settings'>): Promise<Profile | undefined>;
  /** Sets one setting, or with undefined forgets it; of a profile that is there. */
  adjust(name: string, setting: string, value: unknown): Promise<void>;
  use(name: string): Promise<void>;
  /** Gives what was forgotten; undefined when there is none of that name. */
  remove(name: string): Promise<Profile | undefined>;
}

export interface Place extends Owner {
  readonly folder: string;
  /** Keeps other processes out until what it resolves to is called. */
  lock(path: string): Promise<() => Promise<void>>;
}

interface Stored {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, unknown>>;
}

/** Reads the profiles in a folder; no file is written before something is changed. */
export function openProfiles(place: Place): Profiles {
  const file = join(place.folder, 'config.json');
  let stored = read(file, place);
  const change = async (alter: Alteration) => {
    const [before, after] = await changeInTurn(file, place, alter);
    stored = after;
    return before;
  };
  return {
    file,
    names: () => Object.keys(stored.profiles).sort(),
    current: () => stored.current,
    get: (name) => profileIn(file, stored, name),
    save: async (name, profile) =>
      recordIn(await change((before) => saved(before, name, profile)), name),
    adjust: async (name, setting, value) => {
      await change((before) => adjusted(before, name, setting, value));
    },
    use: async (name) => {
      await change((before) => ({ ...before, current: name }));
    },
    remove: async (name) => recordIn(await change((before) => without(before, name)), name),
  };
}

type Alteration = (before: Stored) => Stored;

/** What was in the file, and what is in it now. */
async function changeInTurn(
  file: string,
  place: Place,
  alter: Alteration,
): Promise<readonly [before: Stored, after: Stored]> {
  makePrivateFolder(place.folder, place);
  const unlock = await place.lock(file);
  try {
    const before = read(file, place);
    const after = alter(before);
    await write(place.folder, after);
    return [before, after];
  } finally {
    await unlock();
  }
}

function saved(before: Stored, name: string, profile: Omit<Profile, 'settings'>): Stored {
  const known = own(before.profiles, name);
  const settings = isRecord(known) && known.settings !== undefined && { settings: known.settings };
  return {
    current: before.current ?? name,
    profiles: { ...before.profiles, [name]: { ...profile, ...settings } },
  };
}

function adjusted(before: Stored, name: string, setting: string, value: unknown): Stored {
  const profile = own(before.profiles, name);
  if (!isRecord(profile)) return before;
  const { [setting]: _, ...others } = isRecord(profile.settings) ? profile.settings : {};
  const settings = value === undefined ? others : { ...others, [setting]: value };
  return { ...before, profiles: { ...before.profiles, [name]: { ...profile, settings } } };
}

function without({ current, profiles }: Stored, name: string): Stored {
  const { [name]: _, ...others } = profiles;
  const stays = current !== undefined && current !== name;
  return { ...(stays && { current }), profiles: others };
}

/** A damaged file is reported, never replaced: it may hold the only copy of a key. */
function read(file: string, owner: Owner): Stored {
  const text = readPrivate(file, owner);
  if (text === undefined) return { profiles: {} };
  const json = parsed(text);
  if (!isRecord(json) || !isRecord(json.profiles ?? {})) throw damaged(file);
  const { current, profiles = {} } = json;
  return {
    profiles: profiles as Stored['profiles'],
    ...(typeof current === 'string' && { current }),
  };
}

/** Undefined for what is no JSON: the error itself would quote the text, and with it a key. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function damaged(file: string): ApiError {
  return new ApiError('key', `the file with the profiles can't be read: ${file} is damaged`, {
    hint: 'mend its JSON, or move it away and run `cb login` again',
  });
}

function profileIn(file: string, { profiles }: Stored, name: string): Profile | undefined {
  const found = own(profiles, name);
  if (found === undefined) return undefined;
  if (isRecord(found) && typeof found.baseUrl === 'string') {
    const { key, keychain } = found;
    if (typeof (keychain ?? key) === 'string') return found as unknown as Profile;
  }
  throw new ApiError('key', `profile '${name}' in ${file} has no base URL or no key`, {
    hint: `store it again with \`cb login --profile ${name}\``,
  });
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
    const { code } = cause as NodeJS.ErrnoException;
    throw new ApiError(
      'key',
      `${folder}/config.json can't be written (${code ?? 'unknown reason'})`,
      {
        hint: 'what was stored before is as it was',
      },
    );
  }
}

/** What a process that was killed in the middle left behind holds keys too. */
function clearCutWrites(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^config\.json\.tmp-/.test(name)) rmSync(join(folder, name), { force: true });
  }
}

/** Whatever an object of that name holds: a person may have written it. */
function recordIn({ profiles }: Stored, name: string): Profile | undefined {
  const found = own(profiles, name);
  return isRecord(found) ? (found as unknown as Profile) : undefined;
}

function own(profiles: Stored['profiles'], name: string): unknown {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
