/** Access to operations that need no key, such as schemas. */
import type { Client as Api } from '../api/client.ts';
import {
  askedProfile,
  baseUrlOf,
  type ClientWishes,
  openSession,
  type Session,
  withSession,
} from './session.ts';
import type { Shell } from './shell.ts';

/**
 * Opens the service as `withApi` does. If there is neither a stored key nor one in the environment, requests
 * are sent without a key.
 */
export async function withPublicApi<T>(
  shell: Shell,
  wishes: ClientWishes,
  work: (api: Api, session: Session) => Promise<T>,
): Promise<T> {
  return withSession(shell, await openPublicSession(shell), wishes, work);
}

async function openPublicSession(shell: Shell): Promise<Session> {
  const asked = await askedProfile(shell);
  if (asked.kind !== 'stored' || asked.name !== undefined) return openSession(shell);
  const close = async () => undefined;
  return { profile: undefined, baseUrl: await baseUrlOf(shell), key: '', isPublic: true, close };
}
