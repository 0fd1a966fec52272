/** The key of a program, if it asks for it: from the profiles of `cb`, or from the environment. */
import type { Credentials } from './types.ts';

/**
 * Reads a profile that `cb login` stored; without a name, the current one. Its key goes only to the base URL that
 * the profile names. Throws an ApiError of kind `key` if there is no such profile or its key can't be read.
 *
 *     const client = createClient(await fromProfile('shop'));
 */
export async function fromProfile(name?: string): Promise<Credentials> {
  return (await reader()).storedCredentials(name);
}

/**
 * Reads the variables CB_API_KEY and CB_BASE_URL. Throws an ApiError of kind `key` if there is no key.
 *
 *     const client = createClient(await fromEnvironment());
 */
export async function fromEnvironment(): Promise<Credentials> {
  return (await reader()).environmentCredentials();
}

/** Loaded only here, so that a client without it can't read the environment. */
const reader = () => import('./stored-credentials.ts');
