/** Keys in the keychain of the system: macOS Keychain, Windows Credential Manager, Secret Service. */
import type { AsyncEntry } from '@napi-rs/keyring';
import { ApiError } from './errors.ts';

const service = 'clickbank-cli';

/** `name` is what the file with the profiles refers to it by. Throws an ApiError where it can't be used. */
export async function keepInKeychain(name: string, key: string): Promise<void> {
  await withEntry(name, (entry) => entry.setPassword(key));
}

/** Undefined where the keychain holds none of that name. Throws an ApiError where it can't be used. */
export async function keyInKeychain(name: string): Promise<string | undefined> {
  return (await withEntry(name, (entry) => entry.getPassword())) ?? undefined;
}

/** Nothing happens where there is none. Throws an ApiError where the keychain can't be used. */
export async function forgetInKeychain(name: string): Promise<void> {
  await withEntry(name, (entry) => entry.deleteCredential());
}

async function withEntry<T>(name: string, work: (entry: AsyncEntry) => Promise<T>): Promise<T> {
  const { AsyncEntry } = await loadDriver();
  try {
    // Without the choice, Linux would fall back to a keyring of the kernel that a restart empties.
    return await work(new AsyncEntry(service, name, { linux: { store: 'secret-service' } }));
  } catch (error) {
    throw unusable((error as Error).message.replace(/\s+/g, ' '));
  }
}

async function loadDriver() {
  try {
    return await import('@napi-rs/keyring');
  } catch {
    throw unusable('the optional package @napi-rs/keyring is not installed');
  }
}

function unusable(why: string): ApiError {
  return new ApiError('key', `the keychain can't be used: ${why}`, {
    hint: 'unlock the keychain, or store the key in the file with `cb login`',
  });
}
