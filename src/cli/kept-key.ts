/** Where the key of a profile is kept: in the file with the profiles, or in the keychain. */
import { randomUUID } from 'node:crypto';
import type { Profile, Profiles } from '../api/credentials.ts';
import { failureFrom } from './failure.ts';
import type { Shell } from './shell.ts';

interface NewKey {
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
  /** The keychain is wanted. */
  readonly keychain: boolean;
}

/** Stores a key as a profile, and tells in words where it went: the file goes without saying. */
export async function saveKey(
  shell: Shell,
  profiles: Profiles,
  { name, baseUrl, key, keychain: isWanted }: NewKey,
): Promise<string> {
  const keychain = isWanted ? await intoKeychain(shell, name, key) : undefined;
  const kept = keychain === undefined ? { key } : { keychain };
  try {
    const before = await profiles.save(name, { baseUrl, ...kept });
    if (before) await forgetKept(shell, before);
  } catch (error) {
    await forgetKept(shell, { baseUrl, ...kept });
    throw error;
  }
  return keychain === undefined ? '' : ', its key in the keychain';
}

/**
 * The name under which the keychain has it; undefined, and told, where it can't be used. Each is a new
 * one: the old key stays until the file names the new one, and two files with profiles don't meet.
 */
async function intoKeychain(
  { messages }: Shell,
  profile: string,
  key: string,
): Promise<string | undefined> {
  const { keepInKeychain } = await import('../api/keychain.ts');
  const name = `${profile} ${randomUUID().slice(0, 8)}`;
  try {
    await keepInKeychain(name, key);
    return name;
  } catch (error) {
    const { message } = failureFrom(error);
    messages.say(`note: ${message}; the key goes into the file instead, which only you can read`);
    return undefined;
  }
}

/** Takes the key of a profile out of the keychain; false, and told, where that does not work. */
export async function forgetKept({ messages }: Shell, { keychain }: Profile): Promise<boolean> {
  if (keychain === undefined) return true;
  const { forgetInKeychain } = await import('../api/keychain.ts');
  try {
    await forgetInKeychain(keychain);
    return true;
  } catch (error) {
    const { message } = failureFrom(error);
    messages.say(`note: the key is still in the keychain, as '${keychain}': ${message}`);
    return false;
  }
}
