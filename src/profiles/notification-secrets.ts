/**
 * Stores the secrets of instant notifications on this machine: in a private file, or in the system keychain, in which
 * case the file names only the keychain entry. It is not the file of profiles, because versions of cb that do not know
 * the secrets would drop them when they store a key.
 */
import { join } from 'node:path';
import { ApiError } from '../client/errors.ts';
import { writeAtomic } from '../storage/atomic-file.ts';
import { isRecord, type Place } from './credentials.ts';
import { forgetKey, intoKeychain, type Note, passwordOf, replaceKey } from './keychain.ts';
import { makePrivateFolder, readPrivate } from './private-file.ts';

/** The secret itself, or the name of its keychain entry. */
interface StoredSecret {
  readonly secret?: string;
  readonly keychain?: string;
}

type Secrets = Readonly<Record<string, StoredSecret>>;

export interface SecretPlace {
  readonly name: string;
  readonly keptIn: 'file' | 'keychain';
}

export interface NotificationSecrets {
  /** In the order of the names; the secrets are not read. */
  list(): readonly SecretPlace[];
  /** Throws an ApiError if a secret is missing from the keychain. */
  read(): Promise<readonly { readonly name: string; readonly secret: string }[]>;
  /** Returns where the secret was stored. A secret of the same name is replaced. */
  add(
    name: string,
    secret: string,
    options: { readonly keychain: boolean },
  ): Promise<SecretPlace['keptIn']>;
  /** Returns false if there is no secret of this name. */
  remove(name: string): Promise<boolean>;
}

/** Writes no file until a secret is added. */
export function openNotificationSecrets(place: Place, note: Note): NotificationSecrets {
  const file = join(place.folder, 'notification-secrets.json');
  const stored = () => parse(file, readPrivate(file, place));
  const change = async (name: string, entry: StoredSecret | undefined) => {
    makePrivateFolder(place.folder, place);
    const unlock = await place.lock(file);
    try {
      const { [name]: before, ...others } = stored();
      const secrets = entry === undefined ? others : { ...others, [name]: entry };
      const content = JSON.stringify({ version: 1, secrets }, null, 2);
      await writeAtomic(file, `${content}\n`, { mode: 0o600, draft: `${file}.part` });
      return before;
    } finally {
      await unlock();
    }
  };
  return {
    list: () =>
      sorted(stored()).map(([name, { keychain }]) => ({
        name,
        keptIn: keychain === undefined ? 'file' : 'keychain',
      })),
    read: () =>
      Promise.all(
        sorted(stored()).map(async ([name, entry]) => ({
          name,
          secret: await secretOf(name, entry),
        })),
      ),
    async add(name, secret, { keychain: isWanted }) {
      const owner = `notifications ${name}`;
      const keychain = isWanted ? await intoKeychain(owner, secret, note) : undefined;
      const entry = keychain === undefined ? { secret } : { keychain };
      return replaceKey(keychain, () => change(name, entry), note);
    },
    async remove(name) {
      if (!Object.hasOwn(stored(), name)) return false;
      const before = await change(name, undefined);
      if (before) await forgetKey(before, note);
      return true;
    },
  };
}

function sorted(secrets: Secrets): readonly (readonly [string, StoredSecret])[] {
  return Object.entries(secrets).sort(([a], [b]) => (a < b ? -1 : 1));
}

async function secretOf(name: string, { secret, keychain }: StoredSecret): Promise<string> {
  const found = keychain === undefined ? secret : await passwordOf(keychain);
  if (found) return found;
  throw new ApiError('key', `The keychain no longer contains the notification secret '${name}'.`, {
    hint: `Store it again with \`cb ins secrets add ${name} --keychain\`.`,
  });
}

/** A damaged file is reported, never replaced: it may hold the only copy of a secret. */
function parse(file: string, text: string | undefined): Secrets {
  if (text === undefined) return {};
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The message of the parser would quote the text, which may contain a secret.
  }
  const secrets = isRecord(json) ? json.secrets : undefined;
  if (isRecord(secrets) && Object.values(secrets).every(isStored)) return secrets as Secrets;
  throw new ApiError('key', `The notification secrets can't be read: ${file} is damaged.`, {
    hint: 'Repair the file, or move it away and store the secrets again.',
  });
}

function isStored(entry: unknown): entry is StoredSecret {
  return isRecord(entry) && typeof (entry.keychain ?? entry.secret) === 'string';
}
