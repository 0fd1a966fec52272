/**
 * Fingerprints of a service and a key, for files that belong to one account: journals, schedules, and
 * checkpoints. A file contains the fingerprint and never the key. The salt keeps the same account from
 * having the same fingerprint in two files.
 */
import * as crypto from 'node:crypto';

/** The owner of the data. If the URL of a service changes on every run, use a constant name. */
export interface Account {
  readonly baseUrl: string;
  readonly key: string;
}

/** Text such as `hmac-sha256:<salt>:<digest>`. It differs on every call, even for the same account. */
export function createFingerprint(account: Account): string {
  const salt = crypto.randomBytes(16).toString('hex');
  return `hmac-sha256:${salt}:${keyedDigest(account, salt).toString('hex')}`;
}

/** Returns false for another service, another key, and an invalid fingerprint. */
export function matchesFingerprint(fingerprint: string, account: Account): boolean {
  const [, salt, digest] = /^hmac-sha256:([0-9a-f]{32}):([0-9a-f]{64})$/.exec(fingerprint) ?? [];
  if (salt === undefined || digest === undefined) return false;
  return crypto.timingSafeEqual(Buffer.from(digest, 'hex'), keyedDigest(account, salt));
}

/** A fast hash is enough: keys are long and random, so a digest does not reveal them. */
function keyedDigest({ baseUrl, key }: Account, salt: string): Buffer {
  return crypto
    .createHmac('sha256', salt)
    .update(JSON.stringify([baseUrl, key]))
    .digest();
}

/** SHA-256 in hexadecimal digits. */
export function digestOf(content: string | Uint8Array): string {
  return crypto.createHash('sha256').update(content).digest('hex');
}
