/** Reads the key of a client as `cb` stores it. */
import { ApiError } from '../client/errors.ts';
import { proxyFor, proxyNames, withScheme } from '../client/http/origin.ts';
import { isBuiltIn, openProfiles } from '../profiles/credentials.ts';
import { environmentService, type Service, storedService } from '../profiles/find-service.ts';
import { homeFolder, standardFolder } from '../storage/standard-folder.ts';
import type { Credentials } from './types.ts';

export async function storedCredentials(named: string | undefined): Promise<Credentials> {
  const { env, platform } = process;
  const folder = standardFolder('config', { env, platform, home: homeFolder() });
  if (folder === undefined) throw new ApiError('key', 'There is no home folder.');
  const readOnly = () => Promise.reject(new Error('The profiles are only read.'));
  const profiles = openProfiles({
    ...{ folder, user: process.getuid?.(), lock: readOnly },
    onExposed: (text) => process.emitWarning(text),
  });
  const name = named ?? profiles.current();
  if (name === undefined) {
    throw new ApiError('key', 'There is no stored profile.', { hint: 'Run `cb login`.' });
  }
  if (isBuiltIn(name)) {
    const hint = "Use `startSandbox` of 'clickbank-cli/sandbox'.";
    throw new ApiError('key', 'The sandbox is not a stored profile.', { hint });
  }
  const profile = profiles.get(name);
  if (profile) return credentialsOf(await storedService(name, profile, env), env);
  // Not quoted if it may be a key.
  const which = /^(API|DEV)-/i.test(name) ? 'of that name' : `'${name}'`;
  const hint = `Profiles: ${profiles.names().join(', ') || 'none'}.`;
  throw new ApiError('key', `There is no profile ${which}.`, { hint });
}

export function environmentCredentials(): Credentials {
  const { env } = process;
  if (env.CB_API_KEY === undefined) {
    throw new ApiError('key', 'CB_API_KEY is not set.', {
      hint: 'Set it, or use `fromProfile` for a key that `cb login` stored.',
    });
  }
  return credentialsOf(environmentService(env), env);
}

function credentialsOf({ baseUrl, key }: Service, env: NodeJS.ProcessEnv): Credentials {
  const { proxy: variable = '' } = proxyNames(env);
  const proxy = proxyFor(baseUrl, env) && env[variable];
  return { apiKey: key, baseUrl, ...(proxy && { proxy: withScheme(proxy) }) };
}
