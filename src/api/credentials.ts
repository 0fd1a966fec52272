/**
 * API keys on this machine: named profiles in one private file, each bound to its base URL.
 * A plain-text file that only its owner can read, like those of other service command lines.
 */
import { chmodSync, mkdirSync } from 'node:fs';
import Conf from 'conf';
import { ApiError } from './errors.ts';

export interface Profile {
  readonly baseUrl: string;
  readonly key: string;
  /** Only those that were set. */
  readonly settings?: Settings;
}

/** As stored: a person may have written into the file. */
export type Settings = Readonly<Record<string, unknown>>;

export interface Profiles {
  readonly file: string;
  names(): readonly string[];
  /** The name of the profile that is used when none is named. */
  current(): string | undefined;
  get(name: string): Profile | undefined;
  /** The first profile saved becomes the current one; a new key leaves the settings as they are. */
  save(name: string, profile: Omit<Profile, 'settings'>): void;
  /** Sets one setting, or with undefined forgets it; of a profile that is there. */
  adjust(name: string, setting: string, value: unknown): void;
  use(name: string): void;
  /** False when there is none of that name. */
  remove(name: string): boolean;
}

interface Stored {
  current?: string;
  profiles?: Record<string, Profile>;
}

/** Opens the profiles in a folder; no file is written before something is saved. */
export function openProfiles(folder: string): Profiles {
  const conf = openFile(folder);
  const profiles = () => conf.get('profiles') ?? {};
  const get = (name: string) => (Object.hasOwn(profiles(), name) ? profiles()[name] : undefined);
  const write = (change: Stored) => {
    chmodSync(folder, 0o700);
    conf.store = { ...conf.store, ...change };
  };
  return {
    file: conf.path,
    names: () => Object.keys(profiles()).sort(),
    current: () => conf.get('current'),
    get,
    save: (name, profile) =>
      write({
        profiles: { ...profiles(), [name]: { ...get(name), ...profile } },
        current: conf.get('current') ?? name,
      }),
    adjust: (name, setting, value) => {
      const profile = get(name);
      if (!profile) return;
      const { [setting]: _, ...others } = profile.settings ?? {};
      const settings = value === undefined ? others : { ...others, [setting]: value };
      write({ profiles: { ...profiles(), [name]: { ...profile, settings } } });
    },
    use: (name) => write({ current: name }),
    remove: (name) => {
      const { [name]: removed, ...others } = profiles();
      if (!removed) return false;
      const current = conf.get('current');
      conf.store = {
        profiles: others,
        ...(current !== undefined && current !== name ? { current } : {}),
      };
      return true;
    },
  };
}

/** A damaged file is reported, never replaced: it may hold the only copy of a key. */
function openFile(folder: string): Conf<Stored> {
  try {
    // Before conf makes it, which would follow the umask.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Conf<Stored>({
      projectName: 'clickbank-cli',
      cwd: folder,
      configName: 'config',
      configFileMode: 0o600,
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
    });
  } catch (cause) {
    throw new ApiError('key', `the file with the profiles can't be read: ${folder}/config.json`, {
      cause,
      hint: 'mend its JSON, or move it away and run `cb login` again',
    });
  }
}
