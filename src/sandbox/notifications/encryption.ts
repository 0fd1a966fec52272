/** Encrypts notifications as the service does: AES-256-CBC with PKCS7 padding. */
import { createCipheriv, createHash, randomBytes, randomInt } from 'node:crypto';

/** The first 32 hexadecimal digits of the SHA-1 of the secret key, as ASCII bytes. */
function keyFrom(secret: string): Buffer {
  return Buffer.from(createHash('sha1').update(secret).digest('hex').slice(0, 32), 'ascii');
}

/** 16 hexadecimal digits, whose ASCII bytes are the initialization vector. */
export function newIv(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}

/** Returns the body of the request: JSON with the encrypted text and the IV, both in Base64. */
export function encryptNotification(text: string, secret: string, iv: string): string {
  const ivBytes = Buffer.from(iv, 'ascii');
  const cipher = createCipheriv('aes-256-cbc', keyFrom(secret), ivBytes);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return JSON.stringify({
    notification: encrypted.toString('base64'),
    iv: ivBytes.toString('base64'),
  });
}

const SECRET_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const SECRET_LENGTH = 16;

export function newSecret(): string {
  const pick = () => SECRET_CHARACTERS[randomInt(SECRET_CHARACTERS.length)];
  return Array.from({ length: SECRET_LENGTH }, pick).join('');
}

/** At most 16 capitals and digits. */
export function isSecret(text: string): boolean {
  return /^[A-Z0-9]{1,16}$/.test(text);
}
