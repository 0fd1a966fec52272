/** Reads the key of a client as `cb` stores it. */
import { ApiError } from '../client/errors.ts';
import { proxyFor, proxyNames, withScheme } from '../client/http/proxy.ts';
import { openProfiles } from '../profiles/credentials.ts';
import {
  environmentService,
  isBuiltIn,
  type Service,
  storedService,
} from '../profiles/find-service.ts';
import { standardFolder } from '../storage/standard-folder.ts';
import type { Machine } from './machine.ts';
import type { Credentials } from './types.ts';

export async function storedCredentials(
  named: string | undefined,
  machine: Machine,
): Promise<Credentials> {
  const folder = standardFolder('config', machine);
  if (folder === undefined) throw new ApiError('key', 'There is no home folder.');
  const { user, warn } = machine;
  const readOnly = () => Promise.reject(new Error('The profiles are only read.'));
  const profiles = openProfiles({ folder, user, lock: readOnly, onExposed: warn });
  const name = named ?? profiles.current();
  if (name === undefined) {
    throw new ApiError('key', 'There is no stored profile.', { hint: 'Run `cb login`.' });
  }
  if (isBuiltIn(name)) {
    const hint = "Use `startSandbox` of 'clickbank-cli/sandbox'.";
    throw new ApiError('key', 'The sandbox is not a stored profile.', { hint });
  }
  const profile = profiles.get(name);
  if (profile) return credentialsOf(await storedService(name, profile, machine.env), machine.env);
  // Not quoted if it may be a key.
  const which = /^(API|DEV)-/i.test(name) ? 'of that name' : `'${name}'`;
  const hint = `Profiles: ${profiles.names().join(', ') || 'none'}.`;
  throw new ApiError('key', `There is no profile ${which}.`, { hint });
}

export function environmentCredentials(env: Machine['env']): Credentials {
  return credentialsOf(environmentService(env), env);
}

function credentialsOf({ baseUrl, key }: Service, env: Machine['env']): Credentials {
  const { proxy: variable = '' } = proxyNames(env);
  const proxy = proxyFor(baseUrl, env) && env[variable];
  return { apiKey: key, baseUrl, ...(proxy && { proxy: withScheme(proxy) }) };
}
