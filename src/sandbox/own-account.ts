/** The nicknames of a key, told in any case of letters. */
import type { Caller } from './access.ts';
import { insist } from './refusal.ts';

/** The nickname as the service writes it; 403 unless the key has that account. */
export function requireAccount(caller: Caller, nickname: string): string {
  const own = caller.accounts.find((account) => account === nickname.toUpperCase());
  insist(own, 403, `This key has no account ${nickname}.`);
  return own;
}
