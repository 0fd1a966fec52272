/** Where cb keeps its own files, by the customs of the platform. */
import { join } from 'node:path';
import type { Context } from './context.ts';

const name = 'clickbank-cli';

/** Profiles with their keys. */
export function configFolder(context: Context): string {
  const { env, platform, home } = context;
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, name);
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData/Roaming'), name);
  if (platform === 'darwin') return join(home, 'Library/Preferences', name);
  return join(home, '.config', name);
}

/** What processes tell each other, and may be thrown away. */
export function stateFolder(context: Context): string {
  const { env, platform, home } = context;
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, name);
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData/Local'), name);
  if (platform === 'darwin') return join(home, 'Library/Application Support', name);
  return join(home, '.local/state', name);
}

/** The state of the built-in sandbox. */
export function dataFolder(context: Context): string {
  const { env, platform, home } = context;
  if (env.XDG_DATA_HOME) return join(env.XDG_DATA_HOME, name);
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData/Local'), name);
  if (platform === 'darwin') return join(home, 'Library/Application Support', name);
  return join(home, '.local/share', name);
}
