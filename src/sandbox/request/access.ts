/** Authentication and authorization by API keys and roles (section 5 of the specification). */
import type { Role } from '../../operations/operation.ts';
import { KEYS, type SandboxKey } from './keys.ts';
import { assertOr } from './refusal.ts';

export type Caller = Pick<SandboxKey, 'key' | 'roles' | 'accounts'>;

export const NOBODY: Caller = { key: '', roles: [], accounts: [] };

/** Finds the key, or refuses with 401 as the live service does, though its documents say 403. */
export function identify(authorization: string | undefined): Caller {
  // An older form joins a developer key and the API key with a colon; only the API key counts.
  const key = authorization?.trim().split(':').at(-1);
  const caller = KEYS.find((known) => known.key === key);
  assertOr(caller, 401, 'Invalid API key');
  return caller;
}

/** Every listed role is needed; 403 names what is missing. */
export function authorize(caller: Caller, roles: readonly Role[]): void {
  const missing = roles.filter((role) => !caller.roles.includes(role));
  assertOr(missing.length === 0, 403, `The API key has no permission: ${missing.join(', ')}`);
}

/** The nickname as the service writes it, whatever the case of its letters; 403 unless the key has that account. */
export function requireAccount(caller: Caller, nickname: string): string {
  const own = caller.accounts.find((account) => account === nickname.toUpperCase());
  assertOr(own, 403, `This key has no account ${nickname}.`);
  return own;
}
