/** The key of a program, if it asks for it: from the profiles of `cb`, or from the environment. */
import { ApiError } from '../client/errors.ts';
import type { Credentials } from './types.ts';

/**
 * Reads a profile that `cb login` stored; without a name, the current one. Its key goes only to the base URL that
 * the profile names. Throws an ApiError of kind `key` if there is no such profile or its key can't be read.
 *
 *     const client = createClient(await fromProfile('shop'));
 */
export async function fromProfile(name?: string): Promise<Credentials> {
  const { storedCredentials } = await import('./stored-credentials.ts');
  return storedCredentials(name, await machine());
}

/**
 * Reads the variables CB_API_KEY and CB_BASE_URL. Throws an ApiError of kind `key` if there is no key.
 *
 *     const client = createClient(await fromEnvironment());
 */
export async function fromEnvironment(): Promise<Credentials> {
  const { env } = await machine();
  if (env.CB_API_KEY === undefined) {
    throw new ApiError('key', 'CB_API_KEY is not set.', {
      hint: 'Set it, or use `fromProfile` for a key that `cb login` stored.',
    });
  }
  const { environmentCredentials } = await import('./stored-credentials.ts');
  return environmentCredentials(env);
}

/** Loaded only here, so that a client without it can't read the environment. */
async function machine() {
  return (await import('./machine.ts')).machine();
}
