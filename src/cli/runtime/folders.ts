/** The folders in which cb keeps its own files, by the conventions of the platform. */
import { isAbsolute, join, posix, resolve, win32 } from 'node:path';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';

const name = 'clickbank-cli';

/** The folder of profiles and keys. All folder functions throw a Failure if there is no home folder. */
export function configFolder(context: Context): string {
  return folderFor(context, 'XDG_CONFIG_HOME', 'APPDATA', {
    win32: 'AppData/Roaming',
    darwin: 'Library/Preferences',
    linux: '.config',
  });
}

/** The folder of files that processes share; it may be deleted. */
export function stateFolder(context: Context): string {
  return folderFor(context, 'XDG_STATE_HOME', 'LOCALAPPDATA', {
    ...localData,
    linux: '.local/state',
  });
}

/** The folder of the built-in sandbox and of the state of `--since-last`. */
export function dataFolder(context: Context): string {
  return folderFor(context, 'XDG_DATA_HOME', 'LOCALAPPDATA', {
    ...localData,
    linux: '.local/share',
  });
}

const localData = { win32: 'AppData/Local', darwin: 'Library/Application Support' };

/**
 * Returns a folder for cb: below the folder that a variable names, otherwise at the standard place of the platform
 * in the home folder.
 */
function folderFor(
  context: Context,
  variable: string,
  windowsVariable: string,
  below: Readonly<Record<'win32' | 'darwin' | 'linux', string>>,
): string {
  const { platform } = context;
  const named =
    absoluteFrom(context, variable) ??
    (platform === 'win32' ? absoluteFrom(context, windowsVariable) : undefined);
  const system = platform === 'win32' || platform === 'darwin' ? platform : 'linux';
  return join(named ?? join(homeOf(context), below[system]), name);
}

/**
 * Returns the folder that an environment variable names. Undefined for a relative path, which the XDG Base
 * Directory Specification says to ignore.
 */
export function absoluteFrom({ env, platform }: Context, variable: string): string | undefined {
  const path = env[variable];
  const { isAbsolute: isComplete } = platform === 'win32' ? win32 : posix;
  return path !== undefined && isComplete(path) ? path : undefined;
}

/** Returns the home folder of the user. Throws a Failure if the user has none. */
export function homeOf({ home, platform }: Context): string {
  if ((platform === 'win32' ? win32 : posix).isAbsolute(home)) return home;
  const message =
    'There is no home folder: HOME is not an absolute path, and the user has no account.';
  throw new Failure(exitCodes.key, message, { hint: 'Set HOME to the path of a folder.' });
}

/** Returns the absolute path of a file that the user named. Only a relative path needs the current folder. */
export function pathOf(context: Context, typed: string): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(context.folder, typed);
}
