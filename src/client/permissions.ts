/** What a key may do, as far as the service tells: GET /1.3/debug, which is not in the catalogue. */
import { operation, type Role, roles } from '../operations/operation.ts';
import type { Client } from './client.ts';
import { ApiError } from './errors.ts';
import { placeholder } from './http/redaction.ts';

const debug = operation({
  method: 'GET',
  path: '/1.3/debug',
  command: 'whoami',
  summary: 'Tell the roles of the caller',
  roles: [],
  params: {},
  returns: { kind: 'text' },
  examples: [],
});

/**
 * The roles of the key; `untold` if the service does not answer the question, and `unrecognized` if its
 * answer names no role that cb knows.
 */
export type Permissions = readonly Role[] | 'untold' | 'unrecognized';

/**
 * Asks the service what the client's key may do. Throws an ApiError of kind `key` when it does not know
 * the key. The answer also holds the key: only roles leave here.
 */
export async function permissionsOf(client: Client): Promise<Permissions> {
  try {
    return rolesIn((await client.call(debug, {})) ?? '');
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'refused') return 'untold';
    throw error;
  }
}

/** Roles are named with and without the prefix `ROLE_`. */
function rolesIn(text: string): Permissions {
  const words = text.replaceAll(placeholder, '').toLowerCase().match(/\w+/g) ?? [];
  if (words.length === 0) return [];
  const named = new Set(words.map((word) => word.replace(/^role_/, '')));
  const known = roles.filter((role) => named.has(role.toLowerCase()));
  return known.length > 0 ? known : 'unrecognized';
}
