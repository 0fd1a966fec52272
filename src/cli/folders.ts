/** The folders in which cb keeps its own files, by the conventions of the platform. */
import { isAbsolute, join, posix, resolve, win32 } from 'node:path';
import type { Context } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { Failure } from './failure.ts';

const name = 'clickbank-cli';

/** Profiles with their keys. Like the other folders of cb: throws a Failure if there is no home folder. */
export function configFolder(context: Context): string {
  return folderFor(context, 'XDG_CONFIG_HOME', {
    win32: ['APPDATA', 'AppData/Roaming'],
    darwin: 'Library/Preferences',
    otherwise: '.config',
  });
}

/** What processes share with each other; it may be deleted. */
export function stateFolder(context: Context): string {
  return folderFor(context, 'XDG_STATE_HOME', {
    win32: ['LOCALAPPDATA', 'AppData/Local'],
    darwin: 'Library/Application Support',
    otherwise: '.local/state',
  });
}

/** The state of the built-in sandbox, and of `--since-last`. */
export function dataFolder(context: Context): string {
  return folderFor(context, 'XDG_DATA_HOME', {
    win32: ['LOCALAPPDATA', 'AppData/Local'],
    darwin: 'Library/Application Support',
    otherwise: '.local/share',
  });
}

interface Conventions {
  readonly win32: readonly [variable: string, below: string];
  readonly darwin: string;
  readonly otherwise: string;
}

function folderFor(context: Context, variable: string, conventions: Conventions): string {
  const { platform } = context;
  const named = absoluteFrom(context, variable);
  if (named !== undefined) return join(named, name);
  if (platform === 'win32') {
    const [own, below] = conventions.win32;
    return join(absoluteFrom(context, own) ?? join(homeOf(context), below), name);
  }
  const below = platform === 'darwin' ? conventions.darwin : conventions.otherwise;
  return join(homeOf(context), below, name);
}

/**
 * The folder that an environment variable names. Undefined for a relative path too: the XDG Base Directory
 * Specification has it ignored, and cb keeps nothing in the current folder.
 */
export function absoluteFrom({ env, platform }: Context, variable: string): string | undefined {
  const path = env[variable];
  const { isAbsolute: isComplete } = platform === 'win32' ? win32 : posix;
  return path !== undefined && isComplete(path) ? path : undefined;
}

/** The user's home folder. Throws a Failure if the user has none. */
export function homeOf({ home, platform }: Context): string {
  if ((platform === 'win32' ? win32 : posix).isAbsolute(home)) return home;
  const message =
    'There is no home folder: HOME is not an absolute path, and the user has no account.';
  throw new Failure(exitCodes.key, message, { hint: 'Set HOME to the path of a folder.' });
}

/** The path of a file that the user named; only a relative one needs the current folder. */
export function pathOf(context: Context, typed: string): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(context.folder, typed);
}
