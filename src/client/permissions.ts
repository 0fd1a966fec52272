/** Reads the roles of a key from GET /1.3/debug, which is not in the catalogue. */
import { operation, type Role, roles } from '../operations/operation.ts';
import type { Client } from './client.ts';
import { ApiError } from './errors.ts';
import { placeholder } from './http/redaction.ts';

const debug = operation({
  method: 'GET',
  path: '/1.3/debug',
  command: 'whoami',
  summary: 'Show the roles of the key',
  roles: [],
  params: {},
  returns: { kind: 'text' },
  examples: [],
});

/** The roles; `unavailable` if the service refuses to list them, `unrecognized` if it names none that cb knows. */
export type Permissions = readonly Role[] | 'unavailable' | 'unrecognized';

/** Reads the roles of the key, and returns nothing else: the response has the key. Throws an ApiError `key` if unknown. */
export async function permissionsOf(client: Client): Promise<Permissions> {
  try {
    const text = (await client.call(debug, {})) ?? '';
    const words = text.replaceAll(placeholder, '').toLowerCase().match(/\w+/g) ?? [];
    if (words.length === 0) return [];
    // Roles are named with and without the prefix `ROLE_`.
    const named = new Set(words.map((word) => word.replace(/^role_/, '')));
    const known = roles.filter((role) => named.has(role.toLowerCase()));
    return known.length > 0 ? known : 'unrecognized';
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'refused') return 'unavailable';
    throw error;
  }
}
