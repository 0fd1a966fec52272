/**
 * Stores the secrets of instant notifications on this machine: in a private file, or in the system keychain, in which
 * case the file names only the keychain entry. It is not the file of profiles, because versions of cb that do not know
 * the secrets would drop them when they store a key.
 */
import { join } from 'node:path';
import { ApiError } from '../client/errors.ts';
import { writeAtomic } from '../storage/atomic-file.ts';
import { isRecord } from './credentials.ts';
import { forgetKey, keep, type Note, passwordOf } from './keychain.ts';
import { jsonIn, type Owner, type Place, whileLocked } from './private-file.ts';

/** The secret itself, or the name of its keychain entry. */
interface StoredSecret {
  readonly secret?: string;
  readonly keychain?: string;
}

type Secrets = Readonly<Record<string, StoredSecret>>;

/** Writes no file until a secret is added. */
export function openNotificationSecrets(place: Place, note: Note) {
  const file = join(place.folder, 'notification-secrets.json');
  const stored = () => read(file, place);
  const change = (name: string, entry: StoredSecret | undefined) =>
    whileLocked(place, file, async () => {
      const { [name]: before, ...others } = stored();
      const secrets = entry === undefined ? others : { ...others, [name]: entry };
      const content = JSON.stringify({ version: 1, secrets }, null, 2);
      await writeAtomic(file, `${content}\n`, { mode: 0o600, draft: `${file}.part` });
      return before;
    });
  return {
    /** In the order of the names; the secrets are not read. */
    list: () =>
      sorted(stored()).map(([name, { keychain }]) => ({
        name,
        keptIn: keychain === undefined ? 'file' : 'keychain',
      })),
    /** Throws an ApiError if a secret is missing from the keychain. */
    read: () =>
      Promise.all(
        sorted(stored()).map(async ([name, entry]) => ({
          name,
          secret: await secretOf(name, entry),
        })),
      ),
    /** Returns where the secret was stored. A secret of the same name is replaced. */
    async add(name: string, secret: string, isInKeychain: boolean) {
      const kept = { owner: `notifications ${name}`, text: secret, isInKeychain };
      const save = (keychain?: string) => change(name, keychain ? { keychain } : { secret });
      return keep(kept, save, note);
    },
    /** Returns false if there is no secret of this name. */
    async remove(name: string) {
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
function read(file: string, owner: Owner): Secrets {
  const json = jsonIn(file, owner, { secrets: {} });
  const secrets = isRecord(json) ? json.secrets : undefined;
  if (isRecord(secrets) && Object.values(secrets).every(isStored)) return secrets as Secrets;
  throw new ApiError('key', `The notification secrets can't be read: ${file} is damaged.`, {
    hint: 'Repair the file, or move it away and store the secrets again.',
  });
}

function isStored(entry: unknown): entry is StoredSecret {
  return isRecord(entry) && typeof (entry.keychain ?? entry.secret) === 'string';
}
