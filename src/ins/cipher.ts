/** The cipher of notifications: AES-256-CBC with PKCS #7 padding. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-cbc';

/** The size of a block of the cipher, and so of the initialization vector, in bytes. */
export const blockSize = 16;

/** The service uses the hexadecimal digits of a SHA-1 hash as 32 characters, not as bytes. */
function keyOf(secret: string): Buffer {
  return Buffer.from(createHash('sha1').update(secret, 'utf8').digest('hex').slice(0, 32), 'ascii');
}

/** 16 hexadecimal digits in ASCII, as the service sends them. */
export function randomIv(): Buffer {
  return Buffer.from(randomBytes(blockSize / 2).toString('hex'), 'ascii');
}

export function encrypt(text: string, secret: string, iv: Uint8Array): Buffer {
  const cipher = createCipheriv(algorithm, keyOf(secret), iv);
  return Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
}

/**
 * Returns undefined if the padding is wrong. With another secret, the padding is right in about 1 of 250 cases, so
 * that the bytes can still be meaningless.
 */
export function decrypt(encrypted: Uint8Array, secret: string, iv: Uint8Array): Buffer | undefined {
  const decipher = createDecipheriv(algorithm, keyOf(secret), iv);
  try {
    return Buffer.concat([decipher.update(encrypted), decipher.final()]);
  } catch {
    return undefined;
  }
}
