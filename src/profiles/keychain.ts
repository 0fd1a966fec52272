/** Keys in the file of profiles, in the keychain of macOS or Windows or the Secret Service, or from a command. */
import { randomUUID } from 'node:crypto';
import type { AsyncEntry } from '@napi-rs/keyring';
import { ApiError } from '../client/errors.ts';
import type { Profile } from './credentials.ts';

const service = 'clickbank-cli';

/** Receives a sentence about what failed. */
export type Note = (text: string) => void;

/** Returns the key of a stored profile, from the file or the keychain. Throws an ApiError if it is missing. */
export async function keyOf(name: string, { key, keychain, keyCommand }: Profile): Promise<string> {
  if (keyCommand) return (await import('./key-command.ts')).keyFrom(keyCommand);
  if (keychain === undefined) return key ?? '';
  const kept = await passwordOf(keychain);
  if (kept) return kept;
  throw new ApiError('key', `The keychain no longer contains the key of profile '${name}'.`, {
    hint: `Store it again with \`cb login --profile ${name} --keychain\`.`,
  });
}

/** Returns the text of a keychain entry; undefined if there is none. */
export async function passwordOf(entryName: string): Promise<string | undefined> {
  return (await withEntry(entryName, (entry) => entry.getPassword())) || undefined;
}

/**
 * Stores a key or secret with `save`, which gets the name of its keychain entry, or undefined for a text that is kept in the
 * file, and returns what was stored before. Removes the entry that is replaced, or the new one if it can't be saved.
 */
export async function keep(
  { owner, text, isInKeychain }: { owner: string; text: string; isInKeychain: boolean },
  save: (keychain: string | undefined) => Promise<{ readonly keychain?: unknown } | undefined>,
  note: Note,
): Promise<'file' | 'keychain'> {
  const keychain = isInKeychain ? await intoKeychain(owner, text, note) : undefined;
  try {
    const before = await save(keychain);
    if (before) await forgetKey(before, note);
  } catch (error) {
    await forgetKey({ keychain }, note);
    throw error;
  }
  return keychain === undefined ? 'file' : 'keychain';
}

/**
 * Returns the name of the keychain entry; undefined, with a note, if the keychain can't be used. The name is
 * always new: the old key stays until the file names the new one, and two files of profiles never share one.
 */
async function intoKeychain(owner: string, key: string, note: Note): Promise<string | undefined> {
  const name = `${owner} ${randomUUID().slice(0, 8)}`;
  try {
    await withEntry(name, (entry) => entry.setPassword(key));
    return name;
  } catch (error) {
    note(`${messageOf(error)} The key is stored in the file instead, which only you can read.`);
    return undefined;
  }
}

/** Removes the key of a profile from the keychain. Returns false, with a note, if that fails. */
export async function forgetKey({ keychain }: { readonly keychain?: unknown }, note: Note) {
  if (typeof keychain !== 'string') return true;
  try {
    await withEntry(keychain, (entry) => entry.deleteCredential());
    return true;
  } catch (error) {
    note(`The key is still in the keychain, as '${keychain}'. ${messageOf(error)}`);
    return false;
  }
}

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  throw error;
}

async function withEntry<T>(name: string, work: (entry: AsyncEntry) => Promise<T>): Promise<T> {
  const { AsyncEntry } = await import('@napi-rs/keyring').catch(() => {
    throw unusable('the optional package @napi-rs/keyring is not installed');
  });
  try {
    // Otherwise, Linux would fall back to a kernel keyring, which a restart clears.
    return await work(new AsyncEntry(service, name, { linux: { store: 'secret-service' } }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(why.replace(/\s+/g, ' ').replace(/\.$/, ''));
  }
}

function unusable(why: string): ApiError {
  return new ApiError('key', `The keychain can't be used: ${why}.`, {
    hint: 'Unlock the keychain, or store the key in the file with `cb login`.',
  });
}
