/** The folders in which cb keeps its own files. */
import { isAbsolute, join, resolve } from 'node:path';
import { type FolderKind, isAbsoluteOn, standardFolder } from '../storage/standard-folder.ts';
import type { Context } from './context.ts';
import { exitCodes, Failure } from './failure.ts';

export { homeFolder } from '../storage/standard-folder.ts';

/** The folder of profiles and keys. All folder functions throw a Failure if there is no home folder. */
export const configFolder = folderOf('config');

/** The folder of files that processes share; it may be deleted. */
export const stateFolder = folderOf('state');

/** The folder of the built-in sandbox and of the states of `--since-last`. */
export const dataFolder = folderOf('data');

/** The private folder of the log of agents. */
export const mcpFolder = (context: Context) => join(dataFolder(context), 'mcp');

/** The folder of the states of `--since-last`. */
export const sinceFolder = (context: Context) => join(dataFolder(context), 'since');

function folderOf(kind: FolderKind) {
  return (context: Context) => standardFolder(kind, context) ?? homeOf(context);
}

/** Returns the home folder of the user. Throws a Failure if the user has none. */
export function homeOf({ home, platform }: Context): string {
  if (isAbsoluteOn(platform, home)) return home;
  const message =
    'There is no home folder: HOME is not an absolute path, and the user has no account.';
  throw new Failure(exitCodes.key, message, { hint: 'Set HOME to the path of a folder.' });
}

/** Returns the absolute path of a file that the user named. Only a relative path needs the current folder. */
export function pathOf(context: Context, typed: string): string {
  return isAbsolute(typed) ? resolve(typed) : resolve(context.folder, typed);
}
