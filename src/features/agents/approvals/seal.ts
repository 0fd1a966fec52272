/** Binds a plan to its content, and to the service and the key for which it was made. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Account } from '../../../storage/fingerprint.ts';

/** Only a program that has the key can make the same seal. */
export function sealOf({ baseUrl, key }: Account, text: string): string {
  const secret = createHmac('sha256', key)
    .update(JSON.stringify(['cb plan', baseUrl]))
    .digest();
  return `hmac-sha256:${createHmac('sha256', secret).update(text).digest('hex')}`;
}

export function isSameSeal(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
