/** The folders in which cb keeps its own files, by the conventions of the platform. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';

/** What decides about the folders. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
}

const name = 'clickbank-cli';

const localData = { win32: 'AppData/Local', darwin: 'Library/Application Support' };

/**
 * - `config`: profiles and keys
 * - `state`: files that processes share; it may be deleted
 * - `data`: the built-in sandbox, and the state of `--since-last`
 */
const kinds = {
  config: {
    variable: 'XDG_CONFIG_HOME',
    windowsVariable: 'APPDATA',
    below: { win32: 'AppData/Roaming', darwin: 'Library/Preferences', linux: '.config' },
  },
  state: {
    variable: 'XDG_STATE_HOME',
    windowsVariable: 'LOCALAPPDATA',
    below: { ...localData, linux: '.local/state' },
  },
  data: {
    variable: 'XDG_DATA_HOME',
    windowsVariable: 'LOCALAPPDATA',
    below: { ...localData, linux: '.local/share' },
  },
} as const;

export type FolderKind = keyof typeof kinds;

/**
 * Returns a folder for cb: below the folder that a variable names, otherwise at the standard place of the platform
 * in the home folder. Undefined if there is no home folder.
 */
export function standardFolder(kind: FolderKind, around: Surroundings): string | undefined {
  const { platform, home } = around;
  const { variable, windowsVariable, below } = kinds[kind];
  const named =
    absoluteFrom(around, variable) ??
    (platform === 'win32' ? absoluteFrom(around, windowsVariable) : undefined);
  if (named !== undefined) return join(named, name);
  const system = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return isAbsoluteOn(platform, home) ? join(home, below[system], name) : undefined;
}

/**
 * Returns the folder that an environment variable names. Undefined for a relative path, which the XDG Base
 * Directory Specification says to ignore.
 */
export function absoluteFrom(
  { env, platform }: Omit<Surroundings, 'home'>,
  variable: string,
): string | undefined {
  const path = env[variable];
  return path !== undefined && isAbsoluteOn(platform, path) ? path : undefined;
}

export function isAbsoluteOn(platform: string, path: string): boolean {
  return (platform === 'win32' ? win32 : posix).isAbsolute(path);
}

/** Returns HOME if it is an absolute path, otherwise the home folder of the user's account; '' if neither exists. */
export function homeFolder(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // A user without an account, as in some containers.
    }
  }
  return '';
}
