/**
 * Fingerprints of a service and a key, for files that belong to one account: journals, schedules and
 * checkpoints. A file holds the fingerprint and never the key, and the salt keeps equal accounts from
 * looking equal in two files.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Whose data it is. Where the URL of a service changes on every run, use a name that stays. */
export interface Account {
  readonly baseUrl: string;
  readonly key: string;
}

const algorithm = 'hmac-sha256';

/** Text such as `hmac-sha256:<salt>:<digest>`. It differs on every call, even for one account. */
export function createFingerprint(account: Account): string {
  const salt = randomBytes(16).toString('hex');
  return `${algorithm}:${salt}:${keyedDigest(account, salt).toString('hex')}`;
}

/** False for another service, another key, and text that is no fingerprint. */
export function matchesFingerprint(fingerprint: string, account: Account): boolean {
  const [, salt, digest] = /^hmac-sha256:([0-9a-f]{32}):([0-9a-f]{64})$/.exec(fingerprint) ?? [];
  if (salt === undefined || digest === undefined) return false;
  return timingSafeEqual(Buffer.from(digest, 'hex'), keyedDigest(account, salt));
}

/** Keys are long and random, so that nobody can guess one from its digest. */
function keyedDigest({ baseUrl, key }: Account, salt: string): Buffer {
  return createHmac('sha256', salt)
    .update(JSON.stringify([baseUrl, key]))
    .digest();
}

/** SHA-256 in hexadecimal digits. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
