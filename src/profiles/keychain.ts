/** Keys in the keychain of the system: macOS Keychain, Windows Credential Manager, Secret Service. */
import type { AsyncEntry } from '@napi-rs/keyring';
import { ApiError } from '../client/errors.ts';
import type { Profile } from './credentials.ts';

const service = 'clickbank-cli';

/** `name` is what the file with the profiles refers to it by. Throws an ApiError where it can't be used. */
export async function keepInKeychain(name: string, key: string): Promise<void> {
  await withEntry(name, (entry) => entry.setPassword(key));
}

/** The key of a stored profile, from the file or the keychain. Throws an ApiError if it is not there. */
export async function keyOf(name: string, { key, keychain }: Profile): Promise<string> {
  if (keychain === undefined) return key ?? '';
  const kept = await withEntry(keychain, (entry) => entry.getPassword());
  if (kept) return kept;
  throw new ApiError('key', `the keychain holds no key of profile '${name}' any more`, {
    hint: `store it again with \`cb login --profile ${name} --keychain\``,
  });
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
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(why.replace(/\s+/g, ' '));
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
